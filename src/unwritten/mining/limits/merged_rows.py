"""Several rows said as one: "at most two of" each three of four columns is "at most two of" the four.

Two rows are merged if the row over the columns of both keeps all labels that must be kept, excludes what both exclude,
and excludes nothing else of which nothing is claimed.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.mining.limits.points import Points


def merged_rows(rows: IntArray, points: Points) -> IntArray:
    """The rows, merged as long as two of them can be; a merged row stands where the first of its rows stood."""
    found = list(rows)
    while (pair := _mergeable(found, points)) is not None:
        first, second, row = pair
        found[first] = row
        del found[second]
    return np.array(found, np.int64).reshape(len(found), points.width + 1)


def _mergeable(rows: list[IntArray], points: Points) -> tuple[int, int, IntArray] | None:
    """The places of two rows and the row that can stand for both."""
    for i, one in enumerate(rows):
        for j, other in enumerate(rows[i + 1 :], i + 1):
            both = _union(one, other)
            if both is None or (points.kept @ both[:-1] > both[-1]).any():
                continue
            lost = _beyond(points.excluded, [one, other]) & ~_beyond(points.excluded, [both])
            if not lost.any() and not (_beyond(points.unknown, [both]) & ~_beyond(points.unknown, rows)).any():
                return i, j, both
    return None


def _union(one: IntArray, other: IntArray) -> IntArray | None:
    """The row over the columns of both, if they share columns, right-hand sides and all coefficients are equal."""
    mine, yours = one[:-1] != 0, other[:-1] != 0
    values = np.concatenate([one[:-1][mine], other[:-1][yours]])
    if one[-1] != other[-1] or not (mine & yours).any() or (values != values[0]).any():
        return None
    return np.append(np.where(mine | yours, values[0], 0), one[-1])


def _beyond(labels: IntArray, rows: list[IntArray]) -> BoolArray:
    """Which labels break one of the rows."""
    beyond = np.zeros(len(labels), bool)
    for row in rows:
        beyond |= labels @ row[:-1] > row[-1]
    return beyond
