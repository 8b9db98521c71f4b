"""Ranges: bounds of numbers and dates that rows to come will keep.

Numbers none of which is negative are at least 0; if they are few, they must end there (`value_ends`) or not reach it. A
round number that many rows have and none passes is a bound. Other bounds lie so far out that hardly a value is expected
beyond them.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray
from unwritten.facts import RangeFact
from unwritten.mining.facts.row_sample import Sample
from unwritten.mining.facts.value_ends import BEYOND, ends_at, near_upper_bound
from unwritten.mining.facts.weighing import evidence_of
from unwritten.tables import Column

NO_CHANCE = 1e6  # nats: chance plays no part in a range, the doubt is only about rows to come
FEWEST_SIGNS = 100  # numbers, none of which is negative: 4 of 1,700 public columns had a negative one in other rows
CERTAIN_END = 100.0  # values expected beyond an end, none of which is there


def find_ranges(sample: Sample, trim: float = 0.0) -> list[RangeFact]:
    """Return a range of each column of numbers, except those of which all values are known.

    The ranges of wrong rows leave a share `trim` of the values out at each end.
    """
    facts = []
    for column in (*sample.numbers, *sample.times):
        if column.width and column.kind != "integer" and column.closed:
            continue
        values = sample.values(column.name)
        values = values[~np.isnan(values)]
        cut = int(trim * len(values))
        values = np.sort(values)[cut : len(values) - cut]
        if len(values) < budgets.FACT_TRIALS:
            continue
        lowest = highest = None
        if column in sample.numbers:
            lowest, highest = _lowest(values, column), _highest(values, column)
        evidence = evidence_of(len(values), NO_CHANCE, 0.0, BEYOND)
        facts.append(RangeFact(column.name, lowest, highest, evidence=evidence))
    return facts


def _lowest(values: FloatArray, column: Column) -> float:
    step = 0.0 if column.role == "float" else 1.0
    smallest = float(values.min())
    far = -near_upper_bound(-values, BEYOND)
    one_sign = len(values) >= FEWEST_SIGNS or far >= 0 or ends_at(values, 0.0, step) >= CERTAIN_END
    if smallest >= 0 and one_sign:
        return 0.0
    return smallest if _stops(values, column) else _outward(far, column, up=False)


def _highest(values: FloatArray, column: Column) -> float:
    return (
        float(values.max()) if _stops(-values, column) else _outward(near_upper_bound(values, BEYOND), column, up=True)
    )


def _stops(values: FloatArray, column: Column) -> bool:
    """True if values stop at a round smallest one, such as 100 or 0.5, which many rows have: a bound that someone set.

    Integers with a variable of their own may pass the range seen a little: `check` counts them.
    """
    if column.kind == "integer":
        return False
    levels, counts = np.unique(values, return_counts=True)
    if len(levels) < 2 or not _is_round(abs(float(levels[0])) / 10.0**column.scale):
        return False
    return bool(counts[0] >= CERTAIN_END / 5 and counts[0] >= counts[1:4].mean() / 2)


def _is_round(number: float) -> bool:
    """True for numbers of at most two digits, and zeros."""
    return float(f"{number:.2g}") == number


def _outward(bound: float, column: Column, *, up: bool) -> float:
    """Round a bound to two digits, away from the values; in the unit of the column."""
    unit = 10.0**column.scale
    plain = bound / unit
    if plain == 0:
        return 0.0
    size = 10.0 ** (np.floor(np.log10(abs(plain))) - 1)
    size = max(size, 1.0) if column.role == "integer" else size
    rounded = (np.ceil(plain / size) if up else np.floor(plain / size)) * size
    return float(f"{rounded * unit:.12g}")
