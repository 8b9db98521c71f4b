"""The law of a row's activity where every column is drawn by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray


def share_that_obeys(
    row: IntArray, rhs: int, equality: bool, shares: Sequence[FloatArray], lower: IntArray
) -> float | None:
    """P(row·y = rhs, or ≤ rhs) for independent columns with these shares of each value from `lower` up.

    None where the activity can take too many values to tell.

    >>> share_that_obeys(np.array([1, 1]), 1, True, [np.array([0.5, 0.5])] * 2, np.zeros(2, int))
    0.5
    """
    support = np.flatnonzero(row).tolist()
    spans = np.array([len(shares[j]) - 1 for j in support], np.int64)
    if int((np.abs(row[support]) * spans).sum()) > budgets.CONVOLVED_REACH:
        return None
    least = int(np.minimum(row[support] * lower[support], row[support] * (lower[support] + spans)).sum())
    law = np.ones(1)
    for j, span in zip(support, spans.tolist(), strict=True):
        step = int(row[j])
        stretched = np.zeros(abs(step) * span + 1)
        stretched[:: abs(step)] = shares[j] if step > 0 else shares[j][::-1]
        law = np.convolve(law, stretched)
    place = rhs - least
    kept = law[place : place + 1] if equality else law[: max(0, place + 1)]
    return min(1.0, float(kept.sum())) if place >= 0 else 0.0
