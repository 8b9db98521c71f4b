"""Expectations: conditions in terms of what Great Expectations knows of its own, for databases and data frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unwritten.conditions import (
    Alike,
    All,
    Condition,
    Either,
    HasForm,
    HasLength,
    Missing,
    Not,
    OneOf,
    Readable,
    Unique,
    Within,
)
from unwritten.conditions.forms import regex_of
from unwritten.exports.plain_conditions import simpler
from unwritten.exports.row_filters import (
    ALL_ROWS,
    Cases,
    RowFilters,
    both,
    filter_of,
    is_listed,
    is_sayable,
    number_in,
    typed,
)
from unwritten.exports.sql_texts import is_text
from unwritten.tables import Column, Schema
from unwritten.tables.roles import NUMBERS, TIMES

MOST = 20  # expectations of one condition: more of them are better asked as one query

Expectation = tuple[str, dict[str, Any]]
"""The name of an expectation of Great Expectations, and its arguments."""


@dataclass(frozen=True)
class Expectations:
    """Expectations of the rows of one table."""

    schema: Schema

    def of(self, condition: Condition) -> list[Expectation] | None:
        """Return expectations that find the rows which break a condition; None if none say it."""
        if not all(is_sayable(self.schema[name]) for name in condition.columns):
            return None
        expected = self._of(condition, ALL_ROWS)
        return expected if expected is None or len(expected) <= MOST else None

    def _of(self, condition: Condition, rows: Cases) -> list[Expectation] | None:
        """Return expectations of some rows."""
        match condition:
            case All(parts):
                each = [self._of(part, rows) for part in parts]
                return None if None in each else [one for several in each for one in several or ()]
            case Either(parts):
                return self._of_last(parts, rows)
        plain = simpler(condition, self.schema)
        if plain is not None:
            return self._of(plain, rows)
        found = self._of_cell(condition)
        if found is None and rows == ALL_ROWS:  # in databases, these cannot be limited to some rows
            found = self._of_cells(condition)
        if found is None or rows == ALL_ROWS:
            return found
        return [(kind, options | {"row_condition": filter_of(rows)}) for kind, options in found] if rows else []

    def _of_last(self, parts: tuple[Condition, ...], rows: Cases) -> list[Expectation] | None:
        """Return what the last part that can expects of the rows that break all others."""
        filters = RowFilters(self.schema)
        for k in reversed(range(len(parts))):
            others = All(tuple(Not(part) for part in (*parts[:k], *parts[k + 1 :])))
            concerned = both(rows, filters.where(others))
            expected = None if concerned is None else self._of(parts[k], concerned)
            if expected is not None:
                return expected
        return None

    def _of_cell(self, condition: Condition) -> list[Expectation] | None:
        """Return what a condition on one column expects."""
        found: list[Expectation] | None = None
        match condition:
            case Readable():
                found = []  # left to the types of columns
            case Missing(name) | OneOf(name, (None,)):
                found = [("expect_column_values_to_be_null", {"column": name})]
            case Not(Missing(name)):
                found = [_not_null(name)]
            case OneOf(name) if self.schema[name].role not in TIMES:
                found = self._one_of(condition)
            case Not(OneOf(name, values)) if self.schema[name].role not in TIMES and self.schema[name].kind != "bins":
                wrong = {"column": name, "value_set": typed(self.schema[name], values)}
                there = [_not_null(name)] if None in values else []
                found = [*there, ("expect_column_values_to_not_be_in_set", wrong)]
            case Within(((1, str() as name),)):
                found = self._within(name, condition)
            case HasForm(name, forms) if is_text(self.schema[name]):
                form = "|".join(f"^{regex_of((form,))}$" for form in forms)
                found = [("expect_column_values_to_match_regex", {"column": name, "regex": form})]
            case HasLength(name, fewest, most) if is_text(self.schema[name]):
                size = {"column": name, "min_value": fewest, "max_value": most}
                found = [("expect_column_value_lengths_to_be_between", size)]
            case Unique((name,)):
                found = [("expect_column_values_to_be_unique", {"column": name})]
        return found

    def _one_of(self, test: OneOf) -> list[Expectation] | None:
        column, place = self.schema[test.column], {"column": test.column}
        there = [] if None in test.values or is_listed(column) else [_not_null(test.column)]
        if column.kind != "bins":
            return [*there, ("expect_column_values_to_be_in_set", place | {"value_set": typed(column, test.values)})]
        ranges = column.ranges([column.levels.index(level) for level in test.values if level is not None])
        if len(ranges) != 1:
            return None
        return [*there, _between(test.column, *ranges[0], strict=True)]

    def _within(self, name: str, total: Within) -> list[Expectation] | None:
        column = self.schema[name]
        low, high = (None if end is None else number_in(column, end) for end in (total.lowest, total.highest))
        if low is None and high is None:
            return []
        if column.role in TIMES:  # databases and frames disagree on how times are compared with texts
            return None
        return [_between(name, low, high, strict=total.strict)]

    def _of_cells(self, condition: Condition) -> list[Expectation] | None:
        """Return what a condition on several columns expects."""
        match condition:
            case Unique(names):
                return [("expect_compound_columns_to_be_unique", _unless_missing(names))]
            case Alike(one, other) if self._are_texts(one, other):
                return [_equal(one, other)]
            case Not(Alike(one, other)) if self._are_texts(one, other):
                return [_different(one, other)]
            case Not(Within(lowest=0, highest=0) as total) if _is_difference(total) and self._are_whole(total):
                return [_different(*total.numbers)]
            case Within():
                return self._of_sum(condition)
        return None

    def _of_sum(self, total: Within) -> list[Expectation] | None:
        factors, names, (low, high) = {f for f, _ in total.terms}, total.numbers, (total.lowest, total.highest)
        if len(names) < len(total.terms) or total.tolerance or len(names) < 2:
            return None
        if _is_difference(total) and (low, high) in ((None, 0), (0, None)):
            first, second = names if (total.terms[0][0] > 0) == (low == 0) else names[::-1]
            larger = {"column_A": first, "column_B": second, "or_equal": not total.strict}
            ignored = {"ignore_row_if": "either_value_is_missing"}
            comparable = self._unit(first) == self._unit(second) != ""
            return [("expect_column_pair_values_a_to_be_greater_than_b", larger | ignored)] if comparable else None
        if low is None or low != high or not self._are_whole(total):
            return None
        if _is_difference(total) and low == 0:
            return [_equal(*names)]
        if len(factors) > 1:
            return None
        whole = {"sum_total": low / factors.pop()}
        return [("expect_multicolumn_sum_to_equal", _unless_missing(names) | whole)]

    def _unit(self, name: str) -> str:
        """Return what the values of a column can be compared with."""
        column = self.schema[name]
        is_number = column.dtype == "integer" or column.kind == "integer" or column.role in NUMBERS
        return "number" if is_number else column.role if column.role in TIMES else ""

    def _are_texts(self, *names: str) -> bool:
        return all(is_text(self.schema[name]) for name in names)

    def _are_whole(self, total: Within) -> bool:
        """True if the numbers of a sum are integers, which no computation rounds."""
        return all(_is_whole(self.schema[name]) for name in total.numbers)


def _is_whole(column: Column) -> bool:
    is_exact = "integer" in (column.dtype, column.kind) or column.role in ("integer", "decimal")
    return is_exact and not column.scale


def _is_difference(total: Within) -> bool:
    return len(total.numbers) == len(total.terms) == 2 and sorted(f for f, _ in total.terms) == [-1, 1]


def _between(name: str, low: float | None, high: float | None, *, strict: bool) -> Expectation:
    ends = {"min_value": low, "max_value": high, "strict_max": strict or None}
    given = {key: value for key, value in ends.items() if value is not None}
    return "expect_column_values_to_be_between", {"column": name} | given


def _not_null(name: str) -> Expectation:
    return "expect_column_values_to_not_be_null", {"column": name}


def _equal(one: str, other: str) -> Expectation:
    pair = {"column_A": one, "column_B": other, "ignore_row_if": "either_value_is_missing"}
    return "expect_column_pair_values_to_be_equal", pair


def _different(one: str, other: str) -> Expectation:
    return "expect_select_column_values_to_be_unique_within_record", _unless_missing((one, other))


def _unless_missing(names: tuple[str, ...]) -> dict[str, Any]:
    return {"column_list": list(names), "ignore_row_if": "any_value_is_missing"}
