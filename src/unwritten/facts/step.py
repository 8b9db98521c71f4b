"""Step: the numbers of a column are multiples of one number."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Condition, MultipleOf
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ExactColumn
from unwritten.facts.parts_of_sentences import read_column, read_number, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted, shown
from unwritten.tables.units import number_text


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

    @classmethod
    def read(cls, reader: Reader) -> Step:
        """Read the sentence."""
        column = read_column(reader)
        read_words(reader, "is a multiple of", "price is a multiple of 0.25")
        name = shown(quoted(column.name))
        if column.role not in ("integer", "decimal"):
            reader.fail(f"{name} holds no exact numbers: a step needs them")
        step = read_number(reader, column)
        if step < 1 or step != int(step):
            reader.fail(f"the step has more digits than {name}, or is not above 0: write another one")
        return cls(column.name, int(step), origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`price is a multiple of 0.25`."""
        return f"{quoted(self.name)} is a multiple of {number_text(self.step, schema[self.name])}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if the number is there and is no multiple."""
        return MultipleOf(self.name, self.step)
