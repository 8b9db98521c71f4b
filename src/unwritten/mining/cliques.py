"""Exactly-one groups that the Gram matrix shows: cliques of mutual exclusion that together cover every example.

For 0/1 columns, Gram entry (i, j) counts the examples where both are 1, so a set of columns with no such pair and
with Σ counts = n has exactly one 1 in every example. It is a maximal clique of the exclusion graph.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray


def exactly_one(gram: IntArray, budget: int = budgets.CLIQUE_NODES) -> IntArray:
    """Rows `[a, −1]` of the exactly-one groups met within the budget (all of them, where it suffices)."""
    n, counts = int(gram[-1, -1]), gram[-1, :-1]
    columns = np.flatnonzero((np.diag(gram)[:-1] == counts) & (counts > 0))
    apart = gram[np.ix_(columns, columns)] == 0
    neighbours = [_mask(row) for row in apart]
    size = counts[columns].tolist()
    groups = [
        columns[members]
        for members in _maximal_cliques(neighbours, size, n, budget)
        if len(members) > 1 and sum(size[k] for k in members) == n
    ]
    rows = np.zeros((len(groups), gram.shape[0]), np.int64)
    for row, group in zip(rows, groups, strict=True):
        row[group], row[-1] = 1, -1
    return rows


def _maximal_cliques(neighbours: list[int], size: list[int], n: int, budget: int) -> Iterator[list[int]]:
    """Bron–Kerbosch with pivoting over bit masks; branches that cannot cover n examples any more are dropped."""
    full = (1 << len(neighbours)) - 1
    stack: list[tuple[list[int], int, int]] = [([], full, 0)]
    while stack and budget > 0:
        budget -= 1
        members, open_, excluded = stack.pop()
        if not open_:
            if not excluded:
                yield members
            continue
        if sum(size[k] for k in members) + sum(size[k] for k in _bits(open_)) < n:
            continue
        pivot = max(_bits(open_ | excluded), key=lambda k: (neighbours[k] & open_).bit_count())
        for k in _bits(open_ & ~neighbours[pivot]):
            stack.append(([*members, k], open_ & neighbours[k], excluded & neighbours[k]))
            open_ &= ~(1 << k)
            excluded |= 1 << k


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _mask(row: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    return int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")
