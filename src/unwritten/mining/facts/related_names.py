"""Related names: columns whose names say that they measure the same thing, such as temp_min and temp_max."""

from __future__ import annotations

import re
from itertools import product

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
UNITS = frozenset(
    {"of", "in", "the", "and", "per", "by", "num", "number", "no", "nr", "total", "mm", "cm", "kg", "sf", "pct", "perc"}
)
ENDS = (
    ({"start", "begin", "from", "first", "open", "opened", "birth", "entry", "entered", "since"},
     {"stop", "end", "to", "until", "last", "close", "closed", "death", "exit", "left", "till"}),
    ({"min", "minimum", "low", "lowest", "lower"}, {"max", "maximum", "high", "highest", "upper"}),
)  # fmt: skip
INTERVALS = ({"start", "begin", "entry", "entered"}, {"stop", "end", "exit"})
IDENTIFIERS = frozenset({"id", "ids", "uid", "uuid", "guid", "pid", "idcode", "key", "code", "zip", "phone"})
CALENDAR = frozenset(
    {
        "year",
        "yr",
        "quarter",
        "month",
        "week",
        "weekday",
        "day",
        "dow",
        "doy",
        "date",
        "time",
        "hour",
        "minute",
        "season",
    }
)


def is_of_the_calendar(name: str) -> bool:
    """True if a name says that the column is a date or time, or a part of one.

    >>> is_of_the_calendar("arrival_month"), is_of_the_calendar("payday")
    (True, False)
    """
    return bool(_words(name) & CALENDAR)


def is_a_name_of_things(name: str) -> bool:
    """True if a name says that the numbers of a column only name things: their size means nothing.

    >>> is_a_name_of_things("subject_id"), is_a_name_of_things("StoreID"), is_a_name_of_things("humid")
    (True, True, False)
    """
    return bool(_words(name) & IDENTIFIERS) or WORD.findall(name)[-1:] in (["NR"], ["nr"])


def share_a_word(first: str, second: str) -> bool:
    """True if two names have a word in common that is no unit.

    >>> share_a_word("wind_speed", "windGust"), share_a_word("bill_mm", "body_mm")
    (True, False)
    """
    return bool((_words(first) & _words(second)) - UNITS)


def start_alike(first: str, second: str) -> bool:
    """True if two names begin with the same three letters or more.

    >>> start_alike("poptotal", "popadults"), start_alike("X1", "X2")
    (True, False)
    """
    return first[:3].isalpha() and first[:3].lower() == second[:3].lower()


def are_ends(low: str, high: str) -> bool:
    """True if the names are those of two ends, and differ in nothing else: start and stop, tempMin and tempMax.

    >>> are_ends("start", "stop"), are_ends("max_temp", "min_temp"), are_ends("low_price", "high_cost")
    (True, False, False)
    """
    return any(_differ_in(low, high, *ends) is not None for ends in ENDS)


def bound_an_interval(low: str, high: str) -> bool:
    """True if the names are those of the start and the stop of something that lasts.

    >>> bound_an_interval("tstart", "tstop"), bound_an_interval("start_year", "enddate")
    (True, False)
    >>> bound_an_interval("startdate", "enddate")
    False
    """
    rest = _differ_in(low, high, *INTERVALS)
    return rest is not None and not rest & CALENDAR


def _differ_in(low: str, high: str, lower: set[str], upper: set[str]) -> set[str] | None:
    """Return what names have in common if they differ in words of two kinds alone; None if they do not.

    The words may be parts of longer ones: tstart and tstop, startdate and enddate.
    """
    below, above = _words(low), _words(high)
    if below & lower and above & upper and below - lower == above - upper:
        return below - lower
    for word, other in product(lower, upper):
        if (rests := _rests(low, word) & _rests(high, other)) and min(len(word), len(other)) > 2:
            return rests
    return None


def _rests(name: str, word: str) -> set[str]:
    """Return what is left of a name without a word at its beginning, or without it at its end."""
    text = name.lower()
    return {text.removeprefix(word), text.removesuffix(word)} - {text, ""}


def _words(name: str) -> set[str]:
    return {word.lower() for word in WORD.findall(name)} or {name.lower()}
