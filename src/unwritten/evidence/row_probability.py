"""The probability that a row holds if every column is drawn independently."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray


def share_that_obeys(
    row: IntArray, rhs: int, equality: bool, shares: Sequence[FloatArray], lower: IntArray
) -> float | None:
    """P(row·y = rhs), or P(row·y ≤ rhs), for independent columns. `shares` are those of each value from `lower` up.

    None if row·y can take more than `budgets.CONVOLVED_REACH` values.

    >>> share_that_obeys(np.array([1, 1]), 1, True, [np.array([0.5, 0.5])] * 2, np.zeros(2, int))
    0.5
    """
    support = np.flatnonzero(row).tolist()
    spans = np.array([len(shares[j]) - 1 for j in support], np.int64)
    if float((np.abs(row[support].astype(float)) * spans).sum()) > budgets.CONVOLVED_REACH:
        return None
    least = int(np.minimum(row[support] * lower[support], row[support] * (lower[support] + spans)).sum())
    probability = np.ones(1)  # the probability of each value of row·y, from its least value up
    for j in support:
        probability = _convolved(probability, shares[j], int(row[j]))
    place = rhs - least
    obeying = probability[place : place + 1] if equality else probability[: max(0, place + 1)]
    return min(1.0, float(obeying.sum())) if place >= 0 else 0.0


def _convolved(probability: FloatArray, share: FloatArray, coefficient: int) -> FloatArray:
    """The distribution after one more column, summed value by value so that every CPU gives the same bits."""
    step = abs(coefficient)
    total = np.zeros(len(probability) + step * (len(share) - 1))
    for value, part in enumerate(share if coefficient > 0 else share[::-1]):
        if part:
            total[value * step : value * step + len(probability)] += part * probability
    return total
