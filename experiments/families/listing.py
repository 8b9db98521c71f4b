"""All solutions of a small problem: many partial solutions grow together, variable by variable."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from experiments.families.space import Space, SumArray
from unwritten.data import IntArray

AT_ONCE = 100_000  # partial solutions that are continued together
MOST = 3_000_000  # solutions


def listed(space: Space) -> IntArray:
    """Every solution.

    >>> from experiments.families.rows import differ
    >>> sorted(listed(Space.of(2, [differ(0, 1)], 0, np.array([1, 2]))).tolist())
    [[0, 1], [0, 2], [1, 0], [1, 2]]
    """
    search = _Search(space)
    width = len(space.lower)
    solutions, found = [], 0
    waiting: list[tuple[SumArray, SumArray]] = [(np.zeros((1, 0), np.int32), np.zeros((1, len(space.rows)), np.int32))]
    while waiting:
        values, sums = waiting.pop()
        while 0 < len(values) <= AT_ONCE and values.shape[1] < width:
            values, sums = search.continued(values, sums)
        if values.shape[1] == width:
            solutions.append(values)
            found += len(values)
            if found > MOST:
                raise ValueError(f"the problem has more than {MOST:,} solutions: draw them by a walk")
        elif len(values):
            half = len(values) // 2
            waiting += [(values[half:], sums[half:]), (values[:half], sums[:half])]
    return np.concatenate(solutions).astype(np.int64) if solutions else np.zeros((0, width), np.int64)


class _Search:
    """How partial solutions grow by one variable. Sums are kept for the rows that still have variables to come."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._blocks = np.split(space.entries, space.first[1:])
        least = [np.zeros(len(space.rows), np.int32)]
        most = list(least)
        for block in reversed(self._blocks):
            least.append(least[-1] + block.min(axis=0))
            most.append(most[-1] + block.max(axis=0))
        self._least, self._most = least[::-1], most[::-1]  # what all variables from the j-th on can add
        used = np.array([block.any(axis=0) for block in self._blocks])
        self._later = np.flip(np.logical_or.accumulate(np.flip(used, 0)), 0)  # used by the j-th or a later variable
        self._used = used

    def continued(self, values: SumArray, sums: SumArray) -> tuple[SumArray, SumArray]:
        """Give the next variable every value; keep what can still obey each row that it is in."""
        place = values.shape[1]
        kept = np.flatnonzero(self._later[place])
        after = kept[self._later[place + 1][kept]] if place + 1 < len(self._blocks) else kept[:0]
        touched = kept[self._used[place][kept]]
        own, next_ones = np.searchsorted(kept, touched), np.searchsorted(kept, after)
        here = np.ascontiguousarray(sums[:, own])
        parts = []
        for value, entry in enumerate(self._blocks[place]):
            keep = self._possible(here + entry[touched], touched, place)
            added = np.full((len(keep), 1), value + self._space.lower[place], np.int32)
            parts.append((np.hstack([values[keep], added]), sums[np.ix_(keep, next_ones)] + entry[after]))
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def _possible(self, sums: SumArray, rows: IntArray, place: int) -> IntArray:
        """Which sums can still end in the ranges of some rows."""
        least, most, start, end = (ends[rows] for ends in self._space.ranges)
        lowest, highest = sums + self._least[place + 1][rows], sums + self._most[place + 1][rows]
        fits = (highest >= least) & (lowest <= most)
        if self._space.has_holes:
            fits &= (lowest < start) | (highest > end)
        return np.flatnonzero(fits.all(axis=1))


@lru_cache(maxsize=8)
def solutions_of(space: Space) -> IntArray:
    """Every solution, listed once."""
    return listed(space)
