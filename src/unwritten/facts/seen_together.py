"""Seen together: rare values of several columns that came in the same rows and in no other.

A value that came in one row of thousands is no ground for a rule about its column. If the same row alone also had rare
values of other columns, another row with one of them and without the others is as surprising as one with a new value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from unwritten.conditions import All, Condition, Either, Not, OneOf
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnName
from unwritten.facts.parts_of_sentences import read_column, read_level, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.shapes import Between
from unwritten.tables import Schema
from unwritten.tables.column import Level, level_text
from unwritten.tables.quoting import quoted


@dataclass(frozen=True, repr=False)
class SeenTogether(Fact):
    """The values `cells`, as (column, value), were seen in the same `rows` rows and in no other.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("roof", "category", ("glass", "no")), Column("trim", "category", ("base", "sport"))))
    >>> SeenTogether((("roof", "glass"), ("trim", "sport")), rows=1).words(schema)
    'roof = glass and trim = sport were only seen together, in 1 row'
    """

    kind = "seen-together"
    cells: tuple[tuple[ColumnName, Level], ...]
    rows: Annotated[int, Between(1, 2**62)]

    def __post_init__(self) -> None:
        if self.rows < 1 or not len({name for name, _ in self.cells}) == len(self.cells) > 1:
            raise DataError("values that were seen together are of one column, or of no row: mine the table again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the values."""
        return tuple(name for name, _ in self.cells)

    @property
    def identity(self) -> Any:
        """The values, in any order, in however many rows they came."""
        return sorted(map(list, self.cells), key=str)

    @classmethod
    def read(cls, reader: Reader) -> SeenTogether:
        """Read the sentence."""
        cells: list[tuple[str, Level]] = []
        while not cells or reader.try_sign(",") or reader.try_words("and"):
            column = read_column(reader)
            if not reader.try_sign("="):
                reader.fail(f"= is missing before {reader.rest}: write “a = x and b = y were only seen together”")
            cells.append((column.name, read_level(reader, column)))
        read_words(reader, "were only seen together", "a = x and b = y were only seen together, in 1 row")
        rows = 1
        if reader.try_sign(","):
            read_words(reader, "in", "a = x and b = y were only seen together, in 1 row")
            rows = reader.try_integer() or 1
            if not reader.try_words("rows"):
                read_words(reader, "row", "a = x and b = y were only seen together, in 1 row")
        if len({name for name, _ in cells}) < max(2, len(cells)):
            reader.fail("values that were seen together are of different columns: name two or more of them")
        return cls(tuple(cells), rows, origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`roof = glass and trim = sport were only seen together, in 1 row`."""
        *first, last = (f"{quoted(name)} = {level_text(level)}" for name, level in self.cells)
        rows = f"{self.rows} row{'' if self.rows == 1 else 's'}"
        return f"{', '.join(first)} and {last} were only seen together, in {rows}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if it has one of the values and lacks another one: each requires the next."""
        tests = [OneOf(name, (level,)) for name, level in self.cells]
        return All(tuple(Either((Not(a), b)) for a, b in zip(tests, [*tests[1:], tests[0]], strict=True)))
