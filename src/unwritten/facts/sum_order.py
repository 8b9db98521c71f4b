"""Sum order: a sum of numbers is never above another sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unwritten.conditions import Condition, Within
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import NumberColumns
from unwritten.facts.sides_of_sums import read_order
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted


@dataclass(frozen=True)
class SumOrder(Fact):
    """The sum of the columns `low` is at most that of the columns `high`.

    >>> from unwritten.tables import Column
    >>> SumOrder(("doubles", "triples"), ("hits",)).words(Schema((Column("hits", "integer"),)))
    'doubles + triples ≤ hits'
    """

    kind = "sum-order"
    about = ("low", "high")
    low: NumberColumns
    high: NumberColumns

    def __post_init__(self) -> None:
        if not self.low or not self.high or len({*self.low, *self.high}) < len(self.low) + len(self.high):
            raise DataError("an order of sums names a column twice or lacks a side: mine the table again")

    @property
    def identity(self) -> Any:
        """The same whatever the order of the terms."""
        return [sorted(self.low), sorted(self.high)]

    @classmethod
    def read(cls, reader: Reader) -> SumOrder:
        """Read the sentence."""
        sides = read_order(reader)
        if sides.sign == "<":
            reader.fail("an order of sums has ≤: write “a + b ≤ c”")
        return cls(tuple(sides.left[0]), tuple(sides.right[0]), origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`doubles + triples ≤ hits`."""
        return " ≤ ".join(" + ".join(map(quoted, side)) for side in (self.low, self.high))

    @property
    def condition(self) -> Condition:
        """A row breaks it if all numbers are there, and the first sum is larger."""
        terms = (*((1, name) for name in self.low), *((-1, name) for name in self.high))
        return Within(terms, highest=0)
