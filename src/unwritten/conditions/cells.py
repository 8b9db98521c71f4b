"""Cells: conditions on the values and numbers of a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.conditions.condition import Condition, Suggestion, Truth
from unwritten.data import BoolArray, FloatArray
from unwritten.tables.column import Level, plain_integer
from unwritten.tables.typed_rows import TypedRows
from unwritten.tables.units import common_factor, in_common_unit, number_text

ROUNDING = 1e-6
"""What sums of floats may be off, in the last digit of their columns: above their rounding, below a wrong digit."""


@dataclass(frozen=True)
class OneOf(Condition):
    """The cell of a column has one of these values; None is a missing cell. It is never unknown."""

    column: str
    values: tuple[Level, ...]

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Compare texts; an integer may be written as a float, and numbers in bins have the names of their bins."""
        column, (texts, index) = rows.schema[self.column], rows.texts(self.column)
        if column.kind == "bins":
            codes = column.codes(texts, index)[0]
            return Truth.known(np.array([level in self.values for level in (*column.levels, "")], bool)[codes])
        among = [(None if text is None else plain_integer(text)) in self.values for text in texts]
        return Truth.known(np.array(among, bool)[index] if texts else np.zeros(rows.rows, bool))

    def value(self, rows: TypedRows, scale: int) -> FloatArray:
        """1 where it is true, and 0 elsewhere."""
        return self.truth(rows, {}).yes.astype(float)

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """One of the values, or one of the others that the column has."""
        column = row.schema[self.column]
        if column.kind != "bins":  # whose levels are names of ranges
            yield from ((self.column, value) for value in dict.fromkeys((*self.values, *column.levels)))


@dataclass(frozen=True)
class Missing(Condition):
    """The cell of a column is missing. It is never unknown."""

    column: str

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Look whether there is a text."""
        return Truth.known(rows.missing(self.column))

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """Leave the cell empty, or give it a value that the column has."""
        yield from ((self.column, value) for value in (None, *row.schema[self.column].levels))


@dataclass(frozen=True)
class Readable(Condition):
    """The cell holds a number or a time, as its column's role says."""

    column: str

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Unknown if the cell is missing."""
        return Truth.where(~rows.missing(self.column), ~np.isnan(rows.numbers(self.column)))


@dataclass(frozen=True)
class Product:
    """The product of the numbers of some columns."""

    columns: tuple[str, ...]

    def value(self, rows: TypedRows, scale: int) -> FloatArray:
        """The product in units of 10 to the minus `scale`; NaN where a number is missing."""
        product = np.full(rows.rows, 10.0**scale)
        for name in self.columns:
            product = product * (rows.numbers(name) / 10.0 ** rows.schema[name].scale)
        return product


Terms = tuple[tuple[int, "str | OneOf | Product"], ...]
"""Factors, each with a column of numbers, a product of such, or a test, which counts 1 if it is true and else 0."""


@dataclass(frozen=True)
class Within(Condition):
    """A sum is at least `lowest` and at most `highest` (None: any), or below `highest` if it is `strict`.

    All numbers are in the unit of the column with most digits after the point, or in seconds if there are timestamps.
    The sum may be off by `tolerance` of these units.
    """

    terms: Terms
    lowest: float | None = None
    highest: float | None = None
    tolerance: float = 0
    strict: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of all terms."""
        names = (name for _, term in self.terms for name in ((term,) if isinstance(term, str) else term.columns))
        return tuple(dict.fromkeys(names))

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns whose numbers are added as they are."""
        return tuple(term for _, term in self.terms if isinstance(term, str))

    @property
    def is_computed(self) -> bool:
        """True if the sum is computed, so that floats may round it; two cells, or a cell and a bound, are compared."""
        return len(self.terms) > 2 or (self.lowest is not None and self.lowest == self.highest and len(self.terms) > 1)

    @property
    def rounding(self) -> float:
        """What the computation may add to the error: little, as sums and whole tolerances are far apart."""
        if not self.is_computed:
            return 0.0
        return ROUNDING if self.tolerance == int(self.tolerance) else ROUNDING * self.tolerance

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Unknown if a number is missing."""
        total: FloatArray = np.zeros(rows.rows)
        for part in self._parts(rows):
            total = total + part
        return Truth.where(~np.isnan(total), ~self._beyond(total))

    def _parts(self, rows: TypedRows) -> list[FloatArray]:
        """What each term adds."""
        numbers = dict(zip(self.numbers, in_common_unit(rows, self.numbers), strict=True))
        scale = max((rows.schema[name].scale for name in self.numbers), default=0)
        return [
            factor * (numbers[term] if isinstance(term, str) else term.value(rows, scale))
            for factor, term in self.terms
        ]

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """For each number, the values at which the sum is at an end of its range."""
        parts = [float(part[0]) for part in self._parts(row)]
        columns = tuple(row.schema[name] for name in self.numbers)
        for k, (factor, term) in enumerate(self.terms):
            if isinstance(term, OneOf):
                yield from term.suggestions(row)
            rest = sum(part for j, part in enumerate(parts) if j != k)
            if not isinstance(term, str) or not np.isfinite(rest):
                continue
            for end in (self.lowest, None if self.highest is None else self.highest - self.strict):
                if end is not None:
                    number = round((end - rest) / factor / common_factor(columns, term), 6)
                    yield term, number_text(number, row.schema[term]).replace("−", "-")

    def _beyond(self, total: FloatArray) -> BoolArray:
        off, beyond = self.tolerance + self.rounding, np.zeros(len(total), bool)
        with np.errstate(invalid="ignore"):
            if self.lowest is not None:
                beyond |= self.lowest - total > off
            if self.highest is not None:
                beyond |= total >= self.highest if self.strict else total - self.highest > off
        return beyond


@dataclass(frozen=True)
class WithinBy(Condition):
    """For each value of the column `by` in `ranges`, the number of `column` lies between two bounds of its own."""

    about = ("by", "column")
    by: str
    column: str
    ranges: tuple[tuple[Level, float | None, float | None], ...]

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Never false for other values, or without a number."""
        bounds = {
            value: (-np.inf if low is None else low, np.inf if high is None else high)
            for value, low, high in self.ranges
        }
        texts, index = rows.texts(self.by)
        anything = (-np.inf, np.inf)
        known = [bounds.get(None if text is None else plain_integer(text), anything) for text in texts]
        ends = np.array(known, float).reshape(-1, 2)[index]
        numbers = rows.numbers(self.column)
        with np.errstate(invalid="ignore"):
            beyond = (numbers < ends[:, 0]) | (numbers > ends[:, 1])
        return Truth(~beyond & ~(np.isnan(numbers) & np.isfinite(ends).any(axis=1)), beyond)

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """The bounds of the row's value, or another value."""
        for value, low, high in self.ranges:
            yield self.by, value
            if OneOf(self.by, (value,)).truth(row, {}).yes[0]:
                yield from Within(((1, self.column),), low, high).suggestions(row)
        yield from OneOf(self.by, ()).suggestions(row)


@dataclass(frozen=True)
class MultipleOf(Condition):
    """The number of a column is a multiple of `step`, which is counted in the last digit of the column."""

    column: str
    step: int

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Unknown without a number."""
        numbers = rows.numbers(self.column)
        with np.errstate(invalid="ignore"):
            rest = np.abs(np.remainder(numbers + self.step / 2, self.step) - self.step / 2)
            return Truth.where(~np.isnan(numbers), ~(rest > ROUNDING))

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """The multiple below, and the one above."""
        number = float(row.numbers(self.column)[0])
        if np.isfinite(number):
            below = number // self.step * self.step
            for multiple in (below, below + self.step):
                yield self.column, number_text(multiple, row.schema[self.column]).replace("−", "-")


@dataclass(frozen=True)
class Known(Condition):
    """The cell holds a value that its column has seen, or any number if it is a column of numbers. Never unknown."""

    column: str

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Ask the column for the code of each value."""
        return Truth.known(~rows.schema[self.column].codes(*rows.texts(self.column))[1])

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """The values that the column has."""
        yield from OneOf(self.column, ()).suggestions(row)
