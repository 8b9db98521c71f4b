"""Telling bounds: those that exclude a label near the examples which the bounds before them allow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten import linalg
from unwritten.data import BoolArray, IntArray
from unwritten.mining.bounds.bound_claims import Bound

AT_ONCE = 128  # bounds that are compared with all labels in one product


def telling(bounds: Sequence[Bound], labels: IntArray) -> tuple[list[Bound], IntArray]:
    """The bounds that exclude a label that those before them allow, in their order; and the labels that are left."""
    chosen, left = list[Bound](), np.ones(len(labels), bool)
    for part in (bounds[start : start + AT_ONCE] for start in range(0, len(bounds), AT_ONCE)):
        for bound, out in zip(part, _excluded(part, labels), strict=True):
            if (out & left).any():
                chosen.append(bound)
                left &= ~out
    return chosen, labels[left]


def _excluded(bounds: Sequence[Bound], labels: IntArray) -> BoolArray:
    """For each bound, which labels are beyond it; columns of no bound, whose values may be huge, are left out."""
    used = np.unique(np.concatenate([bound.columns for bound in bounds]))
    rows = np.zeros((len(bounds), len(used)), np.int64)
    for row, bound in zip(rows, bounds, strict=True):
        row[np.searchsorted(used, bound.columns)] = bound.values
    most = np.array([bound.most for bound in bounds], np.int64)
    return np.asarray(linalg.product(rows, labels[:, used].T) > most[:, None])
