"""Range when: a value of one column goes with a range of numbers in another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import ColumnName, MeasuredColumn
from unwritten.facts.units import number_text
from unwritten.tables import Column, Schema
from unwritten.tables.column import Level, level_text, plain_integer
from unwritten.tables.quoting import quoted
from unwritten.tables.roles import TIMES
from unwritten.tables.typed_rows import TypedRows

Bounds = tuple[float | None, float | None]


@dataclass(frozen=True)
class RangeWhen(Fact):
    """If the column `by` has this `value`, then `name` is at least `lowest` and at most `highest` (None: any).

    If `exactly`, all numbers in this range come with this value. Bounds are in the unit of the role of `name`.

    >>> schema = Schema((Column("status", "category"), Column("wind", "integer", role="integer")))
    >>> RangeWhen("status", "storm", "wind", 35, 63, exactly=True).words(schema)
    'status = storm exactly when wind from 35 to 63'
    """

    kind = "range-when"
    by: ColumnName
    value: Level
    name: MeasuredColumn
    lowest: float | None = None
    highest: float | None = None
    exactly: bool = False

    def __post_init__(self) -> None:
        if self.lowest is None and self.highest is None:
            raise DataError("a range for one value needs a bound: mine the table again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The column of the value, then that of the number."""
        return self.by, self.name

    @property
    def identity(self) -> Any:
        """The value and the columns: bounds move a little with every sample."""
        return [self.by, self.value, self.name]

    def words(self, schema: Schema) -> str:
        """`status = returned requires refund ≥ 1`."""
        verb = "exactly when" if self.exactly else "requires"
        bounds = (self.lowest, self.highest)
        return (
            f"{quoted(self.by)} = {level_text(self.value)} {verb} {bounds_text(self.name, bounds, schema[self.name])}"
        )

    def checker(self) -> Checker:
        """A row breaks it if it has the value and a number beyond a bound; if `exactly`, also the other way round."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        numbers, here = rows.numbers(self.name), has_value(rows, self.by, self.value)
        with np.errstate(invalid="ignore"):
            beyond = beyond_bounds(numbers, self.lowest, self.highest)
            broken = here & beyond
            return broken | (~here & ~beyond & ~np.isnan(numbers)) if self.exactly else broken


def has_value(rows: TypedRows, name: str, value: Level) -> BoolArray:
    """Return which rows have a value in a column."""
    texts, index = rows.texts(name)
    same = [(None if text is None else plain_integer(text)) == value for text in texts]
    return np.asarray(np.array(same, bool)[index]) if texts else np.zeros(rows.rows, bool)


def beyond_bounds(numbers: np.ndarray, lowest: float | None, highest: float | None) -> BoolArray:
    """Return which numbers lie below the lowest or above the highest one; missing numbers do not."""
    beyond = np.zeros(len(numbers), bool)
    if lowest is not None:
        beyond |= numbers < lowest
    if highest is not None:
        beyond |= numbers > highest
    return beyond


def bounds_text(name: str, bounds: Bounds, column: Column) -> str:
    """Return a range as people write it: `wind from 35 to 63`, `wind ≤ 32`, `tax = 0`; dates need no other words."""
    low, high = (None if bound is None else number_text(bound, column) for bound in bounds)
    plain = f"{quoted(name)} " if name else ""
    if low is not None and high is not None:
        equal = f"{plain}= {low}" if name else low
        return equal if low == high and column.role not in TIMES else f"{plain}from {low} to {high}"
    return f"{plain}≥ {low}" if low is not None else f"{plain}≤ {high}"
