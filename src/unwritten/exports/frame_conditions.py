"""Conditions as Python expressions over `frame`, which call the functions of `frame_tests.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from unwritten.conditions import (
    Alike,
    All,
    Begins,
    Condition,
    Decides,
    Either,
    HasForm,
    HasLength,
    IsPart,
    Known,
    Missing,
    MultipleOf,
    Not,
    OneOf,
    Product,
    Readable,
    Same,
    Unique,
    Within,
    WithinBy,
)
from unwritten.conditions.forms import regex_of
from unwritten.exports.sql_conditions import allowed_error
from unwritten.tables import Column, Schema
from unwritten.tables.roles import TIMES
from unwritten.tables.units import number_text

MOST_FLAT = 100  # tests in one flat expression: Python parses a long one as deeply nested


@dataclass(frozen=True)
class FrameConditions:
    """Conditions on the columns of one table."""

    schema: Schema

    def test(self, condition: Condition) -> str:
        """Return the expression whose value is False for the rows that break the condition."""
        writers: dict[type[Condition], Callable[[Any], str]] = {
            All: self._all,
            Either: lambda either: " | ".join(map(self._part, either.parts)),
            Not: lambda negated: f"~{self._part(negated.part)}",
            Same: lambda same: f"{self._part(same.left)} == {self._part(same.right)}",
            OneOf: self._one_of,
            Known: lambda known: self._one_of(OneOf(known.column, self.schema[known.column].levels)),
            Missing: lambda missing: f"missing(frame, {missing.column!r})",
            Readable: lambda readable: f"readable(frame, {readable.column!r})",
            Within: self._within,
            WithinBy: self._within_by,
            MultipleOf: lambda multiple: (
                f"multiple_of(frame, {multiple.column!r}, {10 ** self.schema[multiple.column].scale}, {multiple.step})"
            ),
            HasForm: lambda form: f"has_form(frame, {form.column!r}, {regex_of(form.forms)!r})",
            HasLength: lambda size: f"has_length(frame, {size.column!r}, {size.fewest}, {size.most})",
            Alike: lambda a: f"alike(frame, {a.column!r}, {a.other!r})",
            Begins: lambda b: f"begins(frame, {b.column!r}, {b.other!r}, {b.before!r}, {b.part!r})",
            IsPart: lambda p: f"is_part(frame, {p.column!r}, {p.part!r}, {p.time!r}, {p.values!r})",
            Unique: lambda key: f"unique(frame, {list(key.names)!r})",
            Decides: lambda d: f"decides(frame, {d.left!r}, {d.right!r}, {d.right_of!r})",
        }
        return writers[type(condition)](condition)

    def _part(self, condition: Condition) -> str:
        text = self.test(condition)
        return f"({text})" if isinstance(condition, All | Either | Same) else text

    def _all(self, every: All) -> str:
        parts = [self._part(part) for part in every.parts]
        return " & ".join(parts) if len(parts) <= MOST_FLAT else f"every([{', '.join(parts)}])"

    def _one_of(self, test: OneOf) -> str:
        """Return the test for the values or, negated, for the other values of a closed column, whichever are fewer."""
        column = self.schema[test.column]
        others = [level for level in column.levels if level not in test.values]
        if column.closed and column.kind != "skip" and 0 < len(others) < len(test.values):
            return f"~one_of(frame, {test.column!r}, {others!r})"
        return f"one_of(frame, {test.column!r}, {list(test.values)!r})"

    def _within(self, total: Within) -> str:
        terms = ", ".join(f"({factor}, {self._operand(term)})" for factor, term in total.terms)
        columns = [self.schema[name] for name in total.numbers]
        finest = max(columns, key=lambda column: column.scale) if columns else None
        bounds = ", ".join(_bound(end, finest, single=len(total.terms) == 1) for end in (total.lowest, total.highest))
        more = f", {_plain(allowed_error(total), finest)}" if total.is_computed else ", 0" if total.strict else ""
        return f"within(frame, [{terms}], {bounds}{more}{', True' if total.strict else ''})"

    def _operand(self, term: str | OneOf | Product) -> str:
        return self.test(term) if isinstance(term, OneOf) else repr(term.columns if isinstance(term, Product) else term)

    def _within_by(self, by: WithinBy) -> str:
        column = self.schema[by.column]
        ranges = (
            f"{value!r}: ({_bound(low, column, single=True)}, {_bound(high, column, single=True)})"
            for value, low, high in by.ranges
        )
        return f"within_by(frame, {by.by!r}, {by.column!r}, {{{', '.join(ranges)}}})"


def _bound(value: float | None, column: Column | None, *, single: bool) -> str:
    """Return a bound in the unit in which people write the numbers of a column."""
    if value is None:
        return "None"
    if single and column is not None and column.role in TIMES:
        return f"moment({number_text(value, column)!r})"
    if column is not None and column.role == "float":
        return repr(value)
    return _plain(Decimal(value), column)


def _plain(value: Decimal, column: Column | None) -> str:
    number = value.scaleb(-column.scale if column is not None else 0)
    return str(int(number)) if number == int(number) else repr(float(number))
