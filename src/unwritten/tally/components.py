"""Components: blocks of columns such that no example has non-zero values in two blocks.

If no label is below 0, columns i and j never occur together if and only if entry (i, j) of the Gram matrix is 0; the
blocks are the connected components of the other pairs. An equality a·y = 0 holds if and only if its part in each block
holds. If some equality a·y = b with b ≠ 0 holds, every other one is a multiple of it plus equalities a·y = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.tally.tally import Tally


@dataclass(frozen=True, eq=False)
class Components:
    """The columns of each block, and the block of each seen label (−1 for a label of zeros only).

    >>> components = Components.of(Tally.of(np.array([[1, 1, 0], [0, 1, 0], [0, 0, 2], [0, 0, 0]])))
    >>> [block.tolist() for block in components.columns], components.labels.tolist()
    ([[0, 1], [2]], [-1, 1, 0, 0])
    """

    columns: tuple[IntArray, ...]
    labels: IntArray

    @classmethod
    def of(cls, tally: Tally) -> Components:
        """The blocks in the order of their first columns; if some value is below 0, all columns are one block."""
        width = len(tally.gram) - 1
        if tally.seen.min() < 0 or tally.symmetry is not None:
            return cls((np.arange(width),), np.zeros(len(tally.seen), np.int64))
        block, columns = np.full(width, -1), []
        for start in range(width):
            if block[start] < 0:
                columns.append(np.flatnonzero(_component(tally.gram, start, block < 0)))
                block[columns[-1]] = len(columns) - 1
        first = tally.seen.argmax(axis=1)
        empty = tally.seen[np.arange(len(first)), first] == 0
        return cls(tuple(columns), np.where(empty, -1, block[first]))


def _component(gram: IntArray, start: int, unassigned: BoolArray) -> BoolArray:
    """The columns of one block, reached from one of them.

    The loop ends early when every unassigned column is reached. That is common: a large block often has a few columns
    that occur together with all others.
    """
    reached = np.zeros(len(unassigned), bool)
    reached[start] = True
    waiting, missing = [start], int(unassigned.sum()) - 1
    while waiting and missing:
        step, waiting = waiting[: budgets.COMPONENT_STEP_COLUMNS], waiting[budgets.COMPONENT_STEP_COLUMNS :]
        fresh = np.flatnonzero((gram[step, :-1] != 0).any(axis=0) & ~reached)
        reached[fresh] = True
        waiting += fresh.tolist()
        missing -= len(fresh)
    return reached
