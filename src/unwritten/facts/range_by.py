"""Range by: the range of a number for each value of another column."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Condition, WithinBy
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnName, MeasuredColumn
from unwritten.facts.parts_of_sentences import read_bounds, read_column, read_level, read_words
from unwritten.facts.range_when import bounds_text
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema
from unwritten.tables.column import Level, level_text
from unwritten.tables.quoting import quoted

ValueRange = tuple[Level, float | None, float | None]  # a value, and the lowest and highest number with it


@dataclass(frozen=True)
class RangeBy(Fact):
    """For each value of the column `by`, the numbers of `name` lie between bounds of their own.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("species", "category"), Column("mass", "integer", role="integer")))
    >>> RangeBy("species", "mass", (("cat", 2.0, 9.0), ("dog", 3.0, 90.0))).words(schema)
    'mass by species: cat from 2 to 9, dog from 3 to 90'
    """

    kind = "range-by"
    about = ("by", "name")
    same = ("by", "name")
    by: ColumnName
    name: MeasuredColumn
    ranges: tuple[ValueRange, ...]

    def __post_init__(self) -> None:
        if not self.ranges:
            raise DataError("ranges by value need a value: mine the table again")

    @classmethod
    def read(cls, reader: Reader) -> RangeBy:
        """Read the sentence."""
        column = read_column(reader)
        read_words(reader, "by", "mass by species: cat from 2 to 9, dog from 3 to 90")
        by, ranges = read_column(reader), list[ValueRange]()
        while reader.try_sign("," if ranges else ":"):
            ranges.append((read_level(reader, by), *read_bounds(reader, column)))
        if not ranges:
            reader.fail(f"ranges are missing before {reader.rest}: write “mass by species: cat from 2 to 9”")
        return cls(by.name, column.name, tuple(ranges), origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`mass by species: cat from 2 to 9, dog from 3 to 90`."""
        column = schema[self.name]
        parts = (f"{level_text(value)} {bounds_text('', (low, high), column)}" for value, low, high in self.ranges)
        return f"{quoted(self.name)} by {quoted(self.by)}: {', '.join(parts)}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if its value is known and its number lies beyond the bounds of this value."""
        return WithinBy(self.by, self.name, self.ranges)
