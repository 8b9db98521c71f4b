"""Facts in SQL: conditions that every row must meet, and queries for keys and dependencies, which rows share.

A condition is NULL where a cell is missing that it needs. A CHECK passes then, and a query for broken rows skips them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from unwritten.exports.dialect import Dialect
from unwritten.exports.sql_expressions import joined, two_sided
from unwritten.exports.sql_texts import TextExpressions
from unwritten.facts import (
    DatePart,
    Dependency,
    Fact,
    Key,
    LinearFact,
    MissingTogether,
    MissingWhen,
    NeverMissing,
    Order,
    RangeBy,
    RangeFact,
    RangeWhen,
    StartsWith,
    Step,
    SumOrder,
    TextForm,
    TextLength,
)
from unwritten.facts.dependency import Entry
from unwritten.facts.units import number_text
from unwritten.tables import Column, Schema
from unwritten.tables.column import Level
from unwritten.tables.roles import NUMBERS, TIMES

ROUNDING = Decimal("0.01")  # of the last digit: above the rounding of sums of floats, below a wrong digit
DATE_PATTERN = "[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]"


@dataclass(frozen=True)
class FactExpressions:
    """Facts about the columns of one table, in one dialect."""

    schema: Schema
    dialect: Dialect

    def condition(self, fact: Fact) -> str | None:
        """Return the condition that a row must meet by itself; None if there is none.

        A key or a dependency has none. Neither has a range without bounds in a database whose columns have types.
        """
        texts = TextExpressions(self.schema, self.dialect)
        writers: dict[type[Fact], Callable[[Any], str | None]] = {
            LinearFact: self._sum,
            Order: self._order,
            SumOrder: self._sum_order,
            DatePart: texts.date_part,
            StartsWith: texts.starts_with,
            MissingTogether: self._missing_together,
            TextForm: texts.form,
            TextLength: texts.length,
            Step: self._step,
            RangeFact: self._range,
            RangeWhen: self._given_a_value,
            RangeBy: self._given_a_value,
            MissingWhen: self._given_a_value,
            NeverMissing: self._never_missing,
        }
        writer = writers.get(type(fact))
        return None if writer is None else writer(fact)

    def known_pairs(self, fact: Dependency) -> list[KnownPairs]:
        """Return the values that a dependency has learned, for each side that decides the other one."""
        sides = [KnownPairs(fact.left, fact.right, fact.mapping, self)]
        if fact.both:
            turned = {entry[1:]: entry[0] for entry in fact.mapping}
            entries = tuple((*right, left) for right, left in turned.items())
            sides.append(KnownPairs((fact.right,), fact.left[0], entries, self))
        return sides

    def literal(self, name: str, text: Level) -> str:
        """Return a value of a column as SQL."""
        if text is None:
            return "NULL"
        column = self.schema[name]
        if column.dtype == "boolean" and column.kind != "skip" and text in ("true", "false"):
            return text.upper()
        return text if self.is_number(column) else self.dialect.string(text)

    def cell(self, name: str, table: str = "") -> str:
        """Return a cell as it is compared with such values."""
        column, plain = self.schema[name], f"{table}{self._name(name)}"
        return f"CAST({plain} AS VARCHAR)" if column.role in TIMES else plain

    def is_number(self, column: Column) -> bool:
        """True if the cells of a column are numbers in a database."""
        return column.dtype == "integer" or (column.kind == "skip" and column.role in NUMBERS)

    def _name(self, name: str) -> str:
        return self.dialect.identifier(name)

    def _sum(self, fact: LinearFact) -> str:
        scale = max(self.schema[name].scale for name in fact.names)
        terms = [(self._name(name), factor) for name, factor in zip(fact.names, fact.coefficients, strict=True)]
        if sum(factor > 0 for _, factor in terms) > sum(factor < 0 for _, factor in terms) > 0:
            terms = [(name, -factor) for name, factor in terms]
            total = -fact.total
        else:
            total = fact.total
        if not scale and not fact.tolerance:
            return two_sided(terms, "=", total)
        constant, off = _plain(Decimal(total), scale), _plain(allowed_error(fact), scale)
        left, _, right = two_sided(terms, "=", constant).partition(" = ")
        return f"ABS({left} - ({right})) <= {off}"

    def _order(self, fact: Order) -> str:
        return f"{self._name(fact.low)} {'<' if fact.strict else '<='} {self._name(fact.high)}"

    def _never_missing(self, fact: NeverMissing) -> str:
        return " AND ".join(f"{self._name(name)} IS NOT NULL" for name in fact.names)

    def _missing_together(self, fact: MissingTogether) -> str:
        first, *others = (f"({self._name(name)} IS NULL)" for name in fact.names)
        return " AND ".join(f"{first} = {other}" for other in others)

    def _sum_order(self, fact: SumOrder) -> str:
        low, high = (" + ".join(map(self._name, side)) for side in (fact.low, fact.high))
        scale = max(self.schema[name].scale for name in fact.columns)
        if not scale and all(self.schema[name].role != "float" for name in fact.columns):
            return f"{low} <= {high}"
        return f"{low} - ({high}) <= {_plain(ROUNDING, scale)}"

    def _step(self, fact: Step) -> str:
        """Return the test that a number is a multiple; fractions are made whole first."""
        column, name = self.schema[fact.name], self._name(fact.name)
        if not column.scale:
            return f"{name} % {fact.step} = 0"
        whole = f"ROUND({name} * {10**column.scale})"
        exact = f"ABS({name} * {10**column.scale} - {whole}) <= {ROUNDING}"
        return f"{exact} AND CAST({whole} AS BIGINT) % {fact.step} = 0"

    def _range(self, fact: RangeFact) -> str | None:
        column, name = self.schema[fact.name], self._name(fact.name)
        tests = [] if self.dialect.typed else [self._is_of_role(column, name)]
        tests += [] if fact.lowest is None else [f"{name} >= {self._bound(fact.lowest, column)}"]
        tests += [] if fact.highest is None else [f"{name} <= {self._bound(fact.highest, column)}"]
        return " AND ".join(tests) or None

    def _given_a_value(self, fact: RangeWhen | RangeBy | MissingWhen) -> str:
        """Return a condition on a column that depends on the value of another one."""
        match fact:
            case RangeWhen():
                return self._range_when(fact)
            case RangeBy():
                ranges = [
                    f"({self._unless(fact.by, (value,))} OR ({self._between(fact.name, low, high)}))"
                    for value, low, high in fact.ranges
                ]
                return f"{self._no_number(fact.name)}({joined(ranges, ' AND ')})"
            case MissingWhen():
                name, sides = self._name(fact.name), ((fact.missing, "IS NULL"), (fact.present, "IS NOT NULL"))
                return " AND ".join(
                    f"({self._unless(fact.by, values)} OR {name} {test})" for values, test in sides if values
                )

    def _range_when(self, fact: RangeWhen) -> str:
        other, between = self._unless(fact.by, (fact.value,)), self._between(fact.name, fact.lowest, fact.highest)
        if fact.exactly:
            return f"{self._no_number(fact.name)}({other}) <> ({between})"
        return f"{other} OR {self._no_number(fact.name)}({between})"

    def _no_number(self, name: str) -> str:
        """Return the test that a cell holds no number or date, and OR: SQLite would compare it."""
        column, plain = self.schema[name], self._name(name)
        return f"{plain} IS NULL OR " + ("" if self.dialect.typed else f"NOT ({self._is_of_role(column, plain)}) OR ")

    def _between(self, name: str, lowest: float | None, highest: float | None) -> str:
        """Return the test that a number lies between bounds."""
        column, number = self.schema[name], self._name(name)
        tests = [] if lowest is None else [f"{number} >= {self._bound(lowest, column)}"]
        tests += [] if highest is None else [f"{number} <= {self._bound(highest, column)}"]
        return " AND ".join(tests)

    def _unless(self, name: str, values: tuple[Level, ...]) -> str:
        """Return the test that a cell has none of these values; it is never NULL."""
        cell = self.cell(name)
        there = ", ".join(self.literal(name, value) for value in values if value is not None)
        if None in values:
            return f"({cell} IS NOT NULL AND {cell} NOT IN ({there}))" if there else f"{cell} IS NOT NULL"
        return f"({cell} IS NULL OR {cell} NOT IN ({there}))"

    def _is_of_role(self, column: Column, name: str) -> str:
        """Return the test that a cell holds a number or date: SQLite stores any value in any column."""
        if column.role in TIMES:
            tail = "*" if column.role == "timestamp" else ""
            return f"CAST({name} AS VARCHAR) GLOB '{DATE_PATTERN}{tail}'"
        return f"{name} = CAST({name} AS DOUBLE)"

    def _bound(self, value: float, column: Column) -> str:
        if column.role in TIMES:
            return self.dialect.string(number_text(value, column))
        return repr(value) if column.role == "float" else _plain(Decimal(value), column.scale)


@dataclass(frozen=True)
class KnownPairs:
    """Values of the columns `left` and the value of `right` that each of them came with."""

    left: tuple[str, ...]
    right: str
    entries: tuple[Entry, ...]
    facts: FactExpressions

    def broken_rows(self, table: str, columns: str) -> list[str]:
        """Return queries for the rows of a table that have known left values and another right value.

        Missing left values are equal to nothing in a join, so they are queries of their own.
        """
        complete = [entry for entry in self.entries if None not in entry[:-1]]
        queries = [self._join(complete, table, columns)] if complete else []
        cell, literal = self.facts.cell, self.facts.literal
        for *left, right in (entry for entry in self.entries if None in entry[:-1]):
            tests = [
                f"{cell(name)} IS NULL" if text is None else f"{cell(name)} = {literal(name, text)}"
                for name, text in zip(self.left, left, strict=True)
            ]
            wrong = f"{cell(self.right)} IS NULL OR {cell(self.right)} <> {literal(self.right, right)}"
            tests.append(f"{cell(self.right)} IS NOT NULL" if right is None else f"({wrong})")
            queries.append(f"SELECT {columns}\nFROM {table} AS t WHERE {' AND '.join(tests)}")
        return queries

    def _join(self, entries: Sequence[Entry], table: str, columns: str) -> str:
        cell, names = self.facts.cell, [f"left_{k}" for k in range(1, len(self.left) + 1)]
        values = ",\n".join(self._values(entry) for entry in entries)
        same = " AND ".join(f"{cell(name, 't.')} = known.{known}" for name, known in zip(self.left, names, strict=True))
        there, known = cell(self.right, "t."), "known.right_value"
        differs = [f"{there} <> {known}", f"({there} IS NULL AND {known} IS NOT NULL)"]
        differs.append(f"({there} IS NOT NULL AND {known} IS NULL)")
        return (
            f"WITH known({', '.join([*names, 'right_value'])}) AS (VALUES\n{values}\n)\n"
            f"SELECT {columns}\nFROM {table} AS t JOIN known ON {same}\nWHERE {' OR '.join(differs)}"
        )

    def _values(self, entry: Entry) -> str:
        return f"({', '.join(map(self.facts.literal, (*self.left, self.right), entry))})"


def contradictions(fact: Dependency, dialect: Dialect) -> list[tuple[str, str]]:
    """Return the columns on the left and the one on the right, for each side of a dependency without known values."""
    left, right = ", ".join(map(dialect.identifier, fact.left)), dialect.identifier(fact.right)
    return [(left, right), (right, left)] if fact.both else [(left, right)]


def allowed_error(fact: LinearFact) -> Decimal:
    """Return how far a sum of floats may be off, in the unit of the fact."""
    tolerance = Decimal(repr(fact.tolerance))
    return tolerance + (ROUNDING if tolerance == int(tolerance) else Decimal(repr(fact.rounding)))


def copies(fact: Key, dialect: Dialect) -> tuple[str, str]:
    """Return the columns of a key, and the condition that none of them is missing."""
    names = [dialect.identifier(name) for name in fact.names]
    return ", ".join(names), " AND ".join(f"{name} IS NOT NULL" for name in names)


def _plain(value: Decimal, scale: int) -> str:
    """Return a number of units of 10 to the minus `scale` in plain digits.

    >>> _plain(Decimal(1250), 2), _plain(Decimal("0.01"), 2)
    ('12.5', '0.0001')
    """
    text = f"{value.scaleb(-scale):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
