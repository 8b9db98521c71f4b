"""Together: columns in blocks, such that no example has columns of two blocks.

Of labels that are nowhere below 0, columns i and j never occur together if and only if entry (i, j) of the Gram matrix
is 0; blocks are the connected components of the others. An equality a·y = 0 then falls apart into one for each block,
and all equalities a·y = b with b ≠ 0 are one of them plus such.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.tally.tally import Tally


@dataclass(frozen=True, eq=False)
class Together:
    """The columns of each block, and the block of each seen label (−1 where all of it is 0).

    >>> found = Together.of(Tally.of(np.array([[1, 1, 0], [0, 1, 0], [0, 0, 2], [0, 0, 0]])))
    >>> [block.tolist() for block in found.columns], found.labels.tolist()
    ([[0, 1], [2]], [-1, 1, 0, 0])
    """

    columns: tuple[IntArray, ...]
    labels: IntArray

    @classmethod
    def of(cls, tally: Tally) -> Together:
        """The blocks in the order of their first columns; all columns are one block if some value is below 0."""
        width = len(tally.gram) - 1
        if tally.seen.min() < 0 or tally.symmetry is not None:
            return cls((np.arange(width),), np.zeros(len(tally.seen), np.int64))
        block, columns = np.full(width, -1), []
        for start in range(width):
            if block[start] < 0:
                columns.append(np.flatnonzero(_reached(tally.gram, start, block < 0)))
                block[columns[-1]] = len(columns) - 1
        at = tally.seen.argmax(axis=1)
        empty = tally.seen[np.arange(len(at)), at] == 0
        return cls(tuple(columns), np.where(empty, -1, block[at]))


def _reached(gram: IntArray, start: int, among: BoolArray) -> BoolArray:
    """The columns of one block, found from one of them; all of a large block are often neighbours of a few."""
    reached = np.zeros(len(among), bool)
    reached[start] = True
    waiting, missing = [start], int(among.sum()) - 1
    while waiting and missing:
        some, waiting = waiting[: budgets.COMPONENT_STEP_COLUMNS], waiting[budgets.COMPONENT_STEP_COLUMNS :]
        fresh = np.flatnonzero((gram[some, :-1] != 0).any(axis=0) & ~reached)
        reached[fresh] = True
        waiting += fresh.tolist()
        missing -= len(fresh)
    return reached
