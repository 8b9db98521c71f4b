"""Mining: small pure pieces from examples to rules and cuts. No solver is called here."""

from tacit.mining.hull import break_bound, critical
from tacit.mining.ladder import AUTO, MINERS, Ladder, Mined
from tacit.mining.lifts import LIFTS, Lift, defining_rules, fit_lifts, lifted_labels, lifted_variables
from tacit.mining.matroid import Matroid
from tacit.mining.outer import Cuts, outer_cuts
from tacit.mining.symmetry import Symmetry, interchangeable, relabelled
from tacit.mining.tally import Tally, gram_of

__all__ = [
    "AUTO",
    "LIFTS",
    "MINERS",
    "Cuts",
    "Ladder",
    "Lift",
    "Matroid",
    "Mined",
    "Symmetry",
    "Tally",
    "break_bound",
    "critical",
    "defining_rules",
    "fit_lifts",
    "gram_of",
    "interchangeable",
    "lifted_labels",
    "lifted_variables",
    "outer_cuts",
    "relabelled",
]
