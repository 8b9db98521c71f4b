"""Range by: the range of a number for each value of another column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import ColumnName, MeasuredColumn
from unwritten.facts.range_when import RangeWhen, bounds_text
from unwritten.tables import Schema
from unwritten.tables.column import Level, level_text, plain_integer
from unwritten.tables.quoting import quoted
from unwritten.tables.typed_rows import TypedRows

MOST_NAMED = 4  # values in a sentence

ValueRange = tuple[Level, float | None, float | None]  # a value, and the lowest and highest number with it


@dataclass(frozen=True)
class RangeBy(Fact):
    """For each value of the column `by`, the numbers of `name` lie between bounds of their own.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("species", "category"), Column("mass", "integer", role="integer")))
    >>> RangeBy("species", "mass", (("cat", 2.0, 9.0), ("dog", 3.0, 90.0))).words(schema)
    'mass by species: cat from 2 to 9, dog from 3 to 90'
    """

    kind = "range-by"
    by: ColumnName
    name: MeasuredColumn
    ranges: tuple[ValueRange, ...]

    def __post_init__(self) -> None:
        if not self.ranges:
            raise DataError("ranges by value need a value: mine the table again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The column of the values, then that of the numbers."""
        return self.by, self.name

    @property
    def identity(self) -> Any:
        """The columns: bounds move a little with every sample."""
        return [self.by, self.name]

    def words(self, schema: Schema) -> str:
        """The ranges of the first values, and how many more there are."""
        column = schema[self.name]
        if len(self.ranges) == 1:
            return RangeWhen(self.by, self.ranges[0][0], self.name, *self.ranges[0][1:]).words(schema)
        parts = [f"{level_text(v)} {bounds_text('', (low, high), column)}" for v, low, high in self.ranges[:MOST_NAMED]]
        more = len(self.ranges) - MOST_NAMED
        rest = f" and {more:,} more" if more > 0 else ""
        return f"{quoted(self.name)} by {quoted(self.by)}: {', '.join(parts)}{rest}"

    def require(self, schema: Schema) -> None:
        """Raise if a bound is none that the column can have."""
        for value, low, high in self.ranges:
            _ = RangeWhen(self.by, value, self.name, low, high).words(schema)

    @cached_property
    def _bounds(self) -> dict[Level, tuple[float, float]]:
        return {
            value: (-np.inf if low is None else low, np.inf if high is None else high)
            for value, low, high in self.ranges
        }

    def checker(self) -> Checker:
        """A row breaks it if its value is known and its number lies beyond the bounds of this value."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        texts, index = rows.texts(self.by)
        anything = (-np.inf, np.inf)
        known = [self._bounds.get(None if text is None else plain_integer(text), anything) for text in texts]
        bounds = np.array(known, float).reshape(-1, 2)[index]
        numbers = rows.numbers(self.name)
        with np.errstate(invalid="ignore"):
            return np.asarray((numbers < bounds[:, 0]) | (numbers > bounds[:, 1]))
