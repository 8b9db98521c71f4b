"""Row filters: conditions of Great Expectations that choose the rows which an expectation is about.

It takes tests of single cells that are joined by "and", and such groups joined by "or".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from typing import Any

from unwritten.conditions import All, Condition, Either, Missing, Not, OneOf, Within
from unwritten.exports.plain_conditions import simpler
from unwritten.tables import Column, Schema
from unwritten.tables.column import Level, is_integer
from unwritten.tables.roles import NUMBERS, TIMES, is_number

MOST_TESTS = 100  # that one filter of Great Expectations may hold
SAFE_NAME = re.compile(r"[\w .-]+")  # Great Expectations puts names of columns into expressions without escaping them
TRUTH = {"true", "false"}

Test = dict[str, Any]  # of a cell, as Great Expectations saves it
Cases = list[list[Test]]  # rows pass all tests of one of the cases
ALL_ROWS: Cases = [[]]


def filter_of(cases: Cases) -> dict[str, Any]:
    """Return cases as Great Expectations saves them."""
    groups = [case[0] if len(case) == 1 else {"type": "and", "conditions": case} for case in cases]
    return groups[0] if len(groups) == 1 else {"type": "or", "conditions": groups}


def both(first: Cases | None, second: Cases | None) -> Cases | None:
    """Return the cases of rows that are in both; None if they take too many tests."""
    if first is None or second is None or len(first) * len(second) > MOST_TESTS:
        return None
    cases = [[*one, *(test for test in other if test not in one)] for one in first for other in second]
    return cases if sum(map(len, cases)) <= MOST_TESTS else None


def number_in(column: Column, value: float) -> int | float:
    """Return a number of a condition in the unit in which people write the numbers of the column."""
    plain = Decimal(repr(float(value))).scaleb(-column.scale)
    return int(plain) if plain == int(plain) else float(plain)


def typed(column: Column, levels: Sequence[Level]) -> list[int | float | str | bool]:
    """Return the values of some levels as a typed table holds them, without the missing one."""
    texts = [level for level in levels if level is not None]
    if column.dtype == "boolean":
        return [text == "true" for text in texts]
    if column.dtype == "integer" or (column.role in NUMBERS and all(map(is_number, texts))):
        return [int(text) if is_integer(text) else float(text) for text in texts]
    return list(texts)


def is_sayable(column: Column) -> bool:
    """True if cells of the column can be compared with values, in whatever holds the table.

    Truth with gaps is text to the model, but not to a data frame.
    """
    is_truth = column.dtype == "text" and bool(column.levels) and TRUTH.issuperset(filter(None, column.levels))
    return SAFE_NAME.fullmatch(column.name) is not None and not is_truth


def is_listed(column: Column) -> bool:
    """True if a cell of the column is wrong already if it is missing, or has a value that was never seen."""
    return column.closed and column.kind != "skip" and None not in column.levels


@dataclass(frozen=True)
class RowFilters:
    """Filters for the rows of one table."""

    schema: Schema

    def where(self, condition: Condition) -> Cases | None:
        """Return the cases in which a condition is true for a row; None if no filter says it."""
        match condition:
            case All(parts):
                start: Cases | None = ALL_ROWS
                return reduce(both, map(self.where, parts), start)
            case Either(parts):
                cases = [self.where(part) for part in parts]
                several = [case for one in cases for case in one or ()]
                return None if None in cases else [case for k, case in enumerate(several) if case not in several[:k]]
            case Missing(name):
                return [[_is_null(name, True)]]
            case Not(Missing(name)):
                return [[_is_null(name, False)]]
            case OneOf():
                return self._one_of(condition)
            case Not(OneOf() as test):
                return self._none_of(test)
            case Within() | Not(Within()):
                return self._within(condition)
        plain = simpler(condition, self.schema)
        return None if plain is None else self.where(plain)

    def _one_of(self, test: OneOf) -> Cases | None:
        column, gone = self.schema[test.column], [[_is_null(test.column, True)]] if None in test.values else []
        if column.role in TIMES:
            return None
        if column.kind == "bins":
            ranges = column.ranges([column.levels.index(level) for level in test.values if level is not None])
            return [*_in_ranges(column.name, ranges), *gone]
        values = typed(column, test.values)
        if any(isinstance(value, bool) for value in values):
            return [*([_compared(column.name, "==", value)] for value in values), *gone]
        return [*([[_compared(column.name, "IN", values)]] if values else []), *gone]

    def _none_of(self, test: OneOf) -> Cases | None:
        column, there = self.schema[test.column], _is_null(test.column, False)
        if column.role in TIMES:
            return None
        if column.kind == "bins":
            return self._one_of(OneOf(column.name, tuple(v for v in column.levels if v not in test.values)))
        values = typed(column, test.values)
        if any(isinstance(value, bool) for value in values):
            tests = [_compared(column.name, "!=", value) for value in values]
        else:
            tests = [_compared(column.name, "NOT_IN", values)] if values else []
        if None in test.values:
            return [[there, *tests]]
        return [tests] if is_listed(column) else [[_is_null(column.name, True)], tests]

    def _within(self, condition: Condition) -> Cases | None:
        """Return the cases of a number in a range, or beyond it; a missing number is in none."""
        negated = isinstance(condition, Not)
        total = condition.part if isinstance(condition, Not) else condition
        if not isinstance(total, Within) or len(total.terms) > 1 or total.terms[0][0] != 1:
            return None
        name = total.terms[0][1]
        if not isinstance(name, str) or self.schema[name].role in TIMES:
            return None
        column, above = self.schema[name], "<" if total.strict else "<="
        if total.lowest is not None and total.lowest == total.highest and not negated:
            return [[_compared(name, "==", number_in(column, total.lowest))]]
        sides = [(">=", "<", total.lowest), (above, ">=" if total.strict else ">", total.highest)]
        tests = [
            _compared(name, opposite if negated else sign, number_in(column, bound))
            for sign, opposite, bound in sides
            if bound is not None
        ]
        return [[test] for test in tests] if negated else [tests or [_is_null(name, False)]]


def _in_ranges(name: str, ranges: Sequence[tuple[float | None, float | None]]) -> Cases:
    sides = [((">=", low), ("<", high)) for low, high in ranges]
    cases = [[_compared(name, sign, end) for sign, end in pair if end is not None] for pair in sides]
    return [case or [_is_null(name, False)] for case in cases]


def _is_null(name: str, yes: bool) -> Test:
    return {"type": "nullity", "column": {"name": name}, "is_null": yes}


def _compared(name: str, operator: str, value: object) -> Test:
    return {"type": "comparison", "column": {"name": name}, "operator": operator, "parameter": value}
