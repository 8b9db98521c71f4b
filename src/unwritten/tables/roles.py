"""Roles: what the values of a column are, and how a text becomes a number of that role."""

from __future__ import annotations

import datetime
import re
from typing import Literal, get_args

import numpy as np

from unwritten import budgets

Role = Literal[
    "identifier", "text", "category", "boolean", "integer", "decimal", "float", "date", "timestamp", "empty", "unknown"
]
ROLES: tuple[Role, ...] = get_args(Role)

NUMBERS: tuple[Role, ...] = ("integer", "decimal", "float")
TIMES: tuple[Role, ...] = ("date", "timestamp")

NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)  # 007 is a code
DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
TIMESTAMP = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?", re.ASCII)

SECONDS_PER_DAY = 86_400
FIRST_DAY = datetime.date(1970, 1, 1).toordinal()
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def is_number(text: str) -> bool:
    """Return whether a text is a finite number."""
    return NUMBER.fullmatch(text) is not None and bool(np.isfinite(float(text)))


def digits_after_point(text: str) -> int:
    """Return how many digits a number needs after its point; one more than the budget for numbers with an exponent.

    >>> digits_after_point("12.50"), digits_after_point("7"), digits_after_point("1e-9") > 6
    (1, 0, True)
    """
    if "e" in text or "E" in text:
        return budgets.DECIMAL_DIGITS + 1
    return len(text.partition(".")[2].rstrip("0"))


def date_number(text: str) -> int | None:
    """Return the days since 1970-01-01 of an ISO date; None if it is not one."""
    if DATE.fullmatch(text) is None:
        return None
    try:
        return datetime.date.fromisoformat(text).toordinal() - FIRST_DAY
    except ValueError:
        return None


def timestamp_number(text: str) -> float | None:
    """Return the seconds since 1970 of an ISO date with a time (UTC if it names no zone); None if it is not one."""
    if TIMESTAMP.fullmatch(text) is None:
        return None
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return ((moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)) - EPOCH).total_seconds()


def number_of(text: str, role: Role, scale: int) -> float | None:
    """Return a text as a number of a role: decimals times 10 to the `scale`, dates as days, timestamps as seconds.

    Integers up to 2⁵¹ are exact in a float, and so are decimals after scaling: the nearest float of a decimal, times a
    power of ten, is off by less than a quarter then, and is rounded. More digits than `scale` leave a fraction.
    """
    if role == "date":
        return date_number(text)
    if role == "timestamp":
        days = date_number(text)
        return timestamp_number(text) if days is None else float(days * SECONDS_PER_DAY)
    if role not in NUMBERS or not is_number(text):
        return None
    if role == "decimal" or (role == "integer" and digits_after_point(text)):
        scaled = float(text) * 10**scale
        return float(round(scaled)) if digits_after_point(text) <= scale else scaled
    return float(text)
