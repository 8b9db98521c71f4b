"""Prefixes: texts that begin with the value, or the year, of another column.

Weighed against the chance that a text begins with the value of another row. Equal texts count once.
"""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np

from unwritten import budgets
from unwritten.conditions import Begins
from unwritten.data import IntArray
from unwritten.facts import StartsWith
from unwritten.facts.starts_with import YEAR
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.weighing import NEAR, doubt_of_kind, evidence_of, price_of
from unwritten.tables import Column
from unwritten.tables.roles import TIMES

TEXTS = ("identifier", "text", "category")
LONGEST_BEFORE = 12  # characters at most that stand before the value in a text
SHIFTS = (1, 7, 31, 101, 499)  # a text is compared with the values so many rows further on
MOST_LIKELY = 0.5  # no fact if the values of more than this share of other rows fit, too


def find_prefixes(sample: Sample) -> list[StartsWith]:
    """Return which texts begin with another column."""
    weighed: list[tuple[StartsWith, int, float]] = []
    near = tried = 0
    for column in sample.columns:
        if column.role not in TEXTS or (column.width and column.closed):
            continue
        for other in sample.columns:
            if other.name == column.name or other.role not in (*TEXTS, "integer", *TIMES):
                continue
            tried += 1
            fact = _candidate(sample, column, other)
            if fact is None:
                continue
            broken = fact.checker()(sample.rows)
            wrong = int(broken.sum())
            near += 0 < wrong <= NEAR * sample.n
            if wrong:
                continue
            trials, nats = _weighed(sample, fact)
            if trials >= budgets.FACT_TRIALS:
                weighed.append((fact, trials, nats))
    doubt, price = doubt_of_kind(near, len(weighed), sample.n), price_of(tried * LONGEST_BEFORE)
    return [replace(fact, evidence=evidence_of(trials, nats, price, doubt)) for fact, trials, nats in weighed]


def _candidate(sample: Sample, column: Column, other: Column) -> StartsWith | None:
    """Return the fact that a few rows suggest; None if they have no such beginning in common."""
    part = YEAR if other.role in TIMES else ""
    both = np.flatnonzero(sample.present(column.name) & sample.present(other.name))
    if len(both) < budgets.FACT_TRIALS:
        return None
    few = both[np.linspace(0, len(both) - 1, budgets.FACT_TRIALS).astype(np.int64)]
    texts, index = sample.rows.texts(column.name)
    others, at = sample.rows.texts(other.name)
    plain = Begins(column.name, other.name, "", part)
    befores: set[str] | None = None
    wrong = 0
    for text, value in ((texts[int(index[i])] or "", others[int(at[i])] or "") for i in few):
        start = plain.start(value)
        if not start or text == start:
            return None
        fits = {text[:k] for k in range(min(LONGEST_BEFORE, len(text)) + 1) if text.startswith(start, k)}
        wrong += not fits
        if wrong > 1:
            return None
        if fits:
            befores = fits if befores is None else befores & fits or befores
    # digits before the value would be part of a number that grows
    fitting = sorted((b for b in befores or () if not any(c.isdecimal() for c in b)), key=len)
    return StartsWith(column.name, other.name, fitting[0], part) if fitting else None


def _weighed(sample: Sample, fact: StartsWith) -> tuple[int, float]:
    """Return in how many different texts the fact could have failed, and the nats against chance."""
    texts, index = sample.rows.texts(fact.name)
    others, at = sample.rows.texts(fact.of)
    starts = [None if other is None else fact.condition.start(other) for other in others]
    both = np.flatnonzero(sample.present(fact.name) & np.array([s is not None for s in starts], bool)[at])
    rows: IntArray = both[np.unique(index[both], return_index=True)[1]]
    fits = pairs = 0
    for shift in SHIFTS:
        for i, j in zip(rows.tolist(), np.roll(rows, shift).tolist(), strict=True):
            pairs += 1
            fits += (texts[int(index[i])] or "").startswith(starts[int(at[j])] or "")
    chance = fits / max(1, pairs)
    if chance > MOST_LIKELY:
        return 0, 0.0
    return int(len(rows) * (1 - chance)), -len(rows) * log(max(chance, 1 / (pairs + 1)))


def prefix_ways(sample: Sample, facts: list[StartsWith]) -> list[tuple[frozenset[str], str]]:
    """Return which columns the texts determine: those whose values all have the same length."""
    ways = []
    for fact in facts:
        lengths = {len(text) for text in sample.rows.texts(fact.of)[0] if text is not None}
        if not fact.part and len(lengths) == 1:
            ways.append((frozenset({fact.name}), fact.of))
    return ways
