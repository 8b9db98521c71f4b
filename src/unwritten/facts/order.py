"""Order: one number or date is never above another."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Condition, Within
from unwritten.facts.fact import Fact
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted


@dataclass(frozen=True, repr=False)
class Order(Fact):
    """`low ≤ high`, or `low < high` if it is strict.

    >>> from unwritten.tables import Column
    >>> Order("low", "high").words(Schema((Column("low", "integer"), Column("high", "integer"))))
    'low ≤ high'
    """

    kind = "order"
    about = ("low", "high")
    low: str
    high: str
    strict: bool = False

    def words(self, schema: Schema) -> str:
        """`low ≤ high`."""
        return f"{quoted(self.low)} {'<' if self.strict else '≤'} {quoted(self.high)}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if both numbers are there, in the wrong order."""
        return Within(((1, self.low), (-1, self.high)), highest=0, strict=self.strict)
