"""Date part: a column says the year, month, weekday, hour … of a date or timestamp."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import ColumnName, TimeColumn
from unwritten.tables import Schema
from unwritten.tables.column import Level, plain_integer
from unwritten.tables.quoting import quoted
from unwritten.tables.roles import DATE, TIMESTAMP
from unwritten.tables.typed_rows import TypedRows

NAMED = {"quarter": 4, "month": 12, "weekday": 7}
"""Parts that columns may name instead of counting them, and how many there are; weeks begin on Monday."""

OF_DAY = ("hour", "minute", "second")
PARTS = ("date", "year", "quarter", "month", "day", "weekday", *OF_DAY)

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
    name: ColumnName
    part: str
    time: TimeColumn
    values: tuple[Level, ...] = ()

    def __post_init__(self) -> None:
        if self.part not in PARTS or (self.values and len(self.values) != NAMED.get(self.part)):
            raise DataError("a part of a date is not one, or lacks names: mine the table again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The column of the part, and that of the time."""
        return self.name, self.time

    @property
    def identity(self) -> Any:
        """The columns and the part: further names do not make it another fact."""
        return [self.name, self.part, self.time]

    def words(self, schema: Schema) -> str:
        """`hour = hour of start`, and after a colon what the parts are called."""
        called = ", ".join(UNSEEN if value is None else quoted(value) for value in self.values)
        return f"{quoted(self.name)} = {self.part} of {quoted(self.time)}{': ' + called if called else ''}"

    def checker(self) -> Checker:
        """A row breaks it if both cells are there, and the column says another part."""
        return self._broken

    def expected(self, time: str) -> Level:
        """What the column must say for the text of a time; None if the text is no time, or the name is not known."""
        number = part_of(time, self.part)
        if number is None or not self.values:
            return number
        return self.values[int(number) - 1]

    def _broken(self, rows: TypedRows) -> BoolArray:
        times, at = rows.texts(self.time)
        said, index = rows.texts(self.name)
        numbers: dict[Level, int] = {None: -1}
        wanted = [numbers.setdefault(None if t is None else self.expected(t), len(numbers)) for t in times]
        there = [-1 if s is None else numbers.get(plain_integer(s), -2) for s in said]
        wanted_of, there_of = np.array(wanted, np.int64)[at], np.array(there, np.int64)[index]
        return np.asarray((wanted_of >= 0) & (there_of != -1) & (wanted_of != there_of))


def part_of(text: str, part: str) -> str | None:
    """Return a part of an ISO date or timestamp as a text; None if it is no time.

    >>> part_of("2025-03-09 14:05:00", "hour"), part_of("2025-03-09", "weekday")
    ('14', '7')
    """
    if TIMESTAMP.fullmatch(text) is None and DATE.fullmatch(text) is None:
        return None
    try:
        day = datetime.date.fromisoformat(text[:10])
    except ValueError:
        return None
    if part == "date":
        return text[:10]
    if part in OF_DAY:
        start = 11 + 3 * OF_DAY.index(part)
        return str(int(text[start : start + 2])) if text[start : start + 2].isdecimal() else "0"
    numbers = {
        "year": day.year,
        "quarter": (day.month + 2) // 3,
        "month": day.month,
        "day": day.day,
        "weekday": day.isoweekday(),
    }
    return str(numbers[part])
