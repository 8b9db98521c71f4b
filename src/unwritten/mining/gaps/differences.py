"""Differences: how often each pair of columns differs by each value, and which values between others never occur.

How often a value v of x − y that never occurs was to be expected is the smaller of two estimates: n·P(x − y = v) if the
columns were independent, and how often the nearest values on both sides occur. The second one holds for correlated
columns too, as long as differences have no dips that are no rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray

WINDOW = 2  # values beside a wide hole whose mean count says how often its own values were to be expected
MOST_EXCEPTIONS = 3  # a value that so many examples have is nearly a hole
LEAST_EXPECTED = 1.5  # less says nothing even if many pairs say it together
WIDEST_ASIDE = 3  # values in a run that does not hold 0; wider ones have no sentence of their own


@dataclass(frozen=True, eq=False)
class Holes:
    """Values of differences that never occur, or hardly ever, between values that do: one entry per pair and value.

    `first < second` are the columns, and `value` one of `first − second`. `start` and `end` are the first and last
    value of the run of values that never occur which it is part of, `left` and `right` how often the values beside
    that run occur. `exceptions` counts the examples that have the value.
    """

    first: IntArray
    second: IntArray
    value: IntArray
    start: IntArray
    end: IntArray
    left: FloatArray
    right: FloatArray
    expected: FloatArray
    exceptions: IntArray

    def __len__(self) -> int:
        return len(self.first)

    def __getitem__(self, which: BoolArray | IntArray) -> Holes:
        return Holes(*(getattr(self, name)[which] for name in self.__dataclass_fields__))

    @property
    def width(self) -> IntArray:
        """The number of values in the run of each hole."""
        return self.end - self.start + 1


@dataclass(frozen=True, eq=False)
class Differences:
    """What is known of the differences of all pairs of columns.

    `holes` are values that never or hardly ever occur. `seen` says how often each value that does occur was to be
    expected by the values beside it, and `seen_along` the same for the values s·(second − first) of each slope s.
    `never_along` has (first, second, how often by chance) of every pair that never has the value of a slope, though its
    columns could.
    """

    holes: Holes
    seen: FloatArray
    seen_along: dict[int, FloatArray]
    never_along: dict[int, list[tuple[int, int, float]]]


def differences(labels: IntArray, counts: IntArray, slopes: tuple[int, ...]) -> Differences:
    """Look at the differences of all pairs of columns of distinct labels (n × d), which were seen `counts` times.

    `slopes` are the numbers s for which s·(second − first) is looked at.
    """
    parts: list[Holes] = []
    seen: list[FloatArray] = []
    along: dict[int, list[float]] = {slope: [] for slope in slopes}
    never: dict[int, list[tuple[int, int, float]]] = {slope: [] for slope in slopes}
    table = _Table(labels.astype(np.int64), counts.astype(np.int64))
    for first in range(labels.shape[1] - 1):
        for m, histogram in enumerate(table.histogram(first)):
            pair = _Pair(table, first, first + 1 + m, histogram)
            for slope in slopes:
                along[slope] += pair.seen_at(slope * (1 + m))
                never[slope] += pair.never_at(slope * (1 + m))
            if pair.is_plain:
                parts += pair.holes()
                seen.append(pair.seen())
    holes = (
        Holes(*(np.concatenate([getattr(part, name) for part in parts]) for name in _NAMES)) if parts else _nothing()
    )
    seen_along = {slope: np.array(values) for slope, values in along.items()}
    return Differences(holes, np.concatenate(seen or [np.zeros(0)]), seen_along, never)


_NAMES = tuple(Holes.__dataclass_fields__)


def _nothing() -> Holes:
    none: IntArray = np.zeros(0, np.int64)
    nothing: FloatArray = np.zeros(0)
    return Holes(none, none, none, none, none, nothing, nothing, nothing, none)


class _Table:
    """The columns with the counts of their values, from a common least value up."""

    def __init__(self, labels: IntArray, counts: IntArray) -> None:
        self.labels, self.counts, self.n = labels, counts, int(counts.sum())
        self.span = int(labels.max() - labels.min())
        shifted = labels - labels.min()
        self.values = np.array(
            [np.bincount(column, counts, self.span + 1).astype(np.int64) for column in shifted.T], np.int64
        )

    def histogram(self, k: int) -> IntArray:
        """How often column k minus each later column has each value from −span to span."""
        later = self.labels.shape[1] - k - 1
        width = 2 * self.span + 1
        codes = self.labels[:, k, None] - self.labels[:, k + 1 :] + self.span + width * np.arange(later)
        weights = np.repeat(self.counts, later)
        return np.bincount(codes.ravel(), weights, later * width).astype(np.int64).reshape(later, width)

    def by_chance(self, first: int, second: int, value: int) -> float:
        """How many of the examples would have this difference if the columns were independent."""
        one, other = self.values[first], self.values[second]
        both = one[value:] @ other[: len(other) - value] if value >= 0 else one[:value] @ other[-value:]
        return float(both) / self.n


class _Pair:
    """The differences of one pair of columns: `counts` of each value from −span to span."""

    def __init__(self, table: _Table, first: int, second: int, counts: IntArray) -> None:
        self.table, self.first, self.second, self.counts = table, first, second, counts
        self.present = np.flatnonzero(counts) - table.span

    @property
    def is_plain(self) -> bool:
        """True if differences are not all in one class modulo some number: then other rules explain the holes."""
        return len(self.present) > 2 and int(np.gcd.reduce(np.diff(self.present))) == 1

    def seen(self) -> FloatArray:
        """How often the values between others that occur were to be expected by those beside them."""
        inner = self.present[1:-1]
        return np.minimum(self._count(inner - 1), self._count(inner + 1)).astype(np.float64)

    def seen_at(self, value: int) -> list[float]:
        """How often one value was to be expected by those beside it, if it occurs."""
        before, at, after = self._count(np.arange(value - 1, value + 2)).tolist()
        return [float(max(before, after) if min(before, after) == 0 else min(before, after))] if at else []

    def never_at(self, value: int) -> list[tuple[int, int, float]]:
        """The columns, and how often one value was to be expected by chance, if it never occurs but could."""
        if abs(value) > self.table.span or self.counts[value + self.table.span]:
            return []
        chance = self.table.by_chance(self.first, self.second, value)
        return [(self.first, self.second, chance)] if chance > 0 else []

    def holes(self) -> Iterator[Holes]:
        """Every value between others that never or hardly ever occurs."""
        gaps = np.flatnonzero(np.diff(self.present) > 1)
        for before, after in zip(self.present[gaps].tolist(), self.present[gaps + 1].tolist(), strict=True):
            if before < 0 < after or after - before - 1 <= WIDEST_ASIDE:
                yield from self._run(before + 1, after - 1)
        inner = self.present[1:-1]
        for value in inner[self._count(inner) <= MOST_EXCEPTIONS].tolist():
            yield from self._run(value, value)

    def _count(self, values: IntArray) -> IntArray:
        inside = np.abs(values) <= self.table.span
        places = np.clip(values + self.table.span, 0, 2 * self.table.span)
        return np.where(inside, self.counts[places], 0)

    def _run(self, start: int, end: int) -> Iterator[Holes]:
        """The values from `start` to `end`, none of which occurs unless it is one value; nothing if few say so."""
        window = 1 if end == start else WINDOW
        left = float(self._count(np.arange(start - window, start)).mean())
        right = float(self._count(np.arange(end + 1, end + 1 + window)).mean())
        beside = min(left, right)
        if beside < LEAST_EXPECTED:
            return
        values = np.arange(start, end + 1)
        chance = np.array([self.table.by_chance(self.first, self.second, v) for v in values.tolist()])
        ones = np.ones(len(values), np.int64)
        yield Holes(
            self.first * ones,
            self.second * ones,
            values,
            start * ones,
            end * ones,
            np.full(len(values), left),
            np.full(len(values), right),
            np.minimum(chance, beside),
            self._count(values),
        )
