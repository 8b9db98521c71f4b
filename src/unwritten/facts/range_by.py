"""Range by: the range of a number for each value of another column."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Condition, WithinBy
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.range_when import RangeWhen, bounds_text
from unwritten.tables import Schema
from unwritten.tables.column import Level, level_text
from unwritten.tables.quoting import quoted

MOST_NAMED = 4  # values in a sentence

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
    by: str
    name: str
    ranges: tuple[ValueRange, ...]

    def __post_init__(self) -> None:
        if not self.ranges:
            raise DataError("ranges by value need a value: mine the table again")

    def words(self, schema: Schema) -> str:
        """The ranges of the first values, and how many more there are."""
        column = schema[self.name]
        if len(self.ranges) == 1:
            return RangeWhen(self.by, self.ranges[0][0], self.name, *self.ranges[0][1:]).words(schema)
        parts = [f"{level_text(v)} {bounds_text('', (low, high), column)}" for v, low, high in self.ranges[:MOST_NAMED]]
        more = len(self.ranges) - MOST_NAMED
        rest = f" and {more:,} more" if more > 0 else ""
        return f"{quoted(self.name)} by {quoted(self.by)}: {', '.join(parts)}{rest}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if its value is known and its number lies beyond the bounds of this value."""
        return WithinBy(self.by, self.name, self.ranges)
