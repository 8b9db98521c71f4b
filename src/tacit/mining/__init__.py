"""Mining: small pure pieces from examples to rules and cuts. No solver is called here."""

from tacit.mining.equalities import equalities
from tacit.mining.lifts import LIFTS, Lift, defining_rules, fit_lifts, lifted_labels, lifted_variables
from tacit.mining.outer import Cuts, outer_cuts
from tacit.mining.tally import Tally, gram_of

__all__ = [
    "LIFTS",
    "Cuts",
    "Lift",
    "Tally",
    "defining_rules",
    "equalities",
    "fit_lifts",
    "gram_of",
    "lifted_labels",
    "lifted_variables",
    "outer_cuts",
]
