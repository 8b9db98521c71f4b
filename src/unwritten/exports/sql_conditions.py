"""Conditions in SQL that both SQLite and DuckDB run, and dbt in most databases.

An expression is NULL where the condition is unknown. A CHECK passes then, and a query for broken rows skips the row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any

from unwritten import budgets
from unwritten.conditions import (
    Alike,
    All,
    Begins,
    Condition,
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
    Within,
    WithinBy,
)
from unwritten.exports.dialect import Dialect
from unwritten.exports.sql_texts import TextTests
from unwritten.tables import Column, Schema
from unwritten.tables.column import Level
from unwritten.tables.roles import NUMBERS, TIMES
from unwritten.tables.units import number_text

FLAT_TERMS = 256  # in one flat expression: SQLite limits the depth of an expression to 1,000
ROUNDING = Decimal("0.01")  # of the last digit: above the rounding of sums of floats, below a wrong digit
DATE_PATTERN = "[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]"


@dataclass(frozen=True)
class SqlConditions:
    """Conditions on the columns of one table, in one dialect."""

    schema: Schema
    dialect: Dialect

    def test(self, condition: Condition) -> str:
        """Return the condition of a single row as SQL."""
        writers: dict[type[Condition], Callable[[Any], str]] = {
            All: self._all,
            Either: lambda either: joined([self._part(part) for part in either.parts], " OR "),
            Not: self._not,
            Same: lambda same: f"({self.test(same.left)}) = ({self.test(same.right)})",
            OneOf: self._one_of,
            Known: lambda known: self._known(self.schema[known.column]),
            Missing: lambda missing: f"{self._name(missing.column)} IS NULL",
            Readable: lambda readable: "TRUE" if self.dialect.typed else self._readable(readable.column),
            Within: self._within,
            WithinBy: self._within_by,
            MultipleOf: self._multiple_of,
        }
        writers |= dict.fromkeys((HasForm, HasLength, Begins, IsPart, Alike), TextTests(self.schema, self.dialect).test)
        return writers[type(condition)](condition)

    def cell(self, name: str, table: str = "") -> str:
        """Return a cell as it is compared with values that were seen."""
        plain = f"{table}{self._name(name)}"
        return f"CAST({plain} AS VARCHAR)" if self.schema[name].role in TIMES else plain

    def literal(self, name: str, level: Level) -> str:
        """Return a value of a column as SQL."""
        if level is None:
            return "NULL"
        column = self.schema[name]
        if column.dtype == "boolean" and column.kind != "skip" and level in ("true", "false"):
            return level.upper()
        is_number = column.dtype == "integer" or (column.kind == "skip" and column.role in NUMBERS)
        return level if is_number else self.dialect.string(level)

    def _name(self, name: str) -> str:
        return self.dialect.identifier(name)

    def _part(self, condition: Condition) -> str:
        """Return a condition that can stand beside others."""
        text = self.test(condition)
        return f"({text})" if " AND " in text or " OR " in text else text

    def _all(self, every: All) -> str:
        readable = {part.column for part in every.parts if isinstance(part, Readable)}
        tests = [
            self._between(part, readable=True)
            if isinstance(part, Within) and readable.issuperset(part.columns)
            else self._part(part)
            for part in every.parts
        ]
        return joined([test for test in tests if test != "TRUE"], " AND ") or "TRUE"

    def _not(self, negated: Not) -> str:
        part = negated.part
        if isinstance(part, Missing):
            return f"{self._name(part.column)} IS NOT NULL"
        if isinstance(part, Within) and part.lowest == part.highest:
            return self._sum(part, "<>")
        return f"NOT ({self.test(part)})"

    def _known(self, column: Column) -> str:
        """Return the test that a cell holds a value that the column knows; it is never NULL."""
        name, most = self._name(column.name), budgets.LARGEST_LABEL
        if column.kind == "integer":
            test = f"{name} BETWEEN {-most} AND {most} AND {name} = CAST({name} AS BIGINT)"
        elif column.kind == "bins":
            test = f"{name} = CAST({name} AS DOUBLE)"
        else:
            values = [self.literal(column.name, level) for level in column.levels if level is not None]
            test = f"{name} IN ({', '.join(values)})" if values else "FALSE"
        return f"{name} IS NULL OR {test}" if None in column.levels else f"{name} IS NOT NULL AND {test}"

    def _one_of(self, test: OneOf) -> str:
        """Return the test of a value; it is NULL only if a cell is missing that must not be."""
        column, name = self.schema[test.column], self._name(test.column)
        chosen = [level for level in test.values if level is not None]
        others = [level for level in column.levels if level is not None and level not in chosen]
        is_listed = column.closed and column.kind != "skip" and None not in column.levels
        if is_listed and not (chosen and others):
            return "TRUE" if chosen else "FALSE"
        if not chosen:
            return f"{name} IS NULL" if None in test.values else "FALSE"
        if column.closed and column.kind != "skip" and not others:
            return "TRUE" if None in test.values else f"{name} IS NOT NULL"
        among = self._among(column, chosen, others)
        if is_listed:
            return among
        return f"({name} IS NULL OR {among})" if None in test.values else f"({name} IS NOT NULL AND {among})"

    def _among(self, column: Column, chosen: list[str], others: list[str]) -> str:
        """Return the test of a cell that is not missing; it names the chosen values or the others, if fewer."""
        if column.kind == "bins":
            return _ranges(column, self._name(column.name), [column.levels.index(level) for level in chosen])
        negated = column.closed and 0 < len(others) < len(chosen) and column.width > 1
        values = [self.literal(column.name, level) for level in (others if negated else chosen)]
        one, several = ("<>", "NOT IN") if negated else ("=", "IN")
        cell = self.cell(column.name)
        return f"{cell} {one} {values[0]}" if len(values) == 1 else f"{cell} {several} ({', '.join(values)})"

    def _within(self, total: Within) -> str:
        return self._between(total) if len(total.terms) == 1 == total.terms[0][0] else self._sum(total)

    def _between(self, total: Within, *, readable: bool = False) -> str:
        """Return the test that one cell is a number between two bounds; NULL if it holds another text."""
        name = str(total.terms[0][1])
        return self._bounded(name, total.lowest, total.highest, readable=readable)

    def _bounded(self, name: str, lowest: float | None, highest: float | None, *, readable: bool = False) -> str:
        column, cell = self.schema[name], self._name(name)
        tests = [] if lowest is None else [f"{cell} >= {self._bound(lowest, column)}"]
        tests += [] if highest is None else [f"{cell} <= {self._bound(highest, column)}"]
        text = " AND ".join(tests) or "TRUE"
        if readable or self.dialect.typed or text == "TRUE":
            return text
        return f"CASE WHEN {self._readable(name)} THEN {text} END"

    def _within_by(self, by: WithinBy) -> str:
        tests = [
            f"({self._not(Not(OneOf(by.by, (value,))))} OR {self._bounded(by.column, low, high)})"
            for value, low, high in by.ranges
        ]
        return joined(tests, " AND ")

    def _sum(self, total: Within, sign: str = "") -> str:
        """Return a sum: of numbers with the negative terms on the other side, else with all terms on the left."""
        ends = (total.lowest, total.highest)
        if not sign and None not in ends and ends[0] != ends[1]:  # integers of a gap
            named = [(self._name(str(name)), factor) for factor, name in total.terms]
            return f"{signed_sum(named)} BETWEEN {ends[0]} AND {ends[1]}"
        end = next(end for end in ends if end is not None)
        sign = sign or ("=" if ends[0] == ends[1] else "<" if total.strict else "<=" if ends[0] is None else ">=")
        if any(isinstance(term, OneOf) for _, term in total.terms):
            return f"{joined(self._terms(total), ' + ')} {sign} {_plain(Decimal(end), 0)}"
        terms = [(self._operand(term), factor) for factor, term in total.terms]
        if sign == "=" and sum(f > 0 for _, f in terms) > sum(f < 0 for _, f in terms) > 0:
            terms, end = [(name, -factor) for name, factor in terms], -end
        columns = [self.schema[name] for name in total.numbers]
        scale = max(column.scale for column in columns)
        is_whole = not scale and all(column.role != "float" for column in columns)
        if not total.is_computed or (is_whole and not total.tolerance):
            return two_sided(terms, sign, _plain(Decimal(end), scale))
        left, _, right = two_sided(terms, "=", _plain(Decimal(end), scale)).partition(" = ")
        error, off = f"{left} - ({right})", _plain(allowed_error(total), scale)
        return {"=": f"ABS({error}) <= {off}", "<=": f"{error} <= {off}", ">=": f"{error} >= -{off}"}[sign]

    def _operand(self, term: str | OneOf | Product) -> str:
        names = term.columns if isinstance(term, Product) else (str(term),)
        return " * ".join(map(self._name, names))

    def _terms(self, total: Within) -> list[str]:
        """Return each column's number times its factor, and what a column adds for some of its values as one CASE."""
        parts = []
        for name, group in groupby(total.terms, lambda term: term[1].column if isinstance(term[1], OneOf) else None):
            if name is None:
                parts += [f"{'' if f == 1 else f'{f} * '}{self._name(str(term))}" for f, term in group]
            else:
                cases = " ".join(f"WHEN {self.test(term)} THEN {f}" for f, term in group if isinstance(term, OneOf))
                parts.append(f"CASE {cases} ELSE 0 END")
        return parts

    def _multiple_of(self, multiple: MultipleOf) -> str:
        """Return the test that a number is a multiple; fractions are made whole first."""
        column, name = self.schema[multiple.column], self._name(multiple.column)
        if not column.scale:
            return f"{name} % {multiple.step} = 0"
        whole = f"ROUND({name} * {10**column.scale})"
        exact = f"ABS({name} * {10**column.scale} - {whole}) <= {ROUNDING}"
        return f"{exact} AND CAST({whole} AS BIGINT) % {multiple.step} = 0"

    def _readable(self, name: str) -> str:
        """Return the test that a cell holds a number or time: SQLite stores any value in any column."""
        role, cell = self.schema[name].role, self._name(name)
        if role in TIMES:
            return f"CAST({cell} AS VARCHAR) GLOB '{DATE_PATTERN}{'*' if role == 'timestamp' else ''}'"
        return f"{cell} = CAST({cell} AS DOUBLE)"

    def _bound(self, value: float, column: Column) -> str:
        if column.role in TIMES:
            return self.dialect.string(number_text(value, column))
        return repr(value) if column.role == "float" else _plain(Decimal(value), column.scale)


def allowed_error(total: Within) -> Decimal:
    """Return how far a sum of floats may be off, in the unit of the condition."""
    tolerance = Decimal(repr(total.tolerance))
    return tolerance + (ROUNDING if tolerance == int(tolerance) else Decimal(repr(total.rounding)))


def two_sided(terms: list[tuple[str, int]], sign: str, rhs: str) -> str:
    """Return a comparison of a sum with a number; negative terms stand on the right.

    >>> two_sided([("gross", 1), ("net", -1), ("tax", -1)], "=", "0")
    'gross = net + tax'
    """
    left = [(name, factor) for name, factor in terms if factor > 0]
    right = [(name, -factor) for name, factor in terms if factor < 0]
    if not left:
        return f"{signed_sum(terms)} {sign} {rhs}"
    if not right:
        return f"{_nested_sum(left)} {sign} {rhs}"
    ahead = "" if rhs == "0" else f" - {rhs[1:]}" if rhs.startswith("-") else f" + {rhs}"
    return f"{_nested_sum(left)} {sign} {_nested_sum(right)}{ahead}"


def signed_sum(terms: Sequence[tuple[str, int]]) -> str:
    """Return a sum in the signs of a program; its first factor is positive if there is one.

    >>> signed_sum([("a", 1), ("b", -2), ("c", 1)])
    'a - 2*b + c'
    """
    parts = [f"{'-' if f < 0 else '+'} {'' if abs(f) == 1 else f'{abs(f)}*'}{name}" for name, f in terms]
    return " ".join(parts).removeprefix("+ ")


def _nested_sum(terms: list[tuple[str, int]]) -> str:
    return joined([name if factor == 1 else f"{factor}*{name}" for name, factor in terms], " + ")


def joined(parts: list[str], sign: str) -> str:
    """Join the parts with a sign; more than FLAT_TERMS parts are put into nested brackets."""
    if len(parts) <= FLAT_TERMS:
        return sign.join(parts)
    groups = [parts[start : start + FLAT_TERMS] for start in range(0, len(parts), FLAT_TERMS)]
    return joined([f"({sign.join(group)})" for group in groups], sign)


def _ranges(column: Column, name: str, chosen: list[int]) -> str:
    """Return bins as ranges of the number; neighbouring bins are one range."""
    parts = []
    for low, high in column.ranges(chosen):
        sides = [f"{name} >= {_double(low)}"] if low is not None else []
        sides += [f"{name} < {_double(high)}"] if high is not None else []
        parts.append(" AND ".join(sides) or "TRUE")
    return parts[0] if len(parts) == 1 and " AND " not in parts[0] else f"({' OR '.join(f'({p})' for p in parts)})"


def _double(edge: float) -> str:
    """Return a number with an exponent, which makes it a double and not a decimal."""
    return repr(edge) if "e" in repr(edge) else f"{edge!r}e0"


def _plain(value: Decimal, scale: int) -> str:
    """Return a number of units of 10 to the minus `scale` in plain digits.

    >>> _plain(Decimal(1250), 2), _plain(Decimal("0.01"), 2)
    ('12.5', '0.0001')
    """
    text = f"{value.scaleb(-scale):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
