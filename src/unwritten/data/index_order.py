"""The order of index values: numbers, dates, week days and months have one of their own, other text has none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

NUMBER = re.compile(r"[+-]?\d{1,18}(\.\d{1,18})?")
DATE_OR_TIME = re.compile(r"\d{4}-\d\d(-\d\d)?([T ]\d\d:\d\d(:\d\d)?)?|\d\d:\d\d(:\d\d)?")

WEEK_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
SHORT_FORMS = {"tues": 1, "thur": 3, "thurs": 3}, {"sept": 8}

CALENDAR: dict[str, dict[str, int]] = {
    axis: {name[:3]: place for place, name in enumerate(names)}
    | {name: place for place, name in enumerate(names)}
    | short
    for axis, names, short in zip(("day", "month"), (WEEK_DAYS, MONTHS), SHORT_FORMS, strict=True)
}
"""The places of week days and months, short and long, by the name of the axis that they form."""


@dataclass(frozen=True)
class IndexOrder:
    """The values of an index in their order, the kind of them ("number", "date", "day", "month" or "text")."""

    values: tuple[str, ...]
    kind: str

    @property
    def is_ordered(self) -> bool:
        """True if the order means something: any kind but text, which stays as it came."""
        return self.kind != "text"


def index_order(values: Sequence[str]) -> IndexOrder | None:
    """Return distinct values in the order of their kind; None if two of them mean the same, such as 1 and 01.

    >>> index_order(["10", "9", "2"]).values, index_order(["sun", "mon"]).values, index_order(["late", "early"]).values
    (('2', '9', '10'), ('mon', 'sun'), ('late', 'early'))
    """
    keyed = _keys(values)
    if keyed is None:
        return IndexOrder(tuple(values), "text")
    keys, kind = keyed
    if len(set(keys)) < len(keys):
        return None
    order = sorted(range(len(values)), key=lambda k: keys[k])
    return IndexOrder(tuple(values[k] for k in order), kind)


def _keys(values: Sequence[str]) -> tuple[list[Any], str] | None:
    """What the values are sorted by, and their kind; None for text."""
    if all(NUMBER.fullmatch(value) for value in values):
        return [Fraction(value) for value in values], "number"
    if all(DATE_OR_TIME.fullmatch(value) for value in values):
        return list(values), "date"
    words = [calendar_word(value) for value in values]
    for axis, places in CALENDAR.items():
        if all(word in places for word in words):
            return [places[word] for word in words], axis
    return None


def calendar_word(value: str) -> str:
    """The form in which week days and months are looked up: "Mon." is "mon"."""
    return value.strip().rstrip(".").casefold()


def is_calendar_word(value: str) -> bool:
    """True for week days and months, short or long."""
    word = calendar_word(value)
    return any(word in places for places in CALENDAR.values())
