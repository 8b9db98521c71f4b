"""Pair counts: how often two columns differ by each value.

How often a value v of x − y that never occurs was to be expected is the smaller of two estimates: n·P(x − y = v) if the
columns were independent, and how often the nearest values on both sides occur. The second one holds for correlated
columns too, as long as differences have no dips that are no rule.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.mining.gaps.holes import Holes, WideRun

STEEP = 0.6  # counts fall steeply if a value has less than this share of the next one
SIDE = 3  # values beside a wide run that are compared with as many values behind them
FALLS = 0.75  # counts fall towards a run if the values beside it have less than this share of those behind them
MOSTLY = 0.8  # the share of values beside a wide run that must occur
MOST_EXCEPTIONS = 3  # a value that so many examples have is nearly a hole
LEAST_EXPECTED = 1.5  # less says nothing even if many pairs say it together
WIDEST_ASIDE = 3  # values in a run that does not hold 0; wider ones have no sentence of their own


class ColumnCounts:
    """Columns of distinct labels with the counts of their values, from a common least value up."""

    def __init__(self, labels: IntArray, counts: IntArray) -> None:
        self._labels, self._counts, self.n = labels, counts, int(counts.sum())
        self.span = int(labels.max() - labels.min())
        shifted = labels - labels.min()
        self._values = [np.bincount(column, counts, self.span + 1).astype(np.int64) for column in shifted.T]

    def pairs_of(self, first: int) -> Iterator[PairCounts]:
        """Count the differences of a column and each later one."""
        later = self._labels.shape[1] - first - 1
        width = 2 * self.span + 1
        codes = self._labels[:, first, None] - self._labels[:, first + 1 :] + self.span + width * np.arange(later)
        table = np.bincount(codes.ravel(), np.repeat(self._counts, later), later * width).astype(np.int64)
        for m, counts in enumerate(table.reshape(later, width)):
            yield PairCounts(self, first, first + 1 + m, counts)

    def by_chance(self, first: int, second: int, value: int) -> float:
        """How many of the examples would have this difference if the columns were independent."""
        one, other = self._values[first], self._values[second]
        both = one[value:] @ other[: len(other) - value] if value >= 0 else one[:value] @ other[-value:]
        return float(both) / self.n


class PairCounts:
    """The differences `first − second` of two columns: `counts` of each value from −span to span."""

    def __init__(self, columns: ColumnCounts, first: int, second: int, counts: IntArray) -> None:
        self._columns, self.first, self.second = columns, first, second
        self._room = columns.span + 2 * SIDE
        self._counts = np.pad(counts, 2 * SIDE)
        self._present = np.flatnonzero(self._counts) - self._room

    @property
    def is_plain(self) -> bool:
        """True if differences are not all in one class modulo some number: then other rules explain the holes."""
        return len(self._present) > 2 and int(np.gcd.reduce(np.diff(self._present))) == 1

    def seen(self) -> FloatArray:
        """How often the values between others that occur were to be expected by those beside them."""
        return self._beside(self._present[1:-1]).astype(np.float64)

    def seen_at(self, value: int) -> list[float]:
        """How often one value was to be expected by those beside it, if it occurs; else nothing."""
        if abs(value) > self._columns.span or not self._counts[value + self._room]:
            return []
        before, after = int(self._counts[value - 1 + self._room]), int(self._counts[value + 1 + self._room])
        return [float(min(before, after) or max(before, after))]

    def never_at(self, value: int) -> list[tuple[int, int, float]]:
        """The columns, and how often one value was to be expected by chance, if it never occurs but could."""
        if abs(value) > self._columns.span or self._counts[value + self._room]:
            return []
        chance = self._columns.by_chance(self.first, self.second, value)
        return [(self.first, self.second, chance)] if chance > 0 else []

    def holes(self) -> list[Holes]:
        """The values between others that never or hardly ever occur, though those beside them do."""
        inner = self._present[1:-1]
        rare = inner[self._counts[inner + self._room] <= MOST_EXCEPTIONS]
        values, beside = [rare], [self._beside(rare).astype(np.float64)]
        ends = np.flatnonzero(np.diff(self._present) > 1)
        starts, stops = self._present[ends] + 1, self._present[ends + 1] - 1
        told = (stops - starts < WIDEST_ASIDE) | ((starts <= 0) & (stops >= 0))
        for start, stop in zip(starts[told].tolist(), stops[told].tolist(), strict=True):
            left, right = self._levels(start, stop)
            values.append(np.arange(start, stop + 1))
            beside.append(np.full(stop - start + 1, min(left, right)))
        told_values, levels = np.concatenate(values), np.concatenate(beside)
        enough = levels >= LEAST_EXPECTED
        told_values, levels = told_values[enough], levels[enough]
        chance = np.array([self._columns.by_chance(self.first, self.second, v) for v in told_values.tolist()])
        ones = np.ones(len(told_values), np.int64)
        counts = self._counts[told_values + self._room]
        expected, narrow = np.minimum(chance, levels), self._beside(told_values) > 0
        return [Holes(self.first * ones, self.second * ones, told_values, expected, counts, narrow)]

    def wide_run(self) -> WideRun | None:
        """The run of several values around 0 that never occur, if there is one."""
        after = int(np.searchsorted(self._present, 0))
        if not 0 < after < len(self._present) or self._present[after] == 0:
            return None
        start, end = int(self._present[after - 1]) + 1, int(self._present[after]) - 1
        left, right = self._levels(start, end)
        if start == end or min(left, right) < LEAST_EXPECTED:
            return None
        chance = [self._columns.by_chance(self.first, self.second, v) for v in range(start, end + 1)]
        expected = sum(min(left, right, each) for each in chance)
        return WideRun(start, end, left, right, self._falls(start, end), expected)

    def _beside(self, values: IntArray) -> IntArray:
        """How often the rarer of the two values beside each value occurs."""
        return np.minimum(self._counts[values - 1 + self._room], self._counts[values + 1 + self._room])

    def _levels(self, start: int, end: int) -> tuple[float, float]:
        """How often the values of a run would occur if counts went on into it, from each side."""
        left, right = start + self._room, end + 1 + self._room
        sides = self._counts[left - SIDE : left][::-1].tolist(), self._counts[right : right + SIDE].tolist()
        if start == end:
            return float(sides[0][0]), float(sides[1][0])
        return _continued(*sides[0]), _continued(*sides[1])

    def _falls(self, start: int, end: int) -> bool:
        """True if counts fall towards a run from either side, or if few values beside it occur."""
        left, right = start + self._room, end + 1 + self._room
        sides = self._counts[left - 2 * SIDE : left][::-1], self._counts[right : right + 2 * SIDE]
        for side in sides:
            present = np.flatnonzero(side)
            sparse = len(present) < SIDE or len(present) < MOSTLY * (int(present[-1]) + 1)
            if sparse or int(side[:SIDE].sum()) < FALLS * int(side[SIDE:].sum()):
                return True
        return False


def _continued(one: int, two: int, three: int) -> float:
    """The count of the next value if `one` is beside it and `two` and `three` are behind that.

    Counts that fall towards it go on to fall: by the same factor, or as those of a normal law if they fall steeply.
    """
    if one >= two:
        return float(one)
    if one >= STEEP * two:
        return one * one / two
    return min(one * one / two, (one / two) ** 3 * max(three, 1))
