"""Sums: exact linear equalities over few number columns.

The kernel of the number columns alone is searched, so that text and dates cannot hide a sum. Rows in which a column is
missing are left out; columns that are often missing are searched in the rows that have them.
"""

from __future__ import annotations

from math import comb, log

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import RangeError
from unwritten.facts import LinearFact
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.weighing import evidence_of
from unwritten.tables import Column
from unwritten.tables.units import common_factor

MOST_TERMS = 6
LARGEST_COEFFICIENT = 100


def find_sums(sample: Sample) -> list[LinearFact]:
    """Return the sums of exact numbers that hold in all rows of the sample, few terms first."""
    columns = tuple(column for column in sample.numbers if column.role != "float")[: budgets.FACT_NUMBERS]
    if len(columns) < 2:
        return []
    values = np.column_stack([sample.values(c.name) * common_factor(columns, c.name) for c in columns])
    facts: dict[str, LinearFact] = {}
    for chosen, rows in complete_parts(values):
        for row in _short_rows(values[np.ix_(rows, chosen)]):
            terms = np.flatnonzero(row[:-1])
            if not 2 <= len(terms) <= MOST_TERMS or np.abs(row[terms]).max() > LARGEST_COEFFICIENT:
                continue
            picked = chosen[terms]
            fact = _weighed(row[terms], int(-row[-1]), picked, values, columns)
            if fact is not None:
                facts.setdefault(fact.digest, fact)
    return sorted(facts.values(), key=lambda fact: (len(fact.names), fact.names))


def complete_parts(values: FloatArray) -> list[tuple[IntArray, BoolArray]]:
    """Return sets of columns, each with the rows that have all of them: first the columns that are never missing."""
    missing = np.isnan(values)
    shares = missing.mean(axis=0)
    parts = []
    for limit in sorted(set(shares.tolist()))[: budgets.FACT_MISSING_LEVELS]:
        chosen = np.flatnonzero(shares <= limit).astype(np.int64)
        rows = np.asarray(~missing[:, chosen].any(axis=1))
        if len(chosen) >= 2 and rows.sum() >= budgets.FACT_TRIALS:
            parts.append((chosen, rows))
    return parts


def _short_rows(values: FloatArray) -> IntArray:
    """Return short integer rows [a, −b] with a·x = b in all these rows of numbers."""
    width = values.shape[1]
    whole = values == np.rint(values)
    if not whole.all():
        return np.zeros((0, width + 1), np.int64)
    varying = np.flatnonzero(np.ptp(values, axis=0) > 0)
    if len(varying) < 2:
        return np.zeros((0, width + 1), np.int64)
    spread = np.unique(values[:, varying].astype(np.int64), axis=0)
    places = np.linspace(0, len(spread) - 1, min(len(spread), 4 * len(varying) + 60)).astype(np.int64)
    picked = np.column_stack([spread[np.unique(places)], np.ones(len(np.unique(places)), np.int64)])
    try:
        rows = linalg.short_kernel(picked, norm_columns=len(varying))
    except RangeError:
        return np.zeros((0, width + 1), np.int64)
    out = np.zeros((len(rows), width + 1), np.int64)
    out[:, varying], out[:, -1] = rows[:, :-1], rows[:, -1]
    return out


def _weighed(
    coefficients: IntArray, total: int, picked: IntArray, values: FloatArray, columns: tuple[Column, ...]
) -> LinearFact | None:
    """Return the sum with its evidence, if all rows obey it and enough rows could have broken it."""
    part = values[:, picked]
    part = part[~np.isnan(part).any(axis=1)]
    if len(part) < budgets.FACT_TRIALS or (part @ coefficients != total).any():
        return None
    # a row tests the sum only as far as its columns differ from their commonest values
    trials = min(len(part) - int(np.unique(column, return_counts=True)[1].max()) for column in part.T)
    count = len(columns)
    price = log(comb(count, len(picked))) + len(picked) * log(2 * int(np.abs(coefficients).max()) + 1)
    names = tuple(columns[k].name for k in picked.tolist())
    evidence = evidence_of(trials, trials * log(2.0), price)
    return LinearFact(names, tuple(coefficients.tolist()), total, evidence=evidence)
