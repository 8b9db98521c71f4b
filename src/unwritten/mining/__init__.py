"""Mining: small pure pieces from examples to rules and cuts. No solver is called here."""

from unwritten.mining.cuts import Cuts, outer_cuts
from unwritten.mining.lifts import LIFTS, Lift, defining_rules, fit_lifts, lifted_labels, lifted_variables
from unwritten.mining.matroid import Matroid
from unwritten.mining.plan import AUTO, MINERS, Ladder, Mined

__all__ = [
    "AUTO",
    "LIFTS",
    "MINERS",
    "Cuts",
    "Ladder",
    "Lift",
    "Matroid",
    "Mined",
    "defining_rules",
    "fit_lifts",
    "lifted_labels",
    "lifted_variables",
    "outer_cuts",
]
