"""Range conditions: ranges of numbers and dates that go with single values of other columns.

Where the numbers of a value end sharply (`number_groups`), a range of this value is stated. Other bounds are loose; the
ranges of all values of a column are one fact, if they exclude many of the numbers that other rows have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf, log

import numpy as np

from unwritten import budgets
from unwritten.conditions import OneOf
from unwritten.data import BoolArray, IntArray
from unwritten.facts import RangeBy, RangeWhen
from unwritten.facts.range_by import ValueRange
from unwritten.mining.facts.entities import Entity, rows_about
from unwritten.mining.facts.number_groups import LOOSE, SHARP, NumberGroup, number_groups
from unwritten.mining.facts.related_names import is_a_name_of_things
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.weighing import evidence_of, price_of, rounded
from unwritten.tables import Column
from unwritten.tables.column import Level
from unwritten.tables.roles import NUMBERS, TIMES

RARE = 5.0  # numbers expected beyond a bound that count as one row: few of the bounds that are tried are sharp
SAID_AT_LEAST = 0.05  # share of the other numbers that a bound for one value must exclude
NOTICED = 0.1  # share of numbers of other rows that ranges by value must exclude
MOST_BY = 2  # other columns at most whose values give ranges of one number column
FEW_NUMBERS = 12  # columns with at most so many different numbers are treated as categories


def find_conditions(sample: Sample, things: Sequence[Entity] = ()) -> list[RangeWhen | RangeBy]:
    """Return ranges of numbers for single values, and ranges by the values of a column.

    Where one of the `things` determines both columns, its rows count once.
    """
    deciding = [column for column in sample.columns if _may_decide(sample, column)]
    sizes = [c for c in (*sample.numbers, *sample.times) if not is_a_name_of_things(c.name)]
    numbers = [c for c in sizes if not _is_key(sample, c)][: budgets.FACT_NUMBERS]
    pairs = [(by, name) for by in deciding for name in numbers if by is not name and not _is_part(sample, by, name)]
    single: list[RangeWhen] = []
    loose: dict[str, list[tuple[float, RangeBy]]] = {}
    for by, name in pairs:
        groups, total = number_groups(rows_about(sample, (by.name, name.name), things), by, name)
        if not groups:
            continue
        said = (
            _single(groups, by, name, total, price_of(len(pairs) * 2 * len(groups)))
            if len(groups) <= budgets.FACT_FEW_LEVELS
            else []
        )
        single += said
        noticed, ranges = _ranges(groups, total, {fact.value for fact in said})
        if noticed >= NOTICED and name in sample.numbers:
            rows = sum(group.rows for group in groups)
            evidence = evidence_of(rows, 1e6, 0.0, LOOSE)
            loose.setdefault(name.name, []).append((noticed, RangeBy(by.name, name.name, ranges, evidence=evidence)))
    return [
        *_without_followers(sample, single),
        *(_plain(fact) for candidates in loose.values() for fact in _telling(sample, candidates)),
    ]


def _plain(fact: RangeBy) -> RangeBy | RangeWhen:
    """Return a range for one value instead, if only one value has a range."""
    if len(fact.ranges) > 1:
        return fact
    value, low, high = fact.ranges[0]
    return RangeWhen(fact.by, value, fact.name, low, high, evidence=fact.evidence)


def _is_key(sample: Sample, column: Column) -> bool:
    """True if whole numbers differ in all rows: they name rows."""
    return column.role in NUMBERS and not column.scale and int(sample.codes(column.name).max(initial=0)) >= sample.n - 1


def _is_part(sample: Sample, by: Column, time: Column) -> bool:
    """True if a time determines a column, such as its month."""
    if time.role not in TIMES:
        return False
    a, b = sample.codes(time.name), sample.codes(by.name)
    return len(np.unique(_joint(a, b))) == len(np.unique(a))


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


def _single(groups: list[NumberGroup], by: Column, name: Column, total: int, price: float) -> list[RangeWhen]:
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


def _ranges(groups: list[NumberGroup], total: int, said: set[Level]) -> tuple[float, tuple[ValueRange, ...]]:
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
        rows = OneOf(fact.by, (fact.value,)).truth(sample.rows, {}).yes
        low, high = fact.lowest, fact.highest
        claims.append((fact, rows, -inf if low is None else low, inf if high is None else high))
        if fact.exactly:
            numbers, step = (
                sample.values(fact.name)[~rows],
                0.0 if sample.rows.schema[fact.name].role == "float" else 1.0,
            )
            if high is not None and not (numbers <= high).any():
                claims.append((fact, ~rows, high + step, inf))
            if low is not None and not (numbers >= low).any():
                claims.append((fact, ~rows, -inf, low - step))
    dropped: set[str] = set()
    for fact, rows, low, high in sorted(claims, key=lambda claim: (claim[0].exactly, int(claim[1].sum()))):
        if fact.exactly:
            same = [
                o for o, r, *_ in claims if o is not fact and o.name == fact.name and o.exactly and (r == rows).all()
            ]
        else:
            same = [
                o for o, r, lo, hi in claims
                if o is not fact and o.name == fact.name and lo >= low and hi <= high and not (rows & ~r).any()
            ]  # fmt: skip
        if any(other.digest not in dropped for other in same):
            dropped.add(fact.digest)
    return [fact for fact in facts if fact.digest not in dropped]


def _telling(sample: Sample, candidates: list[tuple[float, RangeBy]]) -> list[RangeBy]:
    """Return the ranges that exclude most numbers; of two columns of which one determines the other, one is used."""
    ranges: list[RangeBy] = []
    for _, fact in sorted(candidates, key=lambda each: -each[0]):
        if len(ranges) < MOST_BY and not any(_nested(sample, fact.by, other.by) for other in ranges):
            ranges.append(fact)
    return ranges


def _nested(sample: Sample, first: str, second: str) -> bool:
    a, b = sample.codes(first), sample.codes(second)
    joint = len(np.unique(_joint(a, b)))
    return joint == max(len(np.unique(a)), len(np.unique(b)))


def _joint(a: IntArray, b: IntArray) -> IntArray:
    return np.asarray(a * (int(b.max(initial=0)) + 1) + b)
