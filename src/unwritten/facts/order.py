"""Order: one number or date is never above another."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Condition, Within
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import MeasuredColumn
from unwritten.facts.sides_of_sums import read_order
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
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
    low: MeasuredColumn
    high: MeasuredColumn
    strict: bool = False

    @classmethod
    def read(cls, reader: Reader) -> Order:
        """Read the sentence."""
        sides = read_order(reader)
        if len(sides.columns) > 2:
            reader.fail("an order of two columns names two of them: write “a ≤ b”", 0)
        low, high = sides.columns
        return cls(low, high, sides.sign == "<", origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`low ≤ high`."""
        return f"{quoted(self.low)} {'<' if self.strict else '≤'} {quoted(self.high)}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if both numbers are there, in the wrong order."""
        return Within(((1, self.low), (-1, self.high)), highest=0, strict=self.strict)
