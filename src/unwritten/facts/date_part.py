"""Date part: a column says the year, month, weekday, hour … of a date or timestamp."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import IsPart
from unwritten.conditions.time_parts import NAMED, PARTS
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnName, TimeColumn
from unwritten.facts.parts_of_sentences import read_column, read_name, read_text
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema
from unwritten.tables.column import Level
from unwritten.tables.quoting import quoted, shown
from unwritten.tables.roles import TIMES

UNSEEN = "?"  # in a sentence: a part whose name no row has shown


@dataclass(frozen=True)
class DatePart(Fact):
    """`name` is the `part` of the date or timestamp `time`, as it is written there, whatever its time zone.

    `values` are what the column calls each part, from the first one on (None if no row has it); without any, the
    column holds the number itself. Monday is the first weekday.

    >>> from unwritten.tables import Column
    >>> DatePart("hour", "hour", "start").words(Schema((Column("hour", "integer"),)))
    'hour = hour of start'
    """

    kind = "date-part"
    about = ("name", "time")
    same = ("name", "part", "time")
    name: ColumnName
    part: str
    time: TimeColumn
    values: tuple[Level, ...] = ()

    def __post_init__(self) -> None:
        if self.part not in PARTS or (self.values and len(self.values) != NAMED.get(self.part)):
            raise DataError("a part of a date is not one, or lacks names: mine the table again")

    @classmethod
    def read(cls, reader: Reader) -> DatePart:
        """Read the sentence."""
        name, part = read_name(reader), None
        if reader.try_sign("="):
            part = next((each for each in PARTS if reader.try_words(each, "of")), None)
        if part is None:
            reader.fail(f"a part of a date is missing before {reader.rest}: write “month = month of day”")
        time = read_column(reader)
        if time.role not in TIMES:
            reader.fail(f"{shown(quoted(time.name))} holds no dates: name a column of dates or timestamps")
        values: list[Level] = []
        if reader.try_sign(":"):
            values.append(_read_called(reader))
            while reader.try_sign(","):
                values.append(_read_called(reader))
        if values and len(values) != NAMED.get(part):
            given = f"{len(values)} names are given for each {part}"
            reader.fail(f"{given}: list all of them from the first on, {UNSEEN} if unknown")
        return cls(name, part, time.name, tuple(values), origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`hour = hour of start`, and after a colon what the parts are called."""
        called = ", ".join(UNSEEN if value is None else quoted(value) for value in self.values)
        return f"{quoted(self.name)} = {self.part} of {quoted(self.time)}{': ' + called if called else ''}"

    @property
    def condition(self) -> IsPart:
        """A row breaks it if both cells are there, and the column says another part."""
        return IsPart(self.name, self.part, self.time, self.values)


def _read_called(reader: Reader) -> Level:
    return None if reader.try_sign(UNSEEN) else read_text(reader)
