"""Parts of sentences: what the readers of several kinds of facts read alike."""

from __future__ import annotations

import re

from unwritten.rules.language.reader import JSON_STRINGS, Reader
from unwritten.tables.column import MISSING, Column, Level
from unwritten.tables.quoting import PLAIN, quoted, shown
from unwritten.tables.roles import DATE, NUMBERS, TIMES, TIMESTAMP, number_of

NUMBER = re.compile(r"[−+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][−+-]?\d+)?", re.ASCII)
AT_LEAST, AT_MOST = ("≥", ">="), ("≤", "<=")

Bounds = tuple[float | None, float | None]


def read_words(reader: Reader, words: str, example: str) -> None:
    """Read these words; fail with an example of a sentence that has them."""
    if not reader.try_words(*words.split()):
        reader.fail(f"“{words}” is missing before {reader.rest}: write “{example}”")


def read_column(reader: Reader) -> Column:
    """Read the name of a column."""
    return reader.scope.columns[reader.read_column()]


def read_name(reader: Reader) -> str:
    """Read the name of a column."""
    return read_column(reader).name


def read_names(reader: Reader) -> tuple[str, ...]:
    """Read `a`, `a and b`, or `a, b and c`."""
    names = [read_name(reader)]
    while reader.try_sign(",") or reader.try_words("and"):
        names.append(read_name(reader))
    if len(set(names)) < len(names):
        reader.fail("a column is named twice: name it once")
    return tuple(names)


def read_text(reader: Reader) -> str:
    """Read a plain word, or a text in quotes."""
    _ = reader.rest  # skips blanks
    if reader.text.startswith('"', reader.place):
        try:
            text, reader.place = JSON_STRINGS.raw_decode(reader.text, reader.place)
        except ValueError:
            reader.fail(f'a quote is not closed, or not a JSON string, at {reader.rest}: end the text with "')
        return str(text)
    word = PLAIN.match(reader.text, reader.place)
    if word is None:
        reader.fail(f"a text is missing before {reader.rest}: write a word, or a text in double quotes")
    reader.place = word.end()
    return word[0]


def read_level(reader: Reader, column: Column) -> Level:
    """Read a value of a column: one of its known values, if it has any."""
    c = reader.scope.index[column.name]
    if column.levels:
        return column.levels[reader.read_level(c)]
    if reader.try_words(MISSING):
        return None
    sign = "-" if reader.try_sign("−") else ""
    return sign + read_text(reader)


def read_levels(reader: Reader, column: Column) -> tuple[Level, ...]:
    """Read one value of a column, or several in braces."""
    if not reader.try_sign("{"):
        return (read_level(reader, column),)
    levels = [read_level(reader, column)]
    while reader.try_sign(","):
        levels.append(read_level(reader, column))
    if not reader.try_sign("}"):
        reader.fail(f"a brace is not closed before {reader.rest}: write }} after the last value")
    return tuple(levels)


def read_number(reader: Reader, column: Column) -> float:
    """Read a number or a moment, in the unit of a column."""
    _ = reader.rest  # skips blanks
    pattern = {"date": DATE, "timestamp": TIMESTAMP}.get(column.role, NUMBER)
    match = pattern.match(reader.text, reader.place)
    if match is None and column.role == "timestamp":
        match = DATE.match(reader.text, reader.place)
    if match is None:
        what = "a date such as 2025-01-31" if column.role in TIMES else "a number"
        reader.fail(f"{what} is missing before {reader.rest}: write one")
    value = number_of(match[0].replace("−", "-").removeprefix("+"), column.role, column.scale)
    if value is None:
        reader.fail(f"{match[0]} is no value of {shown(quoted(column.name))}: write another one")
    reader.place = match.end()
    return float(value)


def read_bounds(reader: Reader, column: Column) -> Bounds:
    """Read `from 0 to 100`, `≥ 0`, `≤ 100` or `= 5`."""
    form = "from" if reader.try_words("from") else reader.try_sign(*AT_LEAST, *AT_MOST, "=")
    if form is None:
        reader.fail(f"bounds are missing before {reader.rest}: write “price from 0 to 100” or “price ≥ 0”")
    if column.role not in (*NUMBERS, *TIMES):
        reader.fail(f"{shown(quoted(column.name))} holds no numbers or dates: a range needs them")
    low = read_number(reader, column)
    if form == "=":
        return low, low
    if form != "from":
        return (low, None) if form in AT_LEAST else (None, low)
    read_words(reader, "to", "price from 0 to 100")
    high = read_number(reader, column)
    if low > high:
        reader.fail("a range ends below its start: write the smaller number first")
    return low, high
