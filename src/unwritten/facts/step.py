"""Step: the numbers of a column are multiples of one number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import ExactColumn
from unwritten.facts.units import number_text
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted
from unwritten.tables.typed_rows import TypedRows


@dataclass(frozen=True)
class Step(Fact):
    """`name` is a multiple of `step`, which is counted in the last digit of the column.

    >>> from unwritten.tables import Column
    >>> Step("price", 25).words(Schema((Column("price", "skip", role="decimal", scale=2),)))
    'price is a multiple of 0.25'
    """

    kind = "step"
    name: ExactColumn
    step: int

    def __post_init__(self) -> None:
        if self.step < 1:
            raise DataError("a step is below 1: mine the table again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.name,)

    def words(self, schema: Schema) -> str:
        """`price is a multiple of 0.25`."""
        return f"{quoted(self.name)} is a multiple of {number_text(self.step, schema[self.name])}"

    def checker(self) -> Checker:
        """A row breaks it if the number is there and is no multiple."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        numbers = rows.numbers(self.name)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.abs(np.remainder(numbers + self.step / 2, self.step) - self.step / 2) > 1e-6)
