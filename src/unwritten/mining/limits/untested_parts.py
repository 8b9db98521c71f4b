"""Where a row is not tested: parts of the labels beyond it of which no example claims anything.

A row may hold only for some values of another column. If many labels beyond a row have such a value, and none of them
is claimed not to be allowed although others beyond the row are, the row may not hold there.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.mining.limits.points import Points

EXPECTED = 3.0
"""Claims expected in a part of the labels beyond a row, from which on it tells something that there are none."""


def untested(points: Points, rows: IntArray) -> BoolArray:
    """Which rows have a part without claims: labels that break only this row and have one value of some column.

    None if not all labels are listed: nobody knows then what the others would tell.
    """
    if not points.complete:
        return np.zeros(len(rows), bool)
    claimed, unknown = (_alone(labels, rows) for labels in (points.excluded, points.unknown))
    return np.array(
        [
            _has_gap(points.excluded[claimed[:, k]], points.unknown[unknown[:, k]], points.spans)
            for k in range(len(rows))
        ],
        bool,
    )


def _alone(labels: IntArray, rows: IntArray) -> BoolArray:
    """For each label and row, whether the label breaks this row and no other."""
    breaks = labels @ rows[:, :-1].T > rows[:, -1]
    return np.asarray(breaks & (breaks.sum(axis=1) == 1)[:, None])


def _has_gap(claimed: IntArray, unknown: IntArray, spans: IntArray) -> bool:
    """True if labels with one value of some column are never claimed, although some should be."""
    rate = len(claimed) / max(1, len(claimed) + len(unknown))
    for column in np.flatnonzero(spans == 1):  # large values of integers may simply be too dear to be claimed
        often, others = (np.bincount(labels[:, column], minlength=2) for labels in (claimed, unknown))
        if ((often == 0) & (rate * others >= EXPECTED)).any():
            return True
    return False
