"""Solutions by random walks: from solutions of CP-SAT, small random changes that keep every row.

A change gives one variable another value, or swaps the values of two variables with the same bounds. Each change is as
likely as the one back, so a walk that reaches all solutions visits all of them equally often.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from experiments.families.space import Space
from experiments.families.starts import starts
from unwritten.data import IntArray

STARTS = 48
WALKS = 1_000  # at the same time
SWEEPS, MORE_SWEEPS = 40, 8  # changes tried for each variable before the first solution, and between two of one walk


def walked(space: Space, n: int, rng: Generator) -> IntArray:
    """Draw n solutions; up to WALKS of them are the ends of walks of their own."""
    found = starts(space, min(n, STARTS), rng)
    width = len(space.lower)
    walk = _Walk(space, rng.permutation(np.resize(found, (min(n, WALKS), width))), rng)
    walk.go(SWEEPS * width)
    parts = [walk.values]
    while sum(map(len, parts)) < n:
        walk.go(MORE_SWEEPS * width)
        parts.append(walk.values)
    return np.concatenate(parts)[:n]


class _Walk:
    """Many walks side by side; places are values counted from the lower bounds."""

    def __init__(self, space: Space, values: IntArray, rng: Generator) -> None:
        self._space, self._rng = space, rng
        self._places: IntArray = values - space.lower
        self._sums = space.sums(values)
        self._each = np.arange(len(values))
        self._free = np.flatnonzero(space.sizes > 1)
        self._pairs = space.alike

    @property
    def values(self) -> IntArray:
        """Where the walks are."""
        values: IntArray = self._places + self._space.lower
        return values

    def go(self, steps: int) -> None:
        """Try so many changes in each walk: in turns a new value, and a swap."""
        for step in range(steps):
            if step % 2 and len(self._pairs):
                one, other = self._pairs[self._rng.integers(len(self._pairs), size=len(self._each))].T
                self._try([one, other], [self._places[self._each, other], self._places[self._each, one]])
            else:
                column = self._free[self._rng.integers(len(self._free), size=len(self._each))]
                self._try([column], [self._rng.integers(self._space.sizes[column])])

    def _try(self, columns: list[IntArray], places: list[IntArray]) -> None:
        """Put the columns of each walk at new places where the rows allow it."""
        entries, first = self._space.entries, self._space.first
        sums = self._sums.copy()
        for column, place in zip(columns, places, strict=True):
            sums += entries[first[column] + place]
            sums -= entries[first[column] + self._places[self._each, column]]
        fits = self._space.fit(sums)
        self._sums[fits] = sums[fits]
        for column, place in zip(columns, places, strict=True):
            self._places[self._each[fits], column[fits]] = place[fits]
