"""Listing: the feasible labels of a model as one array, where that is possible."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.data import BoolArray, IntArray, among
from tacit.errors import SolverError
from tacit.model import Model

BLOCK = 1 << 24  # entries of a (labels × cuts) block held at once


def listed(model: Model, limit: int) -> tuple[IntArray, bool]:
    """The labels under rules and cuts and True, seen ones first; where they are too many, the seen ones and False."""
    try:
        every = model.labels(limit)
    except SolverError:
        return model.seen[feasible(model, model.seen)], False
    every = every[_within_cuts(model, every)]
    seen = among(every, model.seen)
    return np.concatenate([every[seen], every[~seen]]), True


def feasible(model: Model, labels: IntArray) -> BoolArray:
    """Which labels obey rules, structure and cuts."""
    found: BoolArray = model.check(labels).feasible
    found[found] = _within_cuts(model, labels[found])
    return found


def _within_cuts(model: Model, labels: IntArray) -> BoolArray:
    """Which labels every cut admits; each block of cuts sees only those that the ones before let through."""
    alive = np.ones(len(labels), bool)
    weights, limits = model.cuts.weights, model.cuts.limits(model.variables)
    start = 0
    while start < len(limits) and alive.any():
        end = start + max(1, BLOCK // int(alive.sum()))
        alive[alive] = (labels[alive].astype(np.float64) @ weights[start:end].T <= limits[start:end]).all(axis=1)
        start = end
    return alive


def smallest(labels: IntArray) -> NDArray[Any]:
    """The same labels in the smallest type that holds them."""
    low, high = int(labels.min()), int(labels.max())
    kinds = (np.int8, np.int16, np.int32, np.int64)
    return labels.astype(next(kind for kind in kinds if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max))
