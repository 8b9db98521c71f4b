"""Printing: results on standard output, notes on standard error, and CSV cells that no spreadsheet runs."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable
from contextlib import suppress

from unwritten.shown import shown, visible
from unwritten.tables.quoting import plain_json

#: A spreadsheet takes a cell that begins with one of these characters for a formula.
FORMULA_STARTS = tuple("=+-@＝＋－＠")
LEAST_TEXT = 10  # characters beside the hanging indent of a narrow terminal
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)


def say(text: str, hang: int = 0) -> None:
    """Print one or more lines on standard output.

    On a terminal, a line that is too long goes on below itself, `hang` characters from the left. In a pipe every line
    stays one line, because a program may read it.
    """
    lines = [shown(line) for line in text.split("\n")]
    if is_terminal():
        lines = [part for line in lines for part in folded(line, shutil.get_terminal_size().columns, hang)]
    write("".join(f"{line}\n" for line in lines))


def write(text: str) -> None:
    """Write to standard output. If its reader wants no more, as in `| head`, the command still does its work."""
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        drop_output()


def flush() -> None:
    """Pass on all that was written."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()


def drop_output() -> None:
    """Let nothing more reach standard output, so that Python does not fail when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_streams() -> None:
    """Make the standard streams fit to use: one that the caller has closed is empty, or goes nowhere.

    The file that is opened next would otherwise take the place of a closed stream, and get what libraries print.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an encoding without signs such as ≤ gets their codes


def complain(text: str) -> None:
    """Write lines to standard error; if nobody can read them, the command still does its work."""
    with suppress(OSError):
        sys.stderr.write(f"{text}\n")


def say_next(*commands: tuple[str, str]) -> None:
    """Print commands to try next, each with what it does; only on a terminal, where a person reads them."""
    if is_terminal():
        width = max(len(command) for command, _ in commands)
        say("\nnext:\n" + "\n".join(f"  {command:<{width}}  {what}" for command, what in commands), hang=4)


def is_terminal() -> bool:
    """Return True if a person reads standard output."""
    return sys.stdout.isatty()


def folded(line: str, width: int, hang: int) -> list[str]:
    """Break a line at spaces into lines of at most `width` characters, if words allow.

    >>> folded("id  one rule that is long", 14, 4)
    ['id  one rule', '    that is', '    long']
    """
    if len(line) <= width:
        return [line]
    indent = hang if width - hang >= LEAST_TEXT else 0
    head, rest = line[:indent], line[indent:]
    parts = textwrap.wrap(rest, max(1, width - indent), break_long_words=False, break_on_hyphens=False)
    return [f"{' ' * indent if k else head}{part}" for k, part in enumerate(parts)]


def say_note(text: str) -> None:
    """Print one or more lines on standard error, for everything that is not the result."""
    complain("\n".join(map(shown, text.split("\n"))))


def say_whole(text: str) -> None:
    """Print lines that a program reads: they stay whole on a terminal too."""
    write(f"{_escaped(text)}\n")


def say_json(value: object) -> None:
    """Print a JSON document on one line of standard output."""
    say_whole(plain_json(value))


def csv_line(cells: Iterable[object]) -> str:
    """Format a line of CSV.

    Text that a spreadsheet would run as a formula gets a quote in front; control characters are escaped.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow([_inert(visible(c)) if isinstance(c, str) else c for c in cells])
    return text.getvalue()


def percent(share: float | None) -> str:
    """Format a confidence as a percentage; it is never shown as 100 %, since no number of examples is a proof."""
    if share is None:
        return "–"
    if share > 0.9995:
        return ">99.9 %"
    return f"{100 * share:.1f} %"


def _escaped(text: str) -> str:
    """Escape every character that a terminal would obey, except line ends."""
    return text if text.isprintable() else "\n".join(map(visible, text.split("\n")))


def _inert(cell: str) -> str:
    return f"'{cell}" if cell[:1] in FORMULA_STARTS and not NUMBER.fullmatch(cell) else cell
