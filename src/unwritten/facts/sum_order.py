"""Sum order: a sum of numbers is never above another sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import NumberColumns
from unwritten.facts.units import in_common_unit
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted
from unwritten.tables.typed_rows import TypedRows


@dataclass(frozen=True)
class SumOrder(Fact):
    """The sum of the columns `low` is at most that of the columns `high`.

    >>> from unwritten.tables import Column
    >>> SumOrder(("doubles", "triples"), ("hits",)).words(Schema((Column("hits", "integer"),)))
    'doubles + triples ≤ hits'
    """

    kind = "sum-order"
    low: NumberColumns
    high: NumberColumns

    def __post_init__(self) -> None:
        if not self.low or not self.high or len({*self.low, *self.high}) < len(self.low) + len(self.high):
            raise DataError("an order of sums names a column twice or lacks a side: mine the table again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the smaller sum, then those of the larger."""
        return *self.low, *self.high

    @property
    def identity(self) -> Any:
        """The same whatever the order of the terms."""
        return [sorted(self.low), sorted(self.high)]

    def words(self, schema: Schema) -> str:
        """`doubles + triples ≤ hits`."""
        return " ≤ ".join(" + ".join(map(quoted, side)) for side in (self.low, self.high))

    def checker(self) -> Checker:
        """A row breaks it if all numbers are there, and the first sum is larger."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        numbers = in_common_unit(rows, self.columns)
        low, high = sum(numbers[: len(self.low)]), sum(numbers[len(self.low) :])
        with np.errstate(invalid="ignore"):
            return np.asarray(low - high > 1e-6)
