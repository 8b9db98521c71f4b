"""Mining: small pure pieces from examples to rules and cuts. No solver is called here."""

from unwritten.mining.hull import break_bound, critical
from unwritten.mining.ladder import AUTO, MINERS, Ladder, Mined
from unwritten.mining.lifts import LIFTS, Lift, defining_rules, fit_lifts, lifted_labels, lifted_variables
from unwritten.mining.matroid import Matroid
from unwritten.mining.outer import Cuts, outer_cuts
from unwritten.mining.symmetry import Symmetry, interchangeable, relabelled
from unwritten.mining.tally import Tally, gram_of

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
