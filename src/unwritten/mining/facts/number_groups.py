"""Number groups: where the numbers that go with each value of a column end.

A bound for one value is *sharp* if its numbers end there instead of fading out (`value_ends`), or if they end long
before the next number that other values have: the bound is then drawn between the two. Bounds that are not sharp are
drawn so far out that hardly any number is expected beyond them, also in the blocks of rows that were held out.

Neighbouring rows with the same value and number count once: they are often copies of one observation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray
from unwritten.mining.facts.cut_points import cut_between
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.value_ends import expected_below, near_upper_bound
from unwritten.tables import Column
from unwritten.tables.column import Level, plain_integer
from unwritten.tables.roles import NUMBERS

SHARP = 100.0  # numbers to be expected beyond a sharp bound, none of which is there
COVERED = 0.8  # share of the numbers seen in a range that must have come with its value
DISCRETE = 100  # up to so many different numbers, a range must have come with most of its numbers
CONSTANT = 0.5  # if this share of the values have a single number each, the column determines the number
PILED = 0.3  # if this share of the numbers are equal to the last one, they end there instead of fading out
NEAR_END = 0.1  # share of the numbers with a value that are near their end
LOOSE = 0.03  # numbers expected beyond all bounds of ranges by value, in as many rows again
BLOCKS = 4  # blocks of neighbouring rows with a value, every other of which is held out


@dataclass(frozen=True)
class End:
    """One end of the numbers that go with a value, measured upwards: the lower ends are those of negated numbers."""

    cut: float  # between the last number with this value and the next one
    bound: float  # the cut if it is sharp, else so far out that hardly a number is expected beyond it
    beyond_cut: int  # numbers of other rows
    beyond: int
    trials: float  # numbers to be expected beyond a sharp bound; 0 if it is not sharp
    apart: float  # rows near the bound on its emptier side: some of them would lie beyond it if values mixed


@dataclass(frozen=True)
class NumberGroup:
    """The numbers that go with one value of a column."""

    level: Level
    rows: int
    ends: dict[int, End]  # by 1 (upper) and −1 (lower)
    alone: bool  # no other row has a number between the ends of these
    constant: float | None  # the number that all rows with this value have


def number_groups(sample: Sample, by: Column, name: Column) -> tuple[list[NumberGroup], int]:
    """Return the ends of the numbers for each value of `by`, and how many distinct rows have a number."""
    codes, values = sample.codes(by.name), sample.values(name.name)
    places = np.flatnonzero(~np.isnan(values) & sample.distinct)
    codes, values = codes[places], values[places]
    counts = np.bincount(codes)
    order, starts = np.argsort(codes, kind="stable"), np.concatenate([[0], np.cumsum(counts)])
    large = np.flatnonzero(counts >= budgets.FACT_TRIALS).tolist()
    members = [order[starts[code] : starts[code + 1]] for code in large]
    constants = sum(bool((values[rows] == values[rows[0]]).all()) for rows in members)
    if len(large) < 2 or (constants > CONSTANT * len(large) and len(large) > 2):
        return [], 0
    new = np.ones(len(places), bool)
    new[1:] = (codes[1:] != codes[:-1]) | (values[1:] != values[:-1])
    sides = {side: _Side(side * values, side * values[new], name, side, len(large)) for side in (1, -1)}
    texts, index = sample.rows.texts(by.name)
    levels = np.unique(values)
    groups = []
    for rows in members:
        text, here = texts[int(index[places[rows[0]]])], values[rows]
        constant = float(here[0]) if (here == here[0]).all() else None
        both_ends = {side: each.end_of(side * here, side * here[new[rows]]) for side, each in sides.items()}
        ends = {side: end for side, end in both_ends.items() if end is not None}
        every = sides[1].every
        inside = np.searchsorted(every, here.max(), side="right") - np.searchsorted(every, here.min())
        if constant is None and not _covers(here, levels):
            ends = {}
        level = None if text is None else plain_integer(text)
        groups.append(NumberGroup(level, len(rows), ends, int(inside) == len(rows), constant))
    return groups, len(values)


def _covers(here: FloatArray, levels: FloatArray) -> bool:
    """True if most different numbers between the ends of these are among them; for codes they are not."""
    if len(levels) > DISCRETE:
        return True
    inside = int(((levels >= here.min()) & (levels <= here.max())).sum())
    return len(np.unique(here)) >= COVERED * inside


class _Side:
    """All numbers of a column, measured upwards (side 1) or downwards (side −1)."""

    def __init__(self, every: FloatArray, first: FloatArray, name: Column, side: int, groups: int) -> None:
        self.every, self._first = np.sort(every), np.sort(first)  # all numbers, and the first of equal neighbours
        self._name, self._side = name, side
        self._step = _step(every, name)
        self._beyond = LOOSE / (2 * groups)
        spread = max(float(np.ptp(every)), 1e-300)
        self._resolution = max(10.0 ** np.floor(np.log10(spread) - 1), 0.0 if name.role == "float" else 1.0)

    def end_of(self, here: FloatArray, first: FloatArray) -> End | None:
        """Return the upper end of some numbers, of which some are the `first` of equal neighbours.

        It is None if few numbers lie above these.
        """
        top, n = float(here.max()), len(self.every)
        place = int(np.searchsorted(self.every, top, side="right"))
        if min(n - place, len(first)) < budgets.FACT_TRIALS:
            return None
        cut = self._cut(top, float(self.every[place]))
        far = near_upper_bound(first, self._beyond)
        trials = expected_below(top - first, self._step)
        if top < far <= cut and len(first) >= SHARP / 2:
            trials = max(trials, SHARP)
        trials = min(trials, len(first) * (n - place) / n)  # at most as many as if the value made no difference
        bound = cut
        if trials < SHARP:
            trials = 0.0
            fades = float((first == top).mean()) < PILED and _holds_in_blocks(first, self._beyond)
            size = self._resolution
            bound = float(f"{np.ceil(max(far, top) / size) * size:.12g}") if fades else inf
        excluded = n - int(np.searchsorted(self.every, bound, side="right"))
        return End(cut, bound, n - place, excluded, trials, self._apart(here, first, top, float(self.every[place])))

    def _cut(self, top: float, following: float) -> float:
        if self._side == 1:
            return cut_between(top, following, self._name)[0]
        return -cut_between(-following, -top, self._name)[1]

    def _apart(self, here: FloatArray, first: FloatArray, top: float, following: float) -> float:
        """Return how many rows lie just before the end, or just beyond it, whichever are fewer."""
        width = max(2 * (following - top), 2 * self._step, top - float(np.quantile(first, 1 - NEAR_END)))
        rest = self._first[np.searchsorted(self._first, following) :]
        near = float(min(int((first > top - width).sum()), int((rest < following + width).sum())))
        if (first == top).all():  # a single number: other values would have it as often
            near = max(near, len(first) * (len(self.every) - len(here)) / len(self.every))
        return near


def _holds_in_blocks(here: FloatArray, beyond: float) -> bool:
    """True if the bound that every other block of neighbouring rows gives is kept by the other blocks."""
    block = np.arange(len(here)) * BLOCKS // len(here) % 2
    one, other = here[block == 0], here[block == 1]
    return bool(other.max() <= near_upper_bound(one, beyond) and one.max() <= near_upper_bound(other, beyond))


def _step(values: FloatArray, column: Column) -> float:
    """Return the step between the numbers of a column: their greatest common divisor, or 0 for floats."""
    if column.role == "float" or (column.role not in NUMBERS and column.role != "date"):
        return 0.0
    levels = np.unique(values)
    whole = (levels - levels[0]).astype(np.int64)
    return float(max(1, int(np.gcd.reduce(whole))))
