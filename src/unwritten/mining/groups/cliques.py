"""Exactly-one groups read off the Gram matrix: cliques of columns that exclude each other and cover every example.

For 0/1 columns, entry (i, j) of the Gram matrix counts the examples in which both are 1. If no two columns of a set are
1 together and their counts add up to n, every example has exactly one 1 in the set. Such a set is a maximal clique of
the graph that joins columns which are never 1 together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.data.bitmasks import bits, mask_of


def exactly_one_groups(gram: IntArray) -> IntArray:
    """Rows `[a, −1]` of the exactly-one groups that a search of `budgets.CLIQUE_NODES` nodes finds."""
    n, counts = int(gram[-1, -1]), gram[-1, :-1]
    columns = np.flatnonzero((np.diag(gram)[:-1] == counts) & (counts > 0))
    exclusive = gram[np.ix_(columns, columns)] == 0
    neighbours = [mask_of(row) for row in exclusive]
    size = counts[columns].tolist()
    groups = [
        columns[members]
        for members in _maximal_cliques(neighbours, size, n, budgets.CLIQUE_NODES)
        if len(members) > 1 and sum(size[k] for k in members) == n
    ]
    rows = np.zeros((len(groups), gram.shape[0]), np.int64)
    for row, group in zip(rows, groups, strict=True):
        row[group], row[-1] = 1, -1
    return rows


def _maximal_cliques(neighbours: list[int], size: list[int], n: int, nodes: int) -> Iterator[list[int]]:
    """Bron–Kerbosch with pivoting over bit masks; branches that can no longer cover n examples are dropped."""
    stack: list[tuple[list[int], int, int]] = [([], (1 << len(neighbours)) - 1, 0)]
    while stack and nodes > 0:
        nodes -= 1
        members, candidates, excluded = stack.pop()
        if not candidates:
            if not excluded:
                yield members
            continue
        if sum(size[k] for k in members) + sum(size[k] for k in bits(candidates)) < n:
            continue
        pivot = max(bits(candidates | excluded), key=lambda k: (neighbours[k] & candidates).bit_count())
        for k in bits(candidates & ~neighbours[pivot]):
            stack.append(([*members, k], candidates & neighbours[k], excluded & neighbours[k]))
            candidates &= ~(1 << k)
            excluded |= 1 << k
