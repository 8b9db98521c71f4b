"""A row of small whole numbers that stands for many likely rows.

Its coefficients are about their mean, which is nearer to the truth than any one of them. Its right-hand side is so
large that it excludes hardly any label that the likely rows allow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray

SCALES = (*range(1, 13), 14, 16, 18, 20, 23, 26, 30, 35, 40, 50, 60, 80, 100)  # largest coefficients that are tried
MIDDLE = 0.02  # the middle edge is where this share of the allowed labels lies beyond
GRID = 2.0**50  # shares are rounded to it, so that their sums are exact, and the same in any order
LOST = 1.03
"""The simplest row is taken that wrongly allows at most so many times as many pseudo-labels as the best one."""


@dataclass(frozen=True, eq=False)
class WholeRow:
    """A row `[a, b]` on some columns, and the value up to which most of the likely rows reach (`middle`)."""

    columns: IntArray
    row: IntArray
    middle: int


@dataclass(frozen=True, eq=False)
class Rounded:
    """Rows of small whole numbers near the mean of likely rows, from coarse to fine; right-hand sides are chosen later.

    For each row (a line of `rows`), `largest` is the largest value of a label, and `lowest` the least of a
    pseudo-label. From there on, value by value, `beyond` is the share of the allowed pseudo-labels at it or above, and
    `wrongly` counts likely rows that forbid a pseudo-label up to it, for all pseudo-labels together.
    """

    columns: IntArray
    rows: IntArray
    largest: list[int]
    lowest: list[int]
    beyond: list[FloatArray]
    wrongly: list[IntArray]

    @classmethod
    def of(cls, columns: IntArray, visited: IntArray, pseudo: IntArray, labels: IntArray) -> Rounded:
        """Rows near the mean of the likely rows that a walk visited."""
        sizes = np.abs(visited[:, :-1]).sum(axis=1, keepdims=True)
        mean = (visited[:, :-1] / np.maximum(sizes, 1)).mean(axis=0)
        rows = np.rint(mean * (np.array(SCALES)[:, None] / np.abs(mean).max())).astype(np.int64)
        outside = pseudo.T[columns]
        allowed = exact_product(visited[:, :-1], outside) <= visited[:, -1:]  # likely rows × pseudo-labels
        forbidden = len(visited) - np.count_nonzero(allowed, axis=0)
        values = exact_product(rows, outside).astype(np.int64)
        lowest, shares = values.min(axis=1), _shares(allowed, forbidden)
        values -= lowest[:, None]
        return cls(
            columns,
            rows,
            exact_product(rows, labels.T[columns]).max(axis=1).astype(np.int64).tolist(),
            lowest.tolist(),
            [np.cumsum(np.bincount(each, shares)[::-1], dtype=np.float64)[::-1] for each in values],
            [np.cumsum(np.bincount(each, forbidden), dtype=np.int64) for each in values],
        )

    def row(self, cut: float) -> WholeRow | None:
        """The simplest good row that is expected to cut off at most a share `cut` of the allowed labels.

        None if every row would forbid no pseudo-label.
        """
        tried: list[tuple[int, WholeRow]] = []
        for k, low in enumerate(self.lowest):
            edge, middle = (low + int(np.count_nonzero(self.beyond[k] > part)) - 1 for part in (cut, MIDDLE))
            b = max(self.largest[k], edge)
            if b - low < len(self.beyond[k]) - 1:
                missed = int(self.wrongly[k][b - low]) if b >= low else 0
                tried.append((missed, WholeRow(self.columns, np.append(self.rows[k], b), min(b, middle))))
        if not tried:
            return None
        most = LOST * min(missed for missed, _ in tried)
        return next(row for missed, row in tried if missed <= most)


def exact_product(rows: IntArray, columns: IntArray) -> FloatArray:
    """The sums of labels (given by column) under rows: floats that hold them exactly, and multiply faster."""
    largest = int(np.abs(rows).sum(axis=1).max(initial=0)) * int(np.abs(columns).max(initial=0))
    kind = np.float32 if largest < 1 << 24 else np.float64
    return np.asarray(rows.astype(kind) @ columns.astype(kind))


def _shares(allowed: BoolArray, forbidden: IntArray) -> FloatArray:
    """The share of each pseudo-label in what likely rows allow (likely rows × pseudo-labels), in the mean."""
    weights = np.rint(GRID / (np.maximum(1, np.count_nonzero(allowed, axis=1)) * len(allowed)))
    shares = np.where(forbidden == 0, weights.sum(), 0.0)
    some = (forbidden > 0) & (forbidden < len(allowed))
    shares[some] = weights @ allowed[:, some]
    return np.asarray(shares / GRID)


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
