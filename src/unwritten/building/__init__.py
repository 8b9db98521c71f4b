"""Building: from examples that were gathered to a model, before it is verified."""

from unwritten.building.despite_noise import build_despite_noise
from unwritten.building.exact_model import build_exact
from unwritten.building.some_examples import of_some, slack_of, subset
from unwritten.building.table_facts import with_facts
from unwritten.model import Model
from unwritten.options import MiningOptions
from unwritten.sources import Gathered

__all__ = ["build", "build_exact", "of_some", "slack_of", "subset", "with_facts"]


def build(gathered: Gathered, options: MiningOptions) -> Model:
    """Build a model from examples, some of which may be wrong if the options say so."""
    if options.noise_rate == 0 or not len(gathered.examples.variables):
        return build_exact(gathered, options)
    return build_despite_noise(gathered, options)
