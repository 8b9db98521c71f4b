"""Exactly-one groups read off the Gram matrix: cliques of columns that exclude each other and cover every example.

For 0/1 columns, entry (i, j) of the Gram matrix counts the examples in which both are 1. If no two columns of a set are
1 together and their counts add up to n, every example has exactly one 1 in the set. Such a set is a maximal clique of
the graph that joins columns which are never 1 together.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.data.bitmasks import column_words
from unwritten.native import kernels


def exactly_one_groups(gram: IntArray) -> IntArray:
    """Rows `[a, −1]` of the exactly-one groups that a search of `budgets.CLIQUE_NODES` nodes finds."""
    n, counts = int(gram[-1, -1]), gram[-1, :-1]
    columns = np.flatnonzero((np.diag(gram)[:-1] == counts) & (counts > 0))
    exclusive = gram[np.ix_(columns, columns)] == 0
    sizes = counts[columns].astype(np.int64)
    members, starts = kernels.maximal_cliques(column_words(exclusive), sizes, n, budgets.CLIQUE_NODES)
    groups = [columns[members[start:end]] for start, end in pairwise(starts.tolist()) if end - start > 1]
    rows = np.zeros((len(groups), gram.shape[0]), np.int64)
    for row, group in zip(rows, groups, strict=True):
        row[group], row[-1] = 1, -1
    return rows
