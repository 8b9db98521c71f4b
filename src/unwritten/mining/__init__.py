"""Mining: from a tally to rules, and from weights to cuts. No solver is called here."""

from unwritten.mining.cuts import Cuts, outer_cuts
from unwritten.mining.lifts import LIFTS, Lift, defining_rules, fit_lifts, lifted_labels, lifted_variables
from unwritten.mining.matroids.matroid import Matroid
from unwritten.mining.plan import run_miners

__all__ = [
    "LIFTS",
    "Cuts",
    "Lift",
    "Matroid",
    "defining_rules",
    "fit_lifts",
    "lifted_labels",
    "lifted_variables",
    "outer_cuts",
    "run_miners",
]
