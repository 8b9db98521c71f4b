"""Keys: columns, or two or three together, whose values differ in all rows.

A key is stated if values drawn independently would collide often. Numbers with fractions are no keys: they seldom
collide.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.facts import Key
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.weighing import NEAR, doubt_of_kind, evidence_of, price_of
from unwritten.tables import Column
from unwritten.tables.column import is_integer

KEY_ROLES = ("identifier", "category", "integer", "date", "timestamp", "text", "boolean")
MOST_COLUMNS = 3


def find_keys(sample: Sample) -> list[Key]:
    """Return the minimal keys, single columns first."""
    columns = [column for column in sample.columns if column.role in KEY_ROLES]
    columns = [c for c in columns if sample.present(c.name).all()][: budgets.FACT_KEY_COLUMNS]
    keys: list[Key] = []
    for size in range(1, MOST_COLUMNS + 1):
        if size > 1 and (keys or len(columns) > budgets.FACT_PAIR_COLUMNS):
            break
        columns = columns if size == 1 else _without_equals(sample, columns)
        keys += _of_size(sample, columns, size)
    return keys


def _without_equals(sample: Sample, columns: list[Column]) -> list[Column]:
    """Return the columns without those that an earlier one stands for: both determine each other."""
    first: list[Column] = []
    for column in columns:
        size = _distinct(sample, column)
        alike = (c for c in first if _distinct(sample, c) == size)
        if not any(len(np.unique(joined_codes(sample, [c.name, column.name]))) == size for c in alike):
            first.append(column)
    return first


def _distinct(sample: Sample, column: Column) -> int:
    return int(sample.codes(column.name).max(initial=0)) + 1


def _of_size(sample: Sample, columns: list[Column], size: int) -> list[Key]:
    unique: list[tuple[tuple[Column, ...], float]] = []
    near = 0
    for chosen in combinations(columns, size):
        collisions = expected_collisions(sample, chosen)
        if collisions < budgets.FACT_TRIALS:
            continue
        repeated = sample.n - len(np.unique(joined_codes(sample, [c.name for c in chosen])))
        if not repeated:
            unique.append((chosen, collisions))
        near += 0 < repeated <= NEAR * sample.n
    price = price_of(len(list(combinations(range(len(columns)), size))))
    keys = []
    for chosen, collisions in unique:
        trials = min(collisions, sample.n)
        doubt = doubt_of_kind(near, len(unique), sample.n)
        evidence = evidence_of(trials, collisions, price, doubt)
        keys.append(Key(tuple(column.name for column in chosen), evidence=evidence))
    return keys


def expected_collisions(sample: Sample, chosen: Sequence[Column]) -> float:
    """Return how many pairs of rows would agree on all columns if these were independent.

    The values of a single column are compared with integers drawn from its range; single texts are compared with as
    many different texts as there are rows.
    """
    n = sample.n
    pairs = n * (n - 1) / 2
    if len(chosen) == 1:
        column = chosen[0]
        numbers = _whole_numbers(sample, column)
        if numbers is not None:
            return pairs / (float(np.ptp(numbers)) + 1.0)
        return n / 2 if column.role == "identifier" else 0.0
    agree = 1.0
    for column in chosen:
        counts = np.bincount(sample.codes(column.name)).astype(float)
        agree *= float((counts * (counts - 1)).sum() / max(1.0, n * (n - 1.0)))
    return pairs * agree


def _whole_numbers(sample: Sample, column: Column) -> FloatArray | None:
    """Return the values of a column of integers, dates or numbered rows; None if they are texts."""
    if column.role in ("integer", "date", "timestamp"):
        return sample.values(column.name)
    texts, index = sample.rows.texts(column.name)
    if column.role != "identifier" or not all(text is not None and is_integer(text) for text in texts):
        return None
    return np.asarray(np.array([float(text or 0) for text in texts])[index])


def joined_codes(sample: Sample, names: list[str]) -> IntArray:
    """Return one number per row for the values of several columns together."""
    combined = np.zeros(sample.n, np.int64)
    for name in names:
        codes = sample.codes(name)
        combined = combined * (int(codes.max(initial=0)) + 1) + codes
        if len(names) > 2:
            combined = np.unique(combined, return_inverse=True)[1]
    return combined
