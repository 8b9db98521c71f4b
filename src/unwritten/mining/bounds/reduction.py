"""Reduction: drop bounds that follow from others, so that a network is stated and not all its consequences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.mining.bounds.bound_claims import Bound


def without_shortcuts(bounds: Sequence[Bound]) -> list[Bound]:
    """Bounds without the differences y_i − y_j ≤ c that follow from a path of other differences."""
    is_difference = [sorted(bound.values.tolist()) == [-1, 1] for bound in bounds]
    differences = [bound for bound, is_one in zip(bounds, is_difference, strict=True) if is_one]
    if len(differences) < 2:
        return list(bounds)
    columns = np.unique(np.concatenate([bound.columns for bound in differences]))
    distance = np.full((len(columns), len(columns)), np.inf)
    ends = [_ends(bound, columns) for bound in differences]
    for (i, j), bound in zip(ends, differences, strict=True):
        distance[i, j] = min(distance[i, j], bound.most)
    stated = distance.copy()
    for k in range(len(columns)):
        distance = np.minimum(distance, distance[:, k, None] + distance[None, k, :])
    redundant = {
        id(bound) for (i, j), bound in zip(ends, differences, strict=True) if _has_detour(stated, distance, i, j)
    }
    return [bound for bound in bounds if id(bound) not in redundant]


def _ends(bound: Bound, columns: IntArray) -> tuple[int, int]:
    """The places of the greater and the lesser column of a difference."""
    more = bound.columns[bound.values > 0][0], bound.columns[bound.values < 0][0]
    return int(np.searchsorted(columns, more[0])), int(np.searchsorted(columns, more[1]))


def _has_detour(stated: FloatArray, distance: FloatArray, i: int, j: int) -> bool:
    """True if a path over another column is as short; columns that are tied to i or j by an equality are no detour."""
    over = distance[i] + distance[:, j]
    tied = (distance[i] + distance[:, i] <= 0) | (distance[j] + distance[:, j] <= 0)
    over[tied] = np.inf
    over[[i, j]] = np.inf
    return bool(over.min(initial=np.inf) <= stated[i, j])
