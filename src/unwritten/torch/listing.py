"""Listing: the feasible labels of a model as one array, where that is possible."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import BoolArray, IntArray, among
from unwritten.data.halfspaces import within
from unwritten.errors import SolverError
from unwritten.model import Model


def listed(model: Model, limit: int) -> tuple[IntArray, bool]:
    """The labels under rules and cuts and True, seen ones first; where they are too many, the seen ones and False."""
    try:
        every = model.labels(limit)
    except SolverError:
        return model.seen[feasible(model, model.seen)], False
    every = every[within(every, model.cuts.weights, model.cuts.limits(model.variables))]
    seen = among(every, model.seen)
    return np.concatenate([every[seen], every[~seen]]), True


def feasible(model: Model, labels: IntArray) -> BoolArray:
    """Which labels obey rules, structure and cuts."""
    found: BoolArray = model.check(labels).feasible
    found[found] = within(labels[found], model.cuts.weights, model.cuts.limits(model.variables))
    return found


def smallest(labels: IntArray) -> NDArray[Any]:
    """The same labels in the smallest type that holds them."""
    low, high = int(labels.min()), int(labels.max())
    kinds = (np.int8, np.int16, np.int32, np.int64)
    return labels.astype(next(kind for kind in kinds if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max))
