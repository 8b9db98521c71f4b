"""Step: the numbers of a column are multiples of one number."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Condition, MultipleOf
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted
from unwritten.tables.units import number_text


@dataclass(frozen=True)
class Step(Fact):
    """`name` is a multiple of `step`, which is counted in the last digit of the column.

    >>> from unwritten.tables import Column
    >>> Step("price", 25).words(Schema((Column("price", "skip", role="decimal", scale=2),)))
    'price is a multiple of 0.25'
    """

    kind = "step"
    name: str
    step: int

    def __post_init__(self) -> None:
        if self.step < 1:
            raise DataError("a step is below 1: mine the table again")

    def words(self, schema: Schema) -> str:
        """`price is a multiple of 0.25`."""
        return f"{quoted(self.name)} is a multiple of {number_text(self.step, schema[self.name])}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if the number is there and is no multiple."""
        return MultipleOf(self.name, self.step)
