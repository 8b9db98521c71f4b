"""Units: numbers of columns with different roles, made comparable, and written for people."""

from __future__ import annotations

import datetime

from unwritten.data import FloatArray
from unwritten.tables.column import Column
from unwritten.tables.roles import EPOCH, FIRST_DAY, SECONDS_PER_DAY, TIMES
from unwritten.tables.typed_rows import TypedRows


def common_factor(columns: tuple[Column, ...], name: str) -> int:
    """Return the factor that brings a column to the unit of all: the most digits after the point, or seconds."""
    column = next(each for each in columns if each.name == name)
    if column.role in TIMES:
        finest = "timestamp" if any(each.role == "timestamp" for each in columns) else "date"
        return SECONDS_PER_DAY if (column.role, finest) == ("date", "timestamp") else 1
    return int(10 ** (max(each.scale for each in columns) - column.scale))


def in_common_unit(rows: TypedRows, names: tuple[str, ...]) -> list[FloatArray]:
    """Return the numbers of several columns in one unit."""
    columns = tuple(rows.schema[name] for name in names)
    return [rows.numbers(name) * common_factor(columns, name) for name in names]


def number_text(value: float, column: Column) -> str:
    """Return a number in the unit of a column as people write it.

    >>> number_text(1250, Column("price", "skip", role="decimal", scale=2))
    '12.5'
    """
    if column.role == "date":
        return datetime.date.fromordinal(int(value) + FIRST_DAY).isoformat()
    if column.role == "timestamp":
        moment = EPOCH + datetime.timedelta(seconds=value)
        return moment.replace(tzinfo=None).isoformat(sep=" ")
    plain = value / 10**column.scale
    text = f"{plain:.{column.scale}f}" if column.scale else f"{plain:.15g}"
    text = text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
    return text.replace("-", "−")


def unit_text(column: Column) -> str:
    """Return what the numbers of a column count, for people; nothing if that is 1.

    >>> unit_text(Column("price", "skip", role="decimal", scale=2))
    'in units of 0.01'
    """
    if column.role in TIMES:
        return f"{'days' if column.role == 'date' else 'whole seconds'} since {number_text(0, column)}"
    return f"in units of {number_text(1, column)}" if column.scale else ""
