"""Difference counts: how often two columns differ by each value.

How often a value v of x − y that never occurs was to be expected is the smaller of two estimates: n·P(x − y = v) if the
columns were independent, and how often the nearest values on both sides occur. The second one holds for correlated
columns too, as long as every dip in the counts of differences is due to a rule.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.mining.gaps.holes import CountsBeside, Holes, WideRun

STEEP = 0.6  # counts fall steeply if a value has less than this share of the next one
SIDE = 3  # values on each side of a run from which the expected counts inside it are taken
AT_EDGE = 8  # least examples at the edge of a run if only one order occurs: fewer do not show where it ends
MOST_EXCEPTIONS = 3  # a value that so many examples have is nearly a hole
LEAST_EXPECTED = 1.5  # pairs that expect fewer examples than this are left out, however many they are
WIDEST_ASIDE = 3  # most values in a run without 0: there is no sentence for wider ones


class ColumnCounts:
    """Columns of distinct labels with the counts of their values, from a common least value up."""

    def __init__(self, labels: IntArray) -> None:
        self._labels, self.n = labels, len(labels)
        self.span = int(labels.max() - labels.min())
        shifted = labels - labels.min()
        self._values = [np.bincount(column, minlength=self.span + 1) for column in shifted.T]

    def against_later(self, first: int) -> LaterCounts:
        """Count the differences of a column and each later one."""
        later = self._labels.shape[1] - first - 1
        width = 2 * self.span + 1
        codes = self._labels[:, first, None] - self._labels[:, first + 1 :] + self.span + width * np.arange(later)
        table = np.bincount(codes.ravel(), minlength=later * width)
        return LaterCounts(self, first, table.reshape(later, width))

    def by_chance(self, first: int, second: int, value: int) -> float:
        """How many of the examples would have this difference if the columns were independent."""
        one, other = self._values[first], self._values[second]
        both = one[value:] @ other[: len(other) - value] if value >= 0 else one[:value] @ other[-value:]
        return float(both) / self.n


class LaterCounts:
    """The differences of one column and each later one: a row of counts per later column."""

    def __init__(self, columns: ColumnCounts, first: int, table: IntArray) -> None:
        self._columns, self._first = columns, first
        self._room = columns.span + 2 * SIDE
        self._table = np.pad(table, ((0, 0), (2 * SIDE, 2 * SIDE)))
        present = self._table > 0
        inner = np.cumsum(present, axis=1) > 0
        inner &= np.cumsum(present[:, ::-1], axis=1)[:, ::-1] > 0  # between the least and the largest difference
        beside = np.minimum(self._table[:, :-2], self._table[:, 2:])
        self._beside = np.pad(beside, ((0, 0), (1, 1)))
        self._present = present
        self._has_holes = (inner & (self._table <= MOST_EXCEPTIONS) & (~present | (self._beside > 0))).any(axis=1)

    def seen(self) -> FloatArray:
        """How often the values between others that occur were to be expected by those beside them."""
        return self._beside[self._present & (self._beside > 0)].astype(np.float64)

    def seen_along(self, slope: int) -> list[float]:
        """How often slope·(second − first) was to be expected by the values beside it, for pairs that have it."""
        rows, values = self._along(slope)
        has = self._table[rows, values] > 0
        before, after = self._table[rows[has], values[has] - 1], self._table[rows[has], values[has] + 1]
        least, most = np.minimum(before, after), np.maximum(before, after)
        return [float(count) for count in np.where(least > 0, least, most).tolist()]

    def never_along(self, slope: int) -> list[tuple[int, int, float]]:
        """The columns, and how often slope·(second − first) was to be expected by chance, if it never occurs."""
        rows, values = self._along(slope)
        never = self._table[rows, values] == 0
        pairs = (
            (self._first + 1 + m, v - self._room)
            for m, v in zip(rows[never].tolist(), values[never].tolist(), strict=True)
        )
        expected = ((second, self._columns.by_chance(self._first, second, value)) for second, value in pairs)
        return [(self._first, second, chance) for second, chance in expected if chance > 0]

    def _along(self, slope: int) -> tuple[IntArray, IntArray]:
        """The rows of columns that can differ by the value of the slope, and its place in their counts."""
        rows = np.arange(len(self._table))
        values = slope * (rows + 1)
        rows = rows[np.abs(values) <= self._columns.span]
        return rows, values[rows] + self._room

    def pairs_with_holes(self) -> Iterator[DifferenceCounts]:
        """The pairs of columns with values that never or hardly ever occur, though smaller and larger ones do."""
        for m in np.flatnonzero(self._has_holes).tolist():
            pair = self._pair(m)
            if pair.is_plain:
                yield pair

    def pairs_in_order(self) -> Iterator[DifferenceCounts]:
        """The pairs of columns of which one is always greater than the other, by two or more."""
        middle = self._present[:, self._room - 1 : self._room + 2].any(axis=1)
        less, more = self._present[:, : self._room].any(axis=1), self._present[:, self._room :].any(axis=1)
        for m in np.flatnonzero(~middle & (less ^ more)).tolist():
            pair = self._pair(m)
            if pair.is_plain:
                yield pair

    def _pair(self, m: int) -> DifferenceCounts:
        return DifferenceCounts(self._columns, self._first, self._first + 1 + m, self._table[m])


class DifferenceCounts:
    """The differences `first − second` of two columns: `counts` of each value, with room at both ends."""

    def __init__(self, columns: ColumnCounts, first: int, second: int, counts: IntArray) -> None:
        self._columns, self.first, self.second = columns, first, second
        self._room, self._counts = columns.span + 2 * SIDE, counts
        self._present = np.flatnonzero(self._counts) - self._room

    @property
    def is_plain(self) -> bool:
        """True if differences are not all equal modulo some number, which would explain the holes by other rules."""
        return len(self._present) > 2 and int(np.gcd.reduce(np.diff(self._present))) == 1

    def holes(self) -> list[Holes]:
        """The values between others that never or hardly ever occur, though those beside them do."""
        inner = self._present[1:-1]
        rare = inner[self._counts[inner + self._room] <= MOST_EXCEPTIONS]
        values, beside = [rare], [self._beside(rare).astype(np.float64)]
        ends = np.flatnonzero(np.diff(self._present) > 1)
        starts, stops = self._present[ends] + 1, self._present[ends + 1] - 1
        told = (stops - starts < WIDEST_ASIDE) | ((starts <= 0) & (stops >= 0))
        beside_run = np.minimum(self._counts[starts - 1 + self._room], self._counts[stops + 1 + self._room])
        told &= beside_run >= LEAST_EXPECTED
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
        level = min(self._levels(start, end))
        if start == end or level < LEAST_EXPECTED:
            return None
        return WideRun(start, end, *self._sides(start, end), self._expected(start, end, level))

    def one_order(self) -> WideRun | None:
        """The values from 0 to the nearest one that occurs, if the columns always have the same order."""
        least, most = int(self._present[0]), int(self._present[-1])
        if least <= 1 and most >= -1:
            return None
        start, end = (0, least - 1) if least > 0 else (most + 1, 0)
        sides = self._sides(start, end)
        nearest = max(side.nearest for side in sides)
        if nearest[0] < AT_EDGE:
            return None
        return WideRun(start, end, *sides, self._expected(start, end, continued(*nearest)))

    def _expected(self, start: int, end: int, level: float) -> float:
        """How many examples were to be expected in a run, if the values beside it would put so many on each value."""
        return sum(min(level, self._columns.by_chance(self.first, self.second, v)) for v in range(start, end + 1))

    def _beside(self, values: IntArray) -> IntArray:
        """How often the rarer of the two values beside each value occurs."""
        return np.minimum(self._counts[values - 1 + self._room], self._counts[values + 1 + self._room])

    def _levels(self, start: int, end: int) -> tuple[float, float]:
        """How often the values of a run would occur if counts went on into it, from each side."""
        left, right = (side.nearest for side in self._sides(start, end))
        return (float(left[0]), float(right[0])) if start == end else (continued(*left), continued(*right))

    def _sides(self, start: int, end: int) -> tuple[CountsBeside, CountsBeside]:
        left, right = self._counts[: start + self._room][::-1], self._counts[end + 1 + self._room :]
        return _side(left), _side(right)


def _side(counts: IntArray) -> CountsBeside:
    one, two, three = counts[:SIDE].tolist()
    return CountsBeside((one, two, three), int(counts.max()))


def continued(one: int, two: int, three: int) -> float:
    """The count of the next value if `one` is beside it and `two` and `three` are behind that.

    Counts that fall towards it go on to fall: by the same factor, or as those of a normal law if they fall steeply.
    """
    if one >= two:
        return float(one)
    if one >= STEEP * two:
        return one * one / two
    return min(one * one / two, (one / two) ** 3 * max(three, 1))
