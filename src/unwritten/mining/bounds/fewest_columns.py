"""The form of a bound with the fewest columns: in an exactly-one group, one member is 1 exactly when all others are 0.

If everybody has exactly one shift a day, then "at most 14 of 16 nurses are off, or work in the morning or evening" says
that at least two work at night.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unwritten.data import IntArray
from unwritten.mining.bounds.bound_claims import Bound


def with_fewest_columns(bound: Bound, blocks: Sequence[IntArray]) -> Bound:
    """The bound, or the same bound on the other members of its blocks if those are fewer columns.

    `blocks` are disjoint sets of columns of which exactly one is 1.

    >>> bound = Bound(np.array([0, 1, 3, 4]), np.array([1, 1, 1, 1]), 1)
    >>> with_fewest_columns(bound, [np.array([0, 1, 2]), np.array([3, 4, 5])])
    Bound(columns=array([2, 5]), values=array([-1, -1]), most=-1)
    """
    value = int(bound.values[0])
    if (bound.values != value).any():
        return bound
    inside = set(bound.columns.tolist())
    touched = [block for block in blocks if inside & set(block.tolist())]
    others = [j for block in touched for j in block.tolist() if j not in inside]
    all_in_blocks = len(inside) + len(others) == sum(map(len, touched))
    if not all_in_blocks or not 0 < len(others) < len(inside):
        return bound
    columns = np.sort(np.array(others, np.int64))
    return replace(bound, columns=columns, values=np.full(len(columns), -value), most=bound.most - value * len(touched))
