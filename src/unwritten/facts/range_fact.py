"""Range fact: the numbers of a column lie between two bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import MeasuredColumn
from unwritten.facts.units import number_text
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted
from unwritten.tables.roles import TIMES
from unwritten.tables.typed_rows import TypedRows


@dataclass(frozen=True, repr=False)
class RangeFact(Fact):
    """`name` is a number of its role, at least `lowest` and at most `highest` (None: any), in the unit of its role.

    >>> from unwritten.tables import Column
    >>> RangeFact("price", 0.0, None).words(Schema((Column("price", "skip", role="decimal", scale=2),)))
    'price ≥ 0'
    """

    kind = "range"
    name: MeasuredColumn
    lowest: float | None = None
    highest: float | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.name,)

    def words(self, schema: Schema) -> str:
        """`price from 0 to 100`, with one bound `price ≥ 0`, and without any `price is a number`."""
        column = schema[self.name]
        low = None if self.lowest is None else number_text(self.lowest, column)
        high = None if self.highest is None else number_text(self.highest, column)
        name = quoted(self.name)
        if low is None and high is None:
            return f"{name} is a {column.role if column.role in TIMES else 'number'}"
        if low is not None and high is not None:
            return f"{name} from {low} to {high}"
        return f"{name} ≥ {low}" if low is not None else f"{name} ≤ {high}"

    def checker(self) -> Checker:
        """A row breaks it if the cell holds no number, or one beyond a bound; a missing cell breaks nothing."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        numbers = rows.numbers(self.name)
        broken = np.isnan(numbers) & ~rows.missing(self.name)
        with np.errstate(invalid="ignore"):
            if self.lowest is not None:
                broken |= numbers < self.lowest
            if self.highest is not None:
                broken |= numbers > self.highest
        return broken
