"""Range when: a value of one column goes with a range of numbers in another one."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Condition, OneOf, Same, Within, WithinBy
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnName, MeasuredColumn
from unwritten.facts.parts_of_sentences import Bounds, read_bounds, read_column, read_level, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Column, Schema
from unwritten.tables.column import Level, level_text
from unwritten.tables.quoting import quoted
from unwritten.tables.roles import TIMES
from unwritten.tables.units import number_text


@dataclass(frozen=True)
class RangeWhen(Fact):
    """If the column `by` has this `value`, then `name` is at least `lowest` and at most `highest` (None: any).

    If `exactly`, all numbers in this range come with this value. Bounds are in the unit of the role of `name`.

    >>> schema = Schema((Column("status", "category"), Column("wind", "integer", role="integer")))
    >>> RangeWhen("status", "storm", "wind", 35, 63, exactly=True).words(schema)
    'status = storm exactly when wind from 35 to 63'
    """

    kind = "range-when"
    about = ("by", "name")
    same = ("by", "value", "name")
    by: ColumnName
    value: Level
    name: MeasuredColumn
    lowest: float | None = None
    highest: float | None = None
    exactly: bool = False

    def __post_init__(self) -> None:
        if self.lowest is None and self.highest is None:
            raise DataError("a range for one value needs a bound: mine the table again")

    @classmethod
    def read(cls, reader: Reader) -> RangeWhen:
        """Read the sentence."""
        by = read_column(reader)
        if not reader.try_sign("="):
            reader.fail(f"= is missing before {reader.rest}: write “status = returned requires refund ≥ 1”")
        value = read_level(reader, by)
        exactly = reader.try_words("exactly", "when")
        if not exactly:
            read_words(reader, "requires", "status = returned requires refund ≥ 1")
        column = read_column(reader)
        return cls(by.name, value, column.name, *read_bounds(reader, column), exactly, origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`status = returned requires refund ≥ 1`."""
        verb = "exactly when" if self.exactly else "requires"
        bounds = (self.lowest, self.highest)
        return (
            f"{quoted(self.by)} = {level_text(self.value)} {verb} {bounds_text(self.name, bounds, schema[self.name])}"
        )

    @property
    def condition(self) -> Condition:
        """A row breaks it if it has the value and a number beyond a bound; if `exactly`, also the other way round."""
        if not self.exactly:
            return WithinBy(self.by, self.name, ((self.value, self.lowest, self.highest),))
        return Same(OneOf(self.by, (self.value,)), Within(((1, self.name),), self.lowest, self.highest))


def bounds_text(name: str, bounds: Bounds, column: Column) -> str:
    """Return a range as people write it: `wind from 35 to 63`, `wind ≤ 32`, `tax = 0`; dates need no other words."""
    low, high = (None if bound is None else number_text(bound, column) for bound in bounds)
    plain = f"{quoted(name)} " if name else ""
    if low is not None and high is not None:
        return f"{plain}= {low}" if low == high and column.role not in TIMES else f"{plain}from {low} to {high}"
    return f"{plain}≥ {low}" if low is not None else f"{plain}≤ {high}"
