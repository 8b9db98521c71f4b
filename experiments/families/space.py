"""The solutions of a problem: integer variables with bounds, and the rows that solutions obey."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from experiments.families.rows import FAR, Row
from unwritten.data import BoolArray, IntArray

SumArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Space:
    """Variables from `lower` to `upper`, and rows.

    For the search, each row is a sum of entries of a table: `entries[first[j] + v]` is what variable j adds to every
    row if its value is lower[j] + v.

    >>> from experiments.families.rows import differ, total
    >>> space = Space(np.array([1, 1]), np.array([3, 3]), (total([0, 1], most=4), differ(0, 1)))
    >>> space.obeyed_by(np.array([[1, 3], [2, 2], [2, 3], [0, 1]]))
    array([ True, False, False, False])
    """

    lower: IntArray
    upper: IntArray
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, width: int, rows: Iterable[Row], lower: int | IntArray = 0, upper: int | IntArray = 1) -> Space:
        """So many variables; bounds may be the same for all."""
        low, high = (np.array(np.broadcast_to(end, width), np.int64) for end in (lower, upper))
        return cls(low, high, tuple(rows))

    @cached_property
    def sizes(self) -> IntArray:
        """How many values each variable has."""
        sizes: IntArray = self.upper - self.lower + 1
        return sizes

    @cached_property
    def first(self) -> IntArray:
        """The line of the table at which each variable begins."""
        return np.asarray(np.cumsum(self.sizes) - self.sizes, np.int64)

    @cached_property
    def entries(self) -> SumArray:
        """What each variable with each value adds to each row."""
        table = np.zeros((int(self.sizes.sum()), len(self.rows)), np.int32)
        for r, row in enumerate(self.rows):
            for j, weight in row.weights.items():
                place = self.first[j]
                table[place : place + self.sizes[j], r] += weight * np.arange(self.lower[j], self.upper[j] + 1)
            for (j, value), weight in row.hits.items():
                table[self.first[j] + value - self.lower[j], r] += weight
        return table

    @cached_property
    def ranges(self) -> tuple[SumArray, SumArray, SumArray, SumArray]:
        """The least and greatest sum of each row, and the ends of its hole; a hole of no use lies far away."""
        holes = [row.hole or (2 * FAR, 2 * FAR) for row in self.rows]
        ends = [(row.least, row.most, *hole) for row, hole in zip(self.rows, holes, strict=True)]
        least, most, start, end = np.array(ends, np.int32).reshape(-1, 4).T
        return least, most, start, end

    @cached_property
    def has_holes(self) -> bool:
        """Whether any row has a hole."""
        return any(row.hole for row in self.rows)

    @cached_property
    def alike(self) -> IntArray:
        """Pairs of variables with the same bounds, and more than one value."""
        ends = list(zip(self.lower.tolist(), self.upper.tolist(), strict=True))
        free = np.flatnonzero(self.sizes > 1).tolist()
        return np.array([(i, j) for i, j in combinations(free, 2) if ends[i] == ends[j]], np.int64).reshape(-1, 2)

    def sums(self, values: IntArray) -> SumArray:
        """The sum of each row for each of many values (n × variables, each within its bounds)."""
        sums = np.zeros((len(values), len(self.rows)), np.int32)
        for j in range(values.shape[1]):
            sums += self.entries[self.first[j] + values[:, j] - self.lower[j]]
        return sums

    def fit(self, sums: SumArray) -> BoolArray:
        """Which lines of sums are in the ranges and not in the holes of all rows."""
        least, most, start, end = self.ranges
        fits = (sums >= least) & (sums <= most)
        if self.has_holes:
            fits &= (sums < start) | (sums > end)
        return np.asarray(fits.all(axis=1))

    def obeyed_by(self, values: IntArray) -> BoolArray:
        """Which values are within the bounds and obey all rows."""
        inside = np.asarray(((values >= self.lower) & (values <= self.upper)).all(axis=1))
        inside[inside] = self.fit(self.sums(values[inside]))
        return inside
