"""Time parts: the year, month, weekday, hour … of a date or timestamp that is given as a text."""

from __future__ import annotations

import datetime

from unwritten.tables.roles import DATE, TIMESTAMP

NAMED = {"quarter": 4, "month": 12, "weekday": 7}
"""Parts that columns may name instead of counting them, and how many there are; weeks begin on Monday."""

OF_DAY = ("hour", "minute", "second")
PLACES = {"year": (0, 4), "month": (5, 7), "day": (8, 10), "hour": (11, 13), "minute": (14, 16), "second": (17, 19)}
"""Where an ISO date or timestamp has its parts."""

PARTS = ("date", "year", "quarter", "month", "day", "weekday", *OF_DAY)


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


def with_part(text: str, part: str, value: str) -> str | None:
    """Return an ISO date or timestamp with another year, month, day, hour … or date; None if there is none.

    >>> with_part("2025-03-09 14:05:00", "hour", "7"), with_part("2025-03-09", "month", "13")
    ('2025-03-09 07:05:00', None)
    """
    place = {"date": slice(0, 10)} | {name: slice(first, end) for name, (first, end) in PLACES.items()}
    if part not in place or not (value.isdecimal() or part == "date") or len(text) < (place[part].stop or 0):
        return None
    width = place[part].stop - place[part].start
    other = text[: place[part].start] + value.rjust(width, "0") + text[place[part].stop :]
    return other if part_of(other, "date") is not None else None
