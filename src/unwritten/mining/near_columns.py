"""Near columns: integer columns whose values can be compared one by one."""

from __future__ import annotations

import numpy as np

from unwritten.data import BoolArray, IntArray


def near_columns(labels: IntArray, window: int) -> BoolArray:
    """The largest set of columns, as a mask, whose values all lie within one window of so many integers.

    >>> near_columns(np.array([[0, 10**9, 3], [5, 10**9 + 4, 8]]), 100)
    array([ True, False,  True])
    """
    if not labels.shape[1]:
        return np.zeros(0, bool)
    least, most = labels.min(axis=0), labels.max(axis=0)
    inside = (least >= least[:, None]) & (most <= least[:, None] + window)
    return np.asarray(inside[inside.sum(axis=1).argmax()])
