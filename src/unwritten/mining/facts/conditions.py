"""Conditions: ranges of numbers and dates that go with single values of other columns.

A bound for one value is *sharp* if the numbers end there instead of fading out (`tails`), or end long before the next
number that other values have: it is drawn between the two. Where bounds are not sharp, they lie so far out that hardly
a number is expected beyond them, also not in the other half of the rows if they are drawn from one half.

Neighbouring rows with the same value and number count once: they are often copies of one observation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, log

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.facts import RangeBy, RangeWhen
from unwritten.facts.range_by import ValueRange
from unwritten.facts.range_when import has_value
from unwritten.mining.facts.cut_points import cut_between
from unwritten.mining.facts.sample import Sample
from unwritten.mining.facts.tails import expected_below, near_upper_bound
from unwritten.mining.facts.weighing import evidence_of, price_of, rounded
from unwritten.tables import Column
from unwritten.tables.column import Level, plain_integer
from unwritten.tables.roles import NUMBERS

SHARP = 100.0  # numbers to be expected beyond a sharp bound, none of which is there
RARE = 5.0  # numbers to be expected beyond a bound that count as one: few of the many bounds that are tried are sharp
SAID_AT_LEAST = 0.05  # share of the other numbers that a bound for one value must exclude
NOTICED = 0.1  # share of numbers of other rows that ranges by value must exclude
COVERED = 0.8  # share of the numbers seen in a range that must have come with its value
DISCRETE = 100  # different numbers up to which a range must be covered
CONSTANT = 0.5  # share of values with a single number each, from which on it is a dependency
MOST_BY = 2  # columns by which ranges of one number are stated
FEW_NUMBERS = 12  # different numbers up to which they are values like others
PILED = 0.3  # share of the numbers with a value that are the last one, from which on they do not fade out
NEAR_END = 0.1  # share of the numbers with a value that are near their end
LOOSE = 0.03  # numbers expected beyond all bounds of ranges by value, in as many rows again
BLOCKS = 4  # of neighbouring rows with a value, every other of which is held out


@dataclass(frozen=True)
class _End:
    """One end of the numbers that go with a value, measured upwards: the lower ends are those of negated numbers."""

    cut: float  # between the last number with this value and the next one
    bound: float  # the cut if it is sharp, else so far out that hardly a number is expected beyond it
    beyond_cut: int  # numbers of other rows
    beyond: int
    trials: float  # numbers to be expected beyond a sharp bound; 0 if it is not sharp
    apart: float  # rows near the bound on its emptier side: if no value mixed with others, some of them would have


@dataclass(frozen=True)
class _Group:
    level: Level
    rows: int
    ends: dict[int, _End]  # by 1 (upper) and −1 (lower)
    alone: bool  # no other row has a number between the ends of these
    constant: float | None  # the number that all rows with this value have


def find_conditions(sample: Sample) -> list[RangeWhen | RangeBy]:
    """Return ranges of numbers for single values, and ranges by the values of a column."""
    deciding = [column for column in sample.columns if _may_decide(sample, column)]
    numbers = [c for c in (*sample.numbers, *sample.times) if not _is_key(sample, c)][: budgets.FACT_NUMBERS]
    pairs = [(by, name) for by in deciding for name in numbers if by is not name]
    single: list[RangeWhen] = []
    loose: dict[str, list[tuple[float, RangeBy]]] = {}
    for by, name in pairs:
        groups, total = _groups(sample, by, name)
        if not groups:
            continue
        said = _single(groups, by, name, total, price_of(len(pairs) * 2 * len(groups))) if len(groups) <= budgets.FACT_FEW_LEVELS else []
        single += said
        noticed, ranges = _ranges(groups, total, {fact.value for fact in said})
        if noticed >= NOTICED and name in sample.numbers:
            rows = sum(group.rows for group in groups)
            evidence = evidence_of(rows, 1e6, 0.0, LOOSE)
            loose.setdefault(name.name, []).append((noticed, RangeBy(by.name, name.name, ranges, evidence=evidence)))
    return [*_without_followers(sample, single), *(fact for candidates in loose.values() for fact in _telling(sample, candidates))]


def _is_key(sample: Sample, column: Column) -> bool:
    """True if whole numbers differ in all rows: they name rows."""
    return column.role in NUMBERS and not column.scale and int(sample.codes(column.name).max(initial=0)) >= sample.n - 1


def _may_decide(sample: Sample, column: Column) -> bool:
    counts = np.bincount(sample.codes(column.name))
    large = counts[counts >= budgets.FACT_TRIALS]
    most = FEW_NUMBERS if column.role == "integer" else budgets.FACT_RANGE_LEVELS
    return (
        column.role not in ("float", "date", "timestamp", "decimal")
        and len(counts) <= most
        and len(large) > 1
        and bool(large.sum() >= sample.n / 2)
    )


def _groups(sample: Sample, by: Column, name: Column) -> tuple[list[_Group], int]:
    """Return the ends of the numbers for each value of `by`, and how many rows have a number."""
    codes, values = sample.codes(by.name), sample.values(name.name)
    there = ~np.isnan(values)
    if there.sum() < 2 * budgets.FACT_TRIALS:
        return [], 0
    places = np.flatnonzero(there)
    codes, values = codes[places], values[places]
    new = np.ones(len(places), bool)
    new[1:] = (codes[1:] != codes[:-1]) | (values[1:] != values[:-1])
    step = _step(values, name)
    counts = np.bincount(codes)
    order = np.argsort(codes, kind="stable")
    starts = np.concatenate([[0], np.cumsum(counts)])
    large = np.flatnonzero(counts >= budgets.FACT_TRIALS).tolist()
    members = {code: order[starts[code] : starts[code + 1]] for code in large}
    constant = sum(bool((values[rows] == values[rows[0]]).all()) for rows in members.values())
    if len(large) < 2 or (constant > CONSTANT * len(large) and len(large) > 2):
        return [], 0
    every = {side: np.sort(side * values) for side in (1, -1)}
    apart = {side: np.sort(side * values[new]) for side in (1, -1)}
    beyond = LOOSE / (2 * len(large))
    resolution = 10.0 ** np.floor(np.log10(max(float(np.ptp(values)), 1e-300)) - 1)
    texts, index = sample.rows.texts(by.name)
    groups = []
    for code, rows in members.items():
        text = texts[int(index[places[rows[0]]])]
        here = values[rows]
        first = here[new[rows]]
        ends = {}
        for side in (1, -1):
            end = _end(side * here, side * first, every[side], apart[side], name, side, step, beyond, resolution)
            if end is not None:
                ends[side] = end
        inside = np.searchsorted(every[1], here.max(), side="right") - np.searchsorted(every[1], here.min())
        constant = float(here[0]) if (here == here[0]).all() else None
        if constant is None and not _covers(here, every[1]):
            ends = {}
        level = None if text is None else plain_integer(text)
        groups.append(_Group(level, len(rows), ends, int(inside) == len(rows), constant))
    return groups, len(values)


def _covers(here: FloatArray, every: FloatArray) -> bool:
    """True if few of the different numbers between the ends of these are missing among them; codes are no range."""
    levels = np.unique(every)
    if len(levels) > DISCRETE:
        return True
    inside = int(((levels >= here.min()) & (levels <= here.max())).sum())
    return len(np.unique(here)) >= COVERED * inside


def _end(
    here: FloatArray, first: FloatArray, every: FloatArray, apart: FloatArray, name: Column, side: int, step: float,
    beyond: float, resolution: float,
) -> _End | None:  # fmt: skip
    """Return the upper end of some numbers among all numbers, of both of which some are `first` of equal neighbours.

    It is None if few numbers lie above these.
    """
    top = float(here.max())
    place = int(np.searchsorted(every, top, side="right"))
    if min(len(every) - place, len(first)) < budgets.FACT_TRIALS:
        return None
    following = float(every[place])
    cut = cut_between(top, following, name)[0] if side == 1 else -cut_between(-following, -top, name)[1]
    far = near_upper_bound(first, beyond)
    trials = expected_below(top - first, step)
    if top < far <= cut and len(first) >= SHARP / 2:
        trials = max(trials, SHARP)
    trials = min(trials, len(first) * (len(every) - place) / len(every))  # as many as without any condition
    width = max(2 * (following - top), 2 * step, top - float(np.quantile(first, 1 - NEAR_END)))
    rest = apart[np.searchsorted(apart, following) :]
    near = float(min(int((first > top - width).sum()), int((rest < following + width).sum())))
    if (first == top).all():  # others would have this number as often
        near = max(near, len(first) * (len(every) - len(here)) / len(every))
    bound = cut
    if trials < SHARP:
        trials = 0.0
        fades = float((first == top).mean()) < PILED and _holds_in_blocks(first, beyond)
        bound = float(np.ceil(max(far, top) / resolution) * resolution) if fades else inf
    excluded = len(every) - int(np.searchsorted(every, bound, side="right"))
    return _End(cut, bound, len(every) - place, excluded, trials, near)


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


def _single(groups: list[_Group], by: Column, name: Column, total: int, price: float) -> list[RangeWhen]:
    """Return the ranges of single values with sharp bounds."""
    facts = []
    for group in groups:
        others = max(1, total - group.rows)
        ends = {side: end for side, end in group.ends.items() if end.beyond_cut >= budgets.FACT_TRIALS}
        exactly = group.alone and bool(ends) and all(end.apart >= budgets.FACT_TRIALS for end in ends.values())
        if not exactly:
            ends = {s: e for s, e in ends.items() if e.trials >= SHARP and e.beyond >= SAID_AT_LEAST * others}
        if not ends:
            continue
        trials = min(max(end.apart, end.trials) if exactly else end.trials / RARE for end in ends.values())
        excluded = sum(end.beyond_cut for end in ends.values()) / others
        nats = -group.rows * log(max(1e-12, 1.0 - excluded))
        low, high = (side * ends[side].cut if side in ends else None for side in (-1, 1))
        if group.constant is not None:
            low = high = group.constant
        weighed = evidence_of(trials, nats, price)
        evidence = replace(weighed, examples=group.rows, chance=rounded(max(1e-12, 1.0 - excluded)))
        facts.append(RangeWhen(by.name, group.level, name.name, low, high, exactly, evidence=evidence))
    return facts


def _ranges(groups: list[_Group], total: int, said: set[Level]) -> tuple[float, tuple[ValueRange, ...]]:
    """Return the ranges by value, and how many numbers of other rows they exclude, as a share."""
    noticed, ranges = 0.0, []
    for group in groups:
        others = max(1, total - group.rows)
        ends = {side: end for side, end in group.ends.items() if end.beyond >= SAID_AT_LEAST * others}
        if group.level in said or not ends:
            continue
        noticed += group.rows / total * sum(end.beyond for end in ends.values()) / others
        low, high = (side * ends[side].bound if side in ends else None for side in (-1, 1))
        if group.constant is not None:
            low = high = group.constant
        ranges.append((group.level, low, high))
    return noticed, tuple(ranges)


def _without_followers(sample: Sample, facts: list[RangeWhen]) -> list[RangeWhen]:
    """Drop ranges that follow from another one of the same number, which all their rows obey, too.

    A range that holds exactly when a column has a value says also where the numbers of all other rows are.
    """
    claims: list[tuple[RangeWhen, BoolArray, float, float]] = []
    for fact in facts:
        rows = has_value(sample.rows, fact.by, fact.value)
        low, high = fact.lowest, fact.highest
        claims.append((fact, rows, -inf if low is None else low, inf if high is None else high))
        if fact.exactly:
            numbers, step = sample.values(fact.name)[~rows], 0.0 if sample.rows.schema[fact.name].role == "float" else 1.0
            if high is not None and not (numbers <= high).any():
                claims.append((fact, ~rows, high + step, inf))
            if low is not None and not (numbers >= low).any():
                claims.append((fact, ~rows, -inf, low - step))
    dropped: set[str] = set()
    for fact, rows, low, high in sorted(claims, key=lambda claim: (claim[0].exactly, int(claim[1].sum()))):
        if fact.exactly:
            same = [o for o, r, *_ in claims if o is not fact and o.name == fact.name and o.exactly and (r == rows).all()]
        else:
            same = [
                o for o, r, lo, hi in claims
                if o is not fact and o.name == fact.name and lo >= low and hi <= high and not (rows & ~r).any()
            ]  # fmt: skip
        if any(other.digest not in dropped for other in same):
            dropped.add(fact.digest)
    return [fact for fact in facts if fact.digest not in dropped]


def _telling(sample: Sample, candidates: list[tuple[float, RangeBy]]) -> list[RangeBy]:
    """Return the ranges that notice most; of columns of which one determines the other, one speaks."""
    kept: list[RangeBy] = []
    for _, fact in sorted(candidates, key=lambda each: -each[0]):
        if len(kept) < MOST_BY and not any(_nested(sample, fact.by, other.by) for other in kept):
            kept.append(fact)
    return kept


def _nested(sample: Sample, first: str, second: str) -> bool:
    a, b = sample.codes(first), sample.codes(second)
    joint = len(np.unique(_joint(a, b)))
    return joint == max(len(np.unique(a)), len(np.unique(b)))


def _joint(a: IntArray, b: IntArray) -> IntArray:
    return np.asarray(a * (int(b.max(initial=0)) + 1) + b)
