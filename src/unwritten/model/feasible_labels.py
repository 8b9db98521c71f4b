"""The labels that obey a model's rules and its cuts: list them, or test given ones."""

from __future__ import annotations

from unwritten.data import BoolArray, IntArray
from unwritten.data.halfspaces import within
from unwritten.errors import SolverError
from unwritten.model.model import Model


def feasible_labels(model: Model, limit: int) -> IntArray | None:
    """List every label that obeys the rules and cuts, in lexicographic order.

    None if listing the labels under the rules needs more than `limit` partial labels at a time.
    """
    try:
        labels = model.labels(limit)
    except SolverError:
        return None
    return labels[_obey_cuts(model, labels)]


def obey_rules_and_cuts(model: Model, labels: IntArray) -> BoolArray:
    """Tell for each label whether it obeys the bounds, the rules, the matroid and the cuts."""
    obedient: BoolArray = model.check_labels(labels, strict=True).feasible
    obedient[obedient] = _obey_cuts(model, labels[obedient])
    return obedient


def _obey_cuts(model: Model, labels: IntArray) -> BoolArray:
    return within(labels, model.cuts.weights, model.cuts.limits(model.variables))
