"""Replace several rows by one: "at most two of" each three of four columns is "at most two of" the four.

Two rows are replaced by one row over the columns of both if that row keeps every label that must be kept, excludes
every label that one of the two excludes, and excludes no unknown label (one that no example proves forbidden) that the
rows before did not exclude.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.mining.limits.points import Points


@dataclass(frozen=True, eq=False)
class ReachedRow:
    """A row, and which excluded and unknown labels it excludes."""

    row: IntArray
    excluded: BoolArray
    unknown: BoolArray


def merged_rows(rows: IntArray, points: Points) -> IntArray:
    """Merge two rows as long as any two can be merged; a merged row stands where the first of its rows stood."""
    tried: dict[bytes, ReachedRow | None] = {}

    def reach(row: IntArray) -> ReachedRow | None:
        key = row.tobytes()
        if key not in tried:
            kept = not (points.bordered_kept @ row > 0).any()
            tried[key] = (
                ReachedRow(row, points.beyond(row[None])[0], points.unknown_beyond(row[None])[0]) if kept else None
            )
        return tried[key]

    reached = [each for each in map(reach, rows) if each is not None]
    while (pair := _mergeable(reached, reach)) is not None:
        first, second, row = pair
        reached[first] = row
        del reached[second]
    return np.array([each.row for each in reached], np.int64).reshape(len(reached), points.width + 1)


def _mergeable(
    rows: list[ReachedRow], reach: Callable[[IntArray], ReachedRow | None]
) -> tuple[int, int, ReachedRow] | None:
    """The places of two rows and the row that can stand for both."""
    unknown = np.logical_or.reduce([each.unknown for each in rows])
    for i, one in enumerate(rows):
        for j, other in enumerate(rows[i + 1 :], i + 1):
            union = _union(one.row, other.row)
            both = None if union is None else reach(union)
            if both is None or (~both.excluded & (one.excluded | other.excluded)).any():
                continue
            if not (both.unknown & ~unknown).any():
                return i, j, both
    return None


def _union(one: IntArray, other: IntArray) -> IntArray | None:
    """The row over the columns of both, if they share columns, right-hand sides and all coefficients are equal."""
    mine, yours = one[:-1] != 0, other[:-1] != 0
    values = np.concatenate([one[:-1][mine], other[:-1][yours]])
    if one[-1] != other[-1] or not (mine & yours).any() or (values != values[0]).any():
        return None
    return np.append(np.where(mine | yours, values[0], 0), one[-1])
