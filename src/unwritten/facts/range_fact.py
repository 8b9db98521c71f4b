"""Range fact: the numbers of a column lie between two bounds."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import All, Condition, Readable, Within
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import MeasuredColumn
from unwritten.facts.parts_of_sentences import read_bounds, read_column, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted, shown
from unwritten.tables.roles import TIMES
from unwritten.tables.units import number_text


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

    @classmethod
    def read(cls, reader: Reader) -> RangeFact:
        """Read the sentence."""
        column = read_column(reader)
        if reader.try_words("is", "a"):
            word = column.role if column.role in TIMES else "number"
            read_words(reader, word, f"{shown(quoted(column.name))} is a {word}")
            return cls(column.name, origin=GIVEN)
        return cls(column.name, *read_bounds(reader, column), origin=GIVEN)

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

    @property
    def condition(self) -> Condition:
        """A row breaks it if the cell holds no number, or one beyond a bound; a missing cell breaks nothing."""
        return All((Readable(self.name), Within(((1, self.name),), self.lowest, self.highest)))
