"""Printing: results on standard output, notes on standard error, and CSV cells that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterable

from unwritten.tables.quoting import plain_json, shown

#: A spreadsheet takes a cell that begins with one of these characters for a formula.
FORMULA_STARTS = tuple("=+-@＝＋－＠")
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)


def say(text: str) -> None:
    """Print one or more lines on standard output."""
    sys.stdout.write(f"{_escaped(text)}\n")


def say_note(text: str) -> None:
    """Print one or more lines on standard error, for everything that is not the result."""
    sys.stderr.write(f"{_escaped(text)}\n")


def say_json(value: object) -> None:
    """Print a JSON document on one line of standard output."""
    say(plain_json(value))


def csv_line(cells: Iterable[object]) -> str:
    """Format a line of CSV.

    Text that a spreadsheet would run as a formula gets a quote in front; control characters are escaped.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow([_inert(shown(c)) if isinstance(c, str) else c for c in cells])
    return text.getvalue()


def percent(share: float | None) -> str:
    """Format a confidence as a percentage; it is never shown as 100 %, since no number of examples is a proof."""
    if share is None:
        return "–"
    if share > 0.9995:
        return ">99.9 %"
    return f"{100 * share:.1f} %"


def count(n: int, noun: str) -> str:
    """Format a number with its noun, in the plural unless the number is 1."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _escaped(text: str) -> str:
    """Escape every character that a terminal would obey, except line ends."""
    return text if text.isprintable() else "\n".join(map(shown, text.split("\n")))


def _inert(cell: str) -> str:
    return f"'{cell}" if cell[:1] in FORMULA_STARTS and not NUMBER.fullmatch(cell) else cell
