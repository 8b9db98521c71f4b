"""The paths of a forest of rows: from each variable down to its heaviest branch, so that few levels of paths are left.

A path starts at a variable, its head, and goes on below it to the variable with the most variables below. Whatever else
hangs on a path has less than half of the variables of what it hangs on. So paths that wait for others, which wait for
others, and so on, are at most log2 d levels deep, however long they are. In a shallow forest every path is one
variable, which is faster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.solving.engines.literal_forest import UNDECIDED, LiteralForest

Row = tuple[int, IntArray]

SHALLOW = 32
"""Forests of more levels than this are divided into paths."""


@dataclass(frozen=True, eq=False)
class ForestPaths:
    """The variables that head a path, and for each variable the row and the variable that its path goes on with, or −1.

    `level` is that of a variable's path: it needs the paths of lower levels only. Variables without rows head no path.
    `roots` are the free variables below no row.
    """

    heads: IntArray
    row: IntArray
    below: IntArray
    level: IntArray
    roots: BoolArray

    @classmethod
    def of(cls, forest: LiteralForest) -> ForestPaths:
        """Find the paths; the rows of the forest come after those below them."""
        rows = members(forest)
        alone = np.full(len(forest.fixed), -1)
        paths = cls._along(forest, rows, alone, alone)
        return paths if paths.level.max(initial=0) < SHALLOW else cls._along(forest, rows, *_heaviest(rows, alone))

    @classmethod
    def _along(cls, forest: LiteralForest, rows: list[Row], row: IntArray, below: IntArray) -> ForestPaths:
        """The paths that go on with these rows and variables."""
        level, busy, roots = np.zeros(len(row), np.int64), np.zeros(len(row), bool), forest.fixed == UNDECIDED
        heads = np.ones(len(row), bool)
        heads[below[below >= 0]] = False
        for first, others in rows:
            waits = level[others] + (busy[others] & (others != below[first]))
            level[first], busy[first], roots[others] = max(level[first], waits.max()), True, False
        for first, others in reversed(rows):
            if below[first] in others:
                level[below[first]] = level[first]
        return cls(np.flatnonzero(heads & busy), row, below, level, roots)

    def down(self, head: int) -> list[int]:
        """The variables of a path from its head on."""
        path = [head]
        while self.below[path[-1]] >= 0:
            path.append(int(self.below[path[-1]]))
        return path


def _heaviest(rows: list[Row], none: IntArray) -> tuple[IntArray, IntArray]:
    """For each variable, the row with the other variable that has most variables below, and that variable."""
    size, most, row, below = np.ones_like(none), np.zeros_like(none), none.copy(), none.copy()
    for r, (first, others) in enumerate(rows):
        heaviest = others[np.argmax(size[others])]
        if size[heaviest] > most[first]:
            most[first], row[first], below[first] = size[heaviest], r, heaviest
        size[first] += size[others].sum()
    return row, below


def members(forest: LiteralForest) -> list[Row]:
    """The first variable of each row, and its others."""
    parts = [part >> 1 for part in np.split(forest.literals.astype(np.int64), forest.starts[1:-1])]
    return [(int(part[0]), part[1:]) for part in parts if len(part)]
