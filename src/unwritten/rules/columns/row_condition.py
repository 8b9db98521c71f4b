"""Row condition: what a row over the variables of a table says of its columns.

A row over one-hot variables is a sum of one term per column, because a column has exactly one level. If each term has
two values and only the largest sum exceeds the right-hand side, the row says: not all of these at once.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from unwritten import budgets
from unwritten.conditions import All, Condition, Not, OneOf, Same, Terms, Within
from unwritten.data import IntArray
from unwritten.rules.columns.one_hot_rows import level_values
from unwritten.rules.columns.scope import Scope
from unwritten.tables.column import Column


def row_condition(scope: Scope, row: IntArray, equality: bool, rhs: int) -> Condition | None:
    """Return the condition that a row states; None if it holds whenever every column has a known value."""
    by_level, by_number = level_values(row, scope)
    additions = {scope.columns[c]: values for c, values in by_level.items()}
    factors = {scope.columns[c]: factor for c, factor in by_number.items()}
    reach = sum(abs(a) * budgets.LARGEST_LABEL for a in factors.values())  # integers may leave the range seen
    low = sum(min(values) for values in additions.values()) - reach
    high = sum(max(values) for values in additions.values()) + reach
    if high <= rhs and (not equality or low == high == rhs):
        return None
    if not factors:
        if len(additions) == 1:
            ((column, values),) = additions.items()
            wrong = [k for k, v in enumerate(values) if (v != rhs if equality else v > rhs)]
            return Not(_levels(column, wrong))
        if additions and all(len(set(values)) == 2 for values in additions.values()):
            steps = [max(values) - min(values) for values in additions.values()]
            largest = tuple(_levels_adding(column, max(values), values) for column, values in additions.items())
            if not equality and high - min(steps) <= rhs:
                return Not(All(largest))
            if equality and len(largest) == 2 and steps[0] == steps[1] == rhs - low:
                return _same(list(additions), *largest)
    return _sum(additions, factors, equality, rhs)


def _same(columns: list[Column], first: OneOf, second: OneOf) -> Condition:
    """Return that exactly one of two tests is true, in its shorter form."""
    tests = [(first, _others(columns[1], second)), (_others(columns[0], first), second)]
    return Same(*min(tests, key=lambda pair: len(pair[0].values) + len(pair[1].values)))


def _sum(additions: dict[Column, list[int]], factors: dict[Column, int], equality: bool, rhs: int) -> Within:
    """Return the row as a sum: of numbers where levels are numbers, else of what the levels count.

    What a column adds most often moves to the right, so that few levels remain. Among equally frequent numbers it is
    that of the first level.
    """
    terms: list[tuple[int, str | OneOf]] = []
    for column, values in additions.items():
        line = _line_through(column, values)
        if line is not None:
            terms.append((line[0], column.name))
            rhs -= line[1]
            continue
        common = Counter(values).most_common(1)[0][0]
        rhs -= common
        others = sorted(set(values) - {common})
        terms += [(value - common, _levels_adding(column, value, values)) for value in others]
    summed: Terms = (*terms, *((factor, column.name) for column, factor in factors.items()))
    return Within(summed, rhs if equality else None, rhs)


def _line_through(column: Column, values: list[int]) -> tuple[int, int] | None:
    """Return (a, b) if each level adds a times its number plus b, so that the column can stand in a sum itself."""
    numbers = column.numbers if column.dtype == "integer" else None
    if numbers is None or len(numbers) < 2 or len(set(values)) < 2:
        return None
    a, rest = divmod(values[1] - values[0], numbers[1] - numbers[0])
    b = values[0] - a * numbers[0]
    return (a, b) if not rest and all(a * x + b == v for x, v in zip(numbers, values, strict=True)) else None


def _levels_adding(column: Column, value: int, values: list[int]) -> OneOf:
    return _levels(column, np.flatnonzero(np.array(values, object) == value).tolist())


def _levels(column: Column, places: list[int]) -> OneOf:
    return OneOf(column.name, tuple(column.levels[k] for k in places))


def _others(column: Column, test: OneOf) -> OneOf:
    return OneOf(column.name, tuple(level for level in column.levels if level not in test.values))
