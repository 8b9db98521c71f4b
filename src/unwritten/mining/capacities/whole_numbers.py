"""A row of small whole numbers that stands for many likely rows.

Its coefficients are about the mean of theirs, which is nearer to the truth than any one of them. Its right-hand side is
so large that hardly a label is cut off that the likely rows allow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.capacities.likely_rows import LikelyRow

SCALES = (*range(1, 13), 14, 16, 18, 20, 23, 26, 30, 35, 40, 50, 60, 80, 100)  # largest coefficients that are tried
MIDDLE = 0.02  # share of allowed labels beyond the middle of the likely edges
LOST = 1.03
"""The simplest row is taken that wrongly allows at most so many times as many pseudo-labels as the best one."""


@dataclass(frozen=True, eq=False)
class WholeRow:
    """A row `[a, b]` on some columns, and the value up to which most of the likely rows reach (`middle`)."""

    columns: IntArray
    row: IntArray
    middle: int


def whole_row(likely: LikelyRow, labels: IntArray, cut: float) -> WholeRow | None:
    """The simplest good row that is expected to cut off at most a share `cut` of the allowed labels."""
    return row_of(likely.columns, likely.visited, likely.pseudo, labels, cut)


def row_of(columns: IntArray, visited: IntArray, pseudo: IntArray, labels: IntArray, cut: float) -> WholeRow | None:
    """The same for likely rows that a walk visited; None if the row would forbid no pseudo-label."""
    sizes = np.abs(visited[:, :-1]).sum(axis=1, keepdims=True)
    mean = (visited[:, :-1] / np.maximum(sizes, 1)).mean(axis=0)
    inside, outside = labels[:, columns].astype(np.float64), pseudo[:, columns].astype(np.float64)
    allowed = outside @ visited[:, :-1].T <= visited[:, -1]  # pseudo-labels × likely rows
    share = (allowed / np.maximum(1, allowed.sum(axis=0))).mean(axis=1)  # of each pseudo-label in what they allow
    forbidden = 1 - allowed.mean(axis=1)  # the share of likely rows that forbid each pseudo-label
    tried: list[tuple[float, WholeRow]] = []
    for scale in SCALES:
        a = np.rint(mean * (scale / np.abs(mean).max())).astype(np.int64)
        values = (outside @ a).astype(np.int64)  # floats hold such sums exactly, and multiply faster
        b = max(int((inside @ a).max()), _least_bound(values, share, cut))
        if (values > b).any():
            middle = min(b, _least_bound(values, share, MIDDLE))
            tried.append((float(forbidden[values <= b].sum()), WholeRow(columns, np.append(a, b), middle)))
    if not tried:
        return None
    most = LOST * min(missed for missed, _ in tried)
    return next(row for missed, row in tried if missed <= most)


def _least_bound(values: IntArray, share: FloatArray, cut: float) -> int:
    """The least bound on these values beyond which pseudo-labels have at most a share `cut` together."""
    low = int(values.min())
    beyond = np.cumsum(np.bincount(values - low, share)[::-1])[::-1]  # at each value or above it
    return low + int(np.count_nonzero(beyond > cut)) - 1


def excess(whole: WholeRow, labels: IntArray) -> IntArray:
    """How far labels are beyond the row; 0 or less if they obey it."""
    return np.asarray(labels[:, whole.columns] @ whole.row[:-1] - whole.row[-1])


def keeping(whole: WholeRow, labels: IntArray) -> WholeRow:
    """The row with a right-hand side that is large enough for all of these labels."""
    more = max(0, int(excess(whole, labels).max(initial=0)))
    return replace(whole, row=np.append(whole.row[:-1], whole.row[-1] + more))


def widened(whole: WholeRow, slack: float) -> WholeRow:
    """The row with a right-hand side that is larger by a share of the sizes of its coefficients."""
    more = ceil(slack * int(np.abs(whole.row[:-1]).sum()))
    return replace(whole, row=np.append(whole.row[:-1], whole.row[-1] + more))


def broken(whole: WholeRow, labels: IntArray) -> BoolArray:
    """Which labels break the row."""
    return np.asarray(excess(whole, labels) > 0)
