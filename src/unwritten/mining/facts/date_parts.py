"""Date parts: columns that say the year, month, weekday, hour … of a date or timestamp.

A column of numbers must hold the part itself. A column of other values must have one of its own for each quarter,
month or weekday. Both are weighed against the chance that a row has the right value if the two columns were
independent; equal times count once.
"""

from __future__ import annotations

from dataclasses import replace
from math import lgamma, log

import numpy as np

from unwritten import budgets
from unwritten.conditions.time_parts import NAMED, OF_DAY, PARTS, part_of
from unwritten.data import IntArray
from unwritten.facts import DatePart, Order
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.weighing import NEAR, doubt_of_kind, evidence_of, price_of
from unwritten.tables import Column
from unwritten.tables.column import plain_integer
from unwritten.tables.roles import date_number

ROLES = ("integer", "category", "boolean", "date", "text")


def find_date_parts(sample: Sample) -> list[DatePart]:
    """Return which columns are parts of which times; of several times that fit, the first timestamp or date."""
    columns = [column for column in sample.columns if column.role in ROLES]
    weighed: list[tuple[DatePart, int, float]] = []
    near = tried = 0
    for time in sorted(sample.times, key=lambda column: column.role == "date"):
        for part in PARTS:
            if time.role == "date" and part in ("date", *OF_DAY):
                continue
            codes, parts = _part_codes(sample, time, part)
            if len(parts) < 2:
                continue
            for column in columns:
                if column.name == time.name or (column.role in ("date", "timestamp")) != (part == "date"):
                    continue
                tried += 1
                if any(fact.name == column.name for fact, _, _ in weighed):
                    continue
                fact, wrong, trials, nats = _compared(sample, column, time, part, codes, parts)
                if fact is not None and not wrong and trials >= budgets.FACT_TRIALS:
                    weighed.append((fact, trials, nats))
                near += 0 < wrong <= NEAR * sample.n
    doubt, price = doubt_of_kind(near, len(weighed), sample.n), price_of(tried)
    return [replace(fact, evidence=evidence_of(trials, nats, price, doubt)) for fact, trials, nats in weighed]


def _part_codes(sample: Sample, time: Column, part: str) -> tuple[IntArray, list[str]]:
    """Return for each row the place of its part among the parts that were seen, −1 without one; and these parts."""
    texts, index = sample.rows.texts(time.name)
    places: dict[str, int] = {}
    values = [None if text is None else part_of(text, part) for text in texts]
    codes = [-1 if each is None else places.setdefault(each, len(places)) for each in values]
    return np.array(codes, np.int64)[index], list(places)


def _compared(
    sample: Sample, column: Column, time: Column, part: str, codes: IntArray, parts: list[str]
) -> tuple[DatePart | None, int, int, float]:
    """Return the fact that a column is a part, how many rows break it, and the trials and nats for it."""
    texts, index = sample.rows.texts(column.name)
    plain = [None if text is None else plain_integer(text) for text in texts]
    both = (codes >= 0) & ~sample.rows.missing(column.name)
    if int(both.sum()) < budgets.FACT_TRIALS:
        return None, 0, 0, 0.0
    levels: dict[str | None, int] = {}
    said = np.array([levels.setdefault(text, len(levels)) for text in plain], np.int64)[index]
    listed = list(levels)
    fact = DatePart(column.name, part, time.name)
    wanted = np.array([levels.get(each, -1) for each in parts], np.int64)[codes]
    wrong = int((both & (wanted != said)).sum())
    luck = 0.0
    if wrong > NEAR * sample.n and part in NAMED:
        names = _names(codes[both], said[both], len(parts))
        if names is not None:
            number = {int(each): listed[int(names[k])] for k, each in enumerate(parts)}
            values = tuple(number.get(k) for k in range(1, NAMED[part] + 1))
            fact, wanted, wrong = DatePart(column.name, part, time.name, values), names[codes], 0
            luck = lgamma(len(parts) + 1)
    if wrong > NEAR * sample.n:
        return None, wrong, 0, 0.0
    tested = (
        _cycles(sample, time, part)[both] * len(parts) + codes[both] if fact.values else sample.codes(time.name)[both]
    )
    first = np.unique(tested, return_index=True)[1]
    shares = np.bincount(said[both], minlength=len(levels)) / both.sum()
    right = np.where(wanted[both][first] >= 0, shares[wanted[both][first]], 0.0)
    chance = float(right.mean())
    trials = len(first) - (len(parts) if fact.values else 0)  # the first time that a part comes, its name is learned
    return fact, wrong, int(trials * (1 - chance)), max(0.0, -trials * log(max(chance, 1e-12)) - luck)


def _cycles(sample: Sample, time: Column, part: str) -> IntArray:
    """Return the year of each row, or its week for weekdays: within one, a part counts once."""
    texts, index = sample.rows.texts(time.name)
    days = [None if text is None else part_of(text, "date") for text in texts]
    numbers = [0 if day is None else (date_number(day) or 0) + 3 for day in days]  # 1970-01-01 was a Thursday
    cycles = [
        number // 7 if part == "weekday" else int((day or "0")[:4]) for number, day in zip(numbers, days, strict=True)
    ]
    return np.array(cycles, np.int64)[index]


def _names(codes: IntArray, said: IntArray, count: int) -> IntArray | None:
    """Return the value that each part came with; None if it came with several, or two parts share one."""
    pairs = np.unique(np.column_stack([codes, said]), axis=0)
    if len(pairs) != len(np.unique(pairs[:, 0])) or len(pairs) != len(np.unique(pairs[:, 1])) or len(pairs) < count:
        return None
    return np.asarray(pairs[:, 1])


def explains_order(order: Order, parts: list[DatePart]) -> bool:
    """True if a column of the order is the day of the other one."""
    return any(fact.part == "date" and set(fact.columns) == set(order.columns) for fact in parts)


def part_ways(parts: list[DatePart]) -> list[tuple[frozenset[str], str]]:
    """Return which columns each time determines, and so does the column that holds its day."""
    days = {fact.time: fact.name for fact in parts if fact.part == "date"}
    of_days = [(frozenset({days[f.time]}), f.name) for f in parts if f.time in days and f.part not in ("date", *OF_DAY)]
    return [*((frozenset({fact.time}), fact.name) for fact in parts), *of_days]
