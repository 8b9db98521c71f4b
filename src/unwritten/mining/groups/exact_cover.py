"""Exact covers: sets of columns such that exactly one of them is 1 in every example.

An "exactly one of S" rule is an exact cover: the supports of its members (the examples where each is 1) partition the
examples. The search is depth-first and branches on the uncovered example that the fewest columns can still cover.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.data.bitmasks import column_words
from unwritten.native import kernels


def partitions(ones: BoolArray, nodes: int, most: int) -> tuple[list[IntArray], bool]:
    """The sets of columns of `ones` (n × d) with exactly one 1 in each row, and whether all such sets were found.

    The search stops after `nodes` nodes or `most` sets. Columns without a 1 are left out.

    >>> partitions(np.array([[True, False, True], [False, True, True]]), nodes=100, most=100)
    ([array([0, 1]), array([2])], True)
    """
    columns = np.flatnonzero(ones.any(axis=0))
    members, starts, complete = kernels.exact_covers(column_words(ones[:, columns]), len(ones), nodes, most)
    chosen = columns[members]
    return [chosen[start:end] for start, end in pairwise(starts.tolist())], complete
