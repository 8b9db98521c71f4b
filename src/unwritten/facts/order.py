"""Order: one number or date is never above another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import MeasuredColumn
from unwritten.facts.units import in_common_unit
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted
from unwritten.tables.typed_rows import TypedRows


@dataclass(frozen=True, repr=False)
class Order(Fact):
    """`low ≤ high`, or `low < high` if it is strict.

    >>> from unwritten.tables import Column
    >>> Order("low", "high").words(Schema((Column("low", "integer"), Column("high", "integer"))))
    'low ≤ high'
    """

    kind = "order"
    low: MeasuredColumn
    high: MeasuredColumn
    strict: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The two columns."""
        return self.low, self.high

    def words(self, schema: Schema) -> str:
        """`low ≤ high`."""
        return f"{quoted(self.low)} {'<' if self.strict else '≤'} {quoted(self.high)}"

    def checker(self) -> Checker:
        """A row breaks it if both numbers are there, in the wrong order."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        low, high = in_common_unit(rows, self.columns)
        with np.errstate(invalid="ignore"):
            return np.asarray(low >= high if self.strict else low > high)
