"""Linear rows: conditions on one row of a table as rows over integers, where that can be.

The variables are those of the row's label, and further ones behind them: the numbers of columns that have no variables,
whether their cells are missing, and what multiples and alternatives need.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from math import ceil, floor, inf, isfinite
from typing import Never

from unwritten import budgets
from unwritten.conditions.cells import Missing, MultipleOf, OneOf
from unwritten.conditions.condition import Condition
from unwritten.conditions.condition_clauses import AtMost, Clause, Literal, NotLinearError, Part, clauses
from unwritten.conditions.linear_sums import NOTHING, ONE, LinearRow, Number, Quantity, Sum, with_equalities
from unwritten.tables import MISSING, Column, Schema
from unwritten.tables.quoting import quoted
from unwritten.tables.roles import FIRST_DAY, NUMBERS, SECONDS_PER_DAY, TIMES, number_of
from unwritten.tables.units import common_factor, unit_text

NEAR = 1e-9  # a number that floats have rounded is the whole one beside it


class LinearRows:
    """Says conditions about one row of a table by rows over `first` variables, and those in `added`.

    What `known` conditions say of single columns without variables bounds their numbers. Unless `fractions`, every
    number must be whole.
    """

    def __init__(self, schema: Schema, known: Iterable[Condition], first: int, *, fractions: bool) -> None:
        self.schema, self._first, self._fractions = schema, first, fractions
        self.added: list[Quantity] = []
        self._places: dict[str, int] = {}
        self._present: set[str] = set()
        self._ends: dict[str, tuple[Number, Number]] = {}
        for condition in known:
            for clause in self._clauses_of(condition):
                self._learn(clause)

    def rows(self, condition: Condition) -> list[LinearRow]:
        """Return the rows that a condition states beyond the bounds of numbers; raise if no rows can."""
        before, stated = len(self.added), clauses(condition, self.schema)
        if len(stated) > budgets.CONDITION_CLAUSES:
            _refuse("it has too many cases")
        try:
            rows = [row for clause in stated for row in self._rows_of(clause)]
        except NotLinearError:
            del self.added[before:]
            self._places = {name: j for name, j in self._places.items() if j < self._first + before}
            raise
        return with_equalities(rows)

    def _clauses_of(self, condition: Condition) -> list[Clause]:
        try:
            return clauses(condition, self.schema)
        except NotLinearError:
            return []

    def _learn(self, clause: Clause) -> None:
        """Remember a bound of a number, or that a column is never missing, if that is all a clause says."""
        bound = self._bound(clause)
        if bound is not None:
            name, low, high = bound
            least, most = self._ends.get(name, (-inf, inf))
            self._ends[name] = max(least, low), min(most, high)
        match tuple(clause):
            case (Literal(Missing(column), False),):
                self._present.add(column)

    def _bound(self, clause: Clause) -> tuple[str, Number, Number] | None:
        """Return the column without variables that a clause bounds, and the bounds; None if it says something else."""
        sums = [part for part in clause if isinstance(part, AtMost)]
        if len(sums) != 1 or len(sums[0].terms) != 1 or len(sums[0].numbers) != 1:
            return None
        total, factor = sums[0], sums[0].terms[0][0]
        column = self.schema[total.numbers[0]]
        if clause != {total, Literal(Missing(column.name))} or column.kind != "skip" or total.strict:
            return None
        end = total.most / factor
        if column.role != "float":
            end = floor(end + NEAR) if factor > 0 else ceil(end - NEAR)
        return (column.name, -inf, end) if factor > 0 else (column.name, end, inf)

    def _rows_of(self, clause: Clause) -> list[LinearRow]:
        count, sums, parts = NOTHING, list[tuple[Sum, Number]](), sorted(clause, key=repr)
        for part in parts:
            if isinstance(part, AtMost) and self._listed(part) is None:
                sums.append(self._sum(part))
        if any(total.high <= most for total, most in sums):
            return []
        for part in parts:
            column = self._listed(part)
            if isinstance(part, Literal):
                count += self._literal(part)
            elif column is not None:
                count += self._of_levels(column, [_obeys(value, part) for value in self._numbers(column)])
            elif isinstance(part, MultipleOf):
                return [self._multiple(part)] if len(clause) == 1 else _refuse("a multiple is one of its cases")
        if count.low >= 1:
            return []
        sums = [(total, most) for total, most in sums if total.low <= most]
        if len(sums) == 1:
            return [self._limit(*sums[0], count)]
        rows = []
        for total, most in sums:
            chosen = self._variable(f"case {len(self.added) + 1}", 0, 1)
            rows.append(self._limit(total, most, ONE + chosen.times(-1)))
            count += chosen
        return [*rows, count.times(-1).row(-1)]

    def _limit(self, total: Sum, most: Number, count: Sum) -> LinearRow:
        """Return the row that says the sum is at most `most` unless something is counted."""
        if not count.factors:
            return total.row(most)
        excess = total.high - most
        if excess > budgets.LARGEST_SWITCH:
            _refuse("no close bounds of its numbers are known")
        return (total + count.times(-excess)).row(most)

    def _sum(self, part: AtMost) -> tuple[Sum, Number]:
        """Return the sum, and the most that it may be."""
        columns, total = tuple(self.schema[name] for name in part.numbers), NOTHING
        for factor, term in part.terms:
            if isinstance(term, str):
                total += self._number(term).times(factor * common_factor(columns, term))
            elif isinstance(term, OneOf):
                total += self._literal(Literal(term)).times(factor)
        if any(isfinite(end) and abs(end) > budgets.LARGEST_EXACT for end in (total.low, total.high)):
            _refuse("its numbers are too large")
        if total.whole:
            return total, ceil(part.most - NEAR) - 1 if part.strict else floor(part.most + NEAR)
        return total, _refuse("fractions have no next number") if part.strict else part.most

    def _listed(self, part: Part) -> Column | None:
        """Return the column whose levels alone decide whether a part is true, if there is one."""
        match part:
            case MultipleOf(str(name)) | AtMost(((_, str(name)),)) if self.schema[name].kind in ("category", "boolean"):
                return self.schema[name]
        return None

    def _literal(self, literal: Literal) -> Sum:
        """Return 1 if the literal is true, and 0 otherwise."""
        test = literal.test
        value = self._missing(test.column) if isinstance(test, Missing) else self._among(test)
        return value if literal.holds else ONE + value.times(-1)

    def _missing(self, name: str) -> Sum:
        column = self.schema[name]
        if name in self._present or (column.width and None not in column.levels):
            return NOTHING
        return self._among(OneOf(name, (None,))) if column.width else self._variable(f"{quoted(name)}={MISSING}", 0, 1)

    def _among(self, test: OneOf) -> Sum:
        """Return 1 if the column has one of the values; values without a variable are those of no label."""
        column = self.schema[test.column]
        if column.kind not in ("category", "boolean") and not (column.kind == "bins" and test.values == (None,)):
            _refuse(f"no variables say which value {quoted(column.name)} has")
        return self._of_levels(column, [int(level in test.values) for level in column.levels])

    def _of_levels(self, column: Column, values: Sequence[Number]) -> Sum:
        """Return the value that belongs to the level of a column."""
        first = self.schema.places[column.name].start
        whole = all(value == int(value) for value in values)
        values = [int(value) for value in values] if whole else values
        low, high = min(values), max(values)
        if low == high:
            return Sum({}, values[0], low, high, whole)
        if column.one_hot:
            factors = {first + k: value for k, value in enumerate(values) if value}
            return Sum(factors, 0, low, high, whole)
        return Sum({first: values[1] - values[0]}, values[0], low, high, whole)

    def _number(self, name: str) -> Sum:
        """Return the number of a column in the unit of its role."""
        column = self.schema[name]
        if column.role not in (*NUMBERS, *TIMES):
            _refuse(f"{quoted(name)} holds no numbers")
        if column.kind == "bins":
            _refuse(f"the variables of {quoted(name)} only say in which range its numbers are")
        if column.kind == "skip":
            low, high = self._ends.get(name, (-inf, inf))
            first, last = EVER.get(column.role, (-inf, inf))
            low, whole = max(low, first), column.role != "float"
            number = self._variable(quoted(name), low, max(low, min(high, last)), whole=whole, unit=unit_text(column))
        elif column.kind == "integer":
            number = Sum({self.schema.places[name].start: 1}, 0, column.lower, column.upper)
        else:
            number = self._of_levels(column, self._numbers(column))
        if not number.whole and not self._fractions:
            _refuse(f"{quoted(name)} has fractions without end, and the format takes whole numbers only")
        return number

    def _numbers(self, column: Column) -> list[Number]:
        """Return the numbers of a column's levels; 0 for a missing one, which excuses whatever is said of it."""
        numbers = [0 if level is None else number_of(level, column.role, column.scale) for level in column.levels]
        known: list[Number] = [value for value in numbers if value is not None]
        return known if len(known) == len(numbers) else _refuse(f"{quoted(column.name)} has values that are no numbers")

    def _multiple(self, multiple: MultipleOf) -> LinearRow:
        number, name = self._number(multiple.column), f"{quoted(multiple.column)} / {multiple.step}"
        low, high = (end / multiple.step for end in (number.low, number.high))
        least, most = (ceil(low) if low > -inf else low), (floor(high) if high < inf else high)
        return (number + self._variable(name, least, max(least, most)).times(-multiple.step)).row(0, equality=True)

    def _variable(self, name: str, low: Number, high: Number, *, whole: bool = True, unit: str = "") -> Sum:
        """Return the variable of this name, which is added if it is not there."""
        if name not in self._places:
            self._places[name] = self._first + len(self.added)
            self.added.append(Quantity(name, low, high, whole, unit))
        own = self.added[self._places[name] - self._first]
        return Sum({self._places[name]: 1}, 0, own.low, own.high, own.whole)


FIRST, LAST = (day.toordinal() - FIRST_DAY for day in (datetime.date.min, datetime.date.max))
EVER: dict[str, tuple[Number, Number]] = {
    "date": (FIRST, LAST),
    "timestamp": (FIRST * SECONDS_PER_DAY, (LAST + 1) * SECONDS_PER_DAY - 1),
}
"""The first and the last date and second that a table can have."""


def _obeys(value: Number, part: Part) -> int:
    """Return 1 if a number makes the part true, and 0 otherwise."""
    match part:
        case AtMost(((factor, _),), most, strict):
            return int(factor * value < most if strict else factor * value <= most + NEAR)
        case MultipleOf(_, step):
            return int(value % step == 0)
    return 0


def _refuse(reason: str) -> Never:
    raise NotLinearError(reason)
