"""Wording: the sentences that findings, explanations and repairs have in common."""

from __future__ import annotations

from html import escape
from typing import Any

from unwritten.shown import shown
from unwritten.tables import MISSING
from unwritten.tables.column import Level
from unwritten.tables.quoting import quoted

NOT_A_BASIS = "the row is not a basis of the matroid that the examples are bases of"


def cell_text(value: Any) -> str:
    """Return the value of a cell as sentences write it."""
    if value is None:
        return MISSING
    return quoted(str(value).lower() if isinstance(value, bool) else str(value))


def unknown_text(column: str, value: Level) -> str:
    """Say that the model has never seen a value of a column."""
    return shown(f"{quoted(column)} = {cell_text(value)} was never seen")


def outside_text(column: str, value: int) -> str:
    """Say that an integer is outside the range of its column."""
    return f"{quoted(column)} = {value} is outside the range seen"


def html_lines(text: str) -> str:
    """Return a summary as HTML that keeps its lines; nothing in it is read as markup."""
    return f"<pre>{escape(text)}</pre>"
