"""Arguments and options that several commands share, and the functions that read their text."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import typer

from unwritten.cli.allowed_values import MissingValues
from unwritten.errors import DataError
from unwritten.options import MinerName
from unwritten.tables.read_options import USUAL_MISSING, ReadOptions

COLUMN_KINDS = (
    *("category", "boolean", "integer", "decimal", "float", "date", "timestamp", "identifier", "text"),
    *("bins:4", "skip"),
)
MINERS = ", ".join(get_args(MinerName))


def complete_types(incomplete: str) -> list[str]:
    """Complete the kind behind the last = of NAME=KIND in a shell."""
    before, sign, _ = incomplete.rpartition("=")
    return [f"{before}={kind}" for kind in COLUMN_KINDS] if sign else []


ModelPath = Annotated[Path, typer.Argument(metavar="MODEL", help="A .rules file that `unwritten mine` wrote.")]
TableArguments = Annotated[
    list[str],
    typer.Argument(
        metavar="TABLE…",
        help="A CSV, JSON, Parquet, Arrow, Excel, SQLite or DuckDB file, packed or not; several files or a pattern in "
        "quotes, read as one table; a connection string; or - for standard input.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Habits = Annotated[
    bool,
    typer.Option("--habits", help="Use habits as rules: what all examples do, though nothing proves they must."),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output file if it exists.")]
Types = Annotated[
    list[str] | None,
    typer.Option(
        "--types",
        metavar="NAME=KIND,…",
        help="Set the kind of a column where inspection gets it wrong: category, boolean, integer, decimal, float, "
        "date, timestamp, identifier, text, bins:4, bins:10|20 or skip.",
        autocompletion=complete_types,
    ),
]
Missing = Annotated[MissingValues, typer.Option(help="Treat a missing value as a category of its own, or as an error.")]
Delimiter = Annotated[
    str | None,
    typer.Option(
        help="The character between cells of a CSV file, or tab or space; guessed by default.",
        autocompletion=lambda: ["tab", "space", ",", ";"],
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        help="The encoding of a CSV or JSON file, e.g. cp1252; guessed by default.",
        autocompletion=lambda: ["utf-8", "utf-16", "cp1252", "latin-1"],
    ),
]
Decimal = Annotated[
    str | None,
    typer.Option(
        help="The sign before the fraction in a CSV file, . or a comma; guessed by default.",
        autocompletion=lambda: [".", ","],
    ),
]
Na = Annotated[
    list[str] | None,
    typer.Option(
        "--na",
        metavar="WORD",
        help="A word that marks a missing value, in place of the usual ones (NA, NULL, nan, -, ? and others); the word "
        "usual stands for all of those. May be repeated.",
    ),
]
Reading = ReadOptions
"""What the options of `reading_of` say together: the argument `reading` of a command."""
Sheet = Annotated[str | None, typer.Option(help="The sheet of a workbook; the first by default.")]
Query = Annotated[str | None, typer.Option(help="The SQL query, or the name of the table, to read from a database.")]
MaxLevels = Annotated[int, typer.Option(min=1, help="Refuse a category column with more distinct values than this.")]
Confidence = Annotated[
    float, typer.Option(help="Report a rule only if it is not an accident with this probability, from 0 to below 1.")
]


def types_of(texts: list[str] | None) -> dict[str, str]:
    """Read `a=category,b=bins:4` as kinds by column name.

    The last `=` of a part separates name and kind, because names may contain `=` too.
    """
    kinds: dict[str, str] = {}
    for part in (piece for text in texts or () for piece in text.split(",")):
        name, sign, kind = part.rpartition("=")
        if not sign or not name:
            raise DataError(f"--types {part!r} is not NAME=KIND: write e.g. --types doors=category,price=bins:4")
        kinds[name] = kind
    return kinds


def reading_of(
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    na: Na = None,
    sheet: Sheet = None,
    query: Query = None,
) -> ReadOptions:
    """Read how a table is to be read; `tab` and `space` name delimiters that are hard to type."""
    sign = {None: None, "tab": "\t", "\\t": "\t", "space": " "}.get(delimiter, delimiter)
    words = None if na is None else [each for word in na for each in (USUAL_MISSING if word == "usual" else (word,))]
    return {
        "delimiter": sign,
        "encoding": encoding,
        "decimal": decimal,
        "missing_words": words,
        "sheet": sheet,
        "query": query,
    }


def with_reading(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `reading_of` in place of its argument `reading`, which gets what they say."""
    options = [
        each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for each in inspect.signature(reading_of, eval_str=True).parameters.values()
    ]

    @wraps(command)
    def reading_command(**given: Any) -> None:
        reading = reading_of(**{option.name: given.pop(option.name) for option in options})
        command(**given, reading=reading)

    own = inspect.signature(command, eval_str=True)
    parts = [options if each.name == "reading" else [each] for each in own.parameters.values()]
    whole = own.replace(parameters=[each for part in parts for each in part])
    reading_command.__signature__ = whole  # type: ignore[attr-defined]
    reading_command.__annotations__ = {name: each.annotation for name, each in whole.parameters.items()}
    return reading_command


def miners_of(text: str) -> Literal["auto"] | list[MinerName]:
    """Read `auto`, or names of miners separated by commas; no names at all switch mining off."""
    if text == "auto":
        return "auto"
    miners: dict[str, MinerName] = {name: name for name in get_args(MinerName)}
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in miners:
            raise DataError(f"there is no miner {name!r}: use auto or names from {', '.join(miners)}")
    return [miners[name] for name in names]


def complete_miners(incomplete: str) -> list[str]:
    """Complete the last name of a list of miners in a shell."""
    before, comma, _ = incomplete.rpartition(",")
    names = [name for name in get_args(MinerName) if name not in before.split(",")]
    return [f"{before}{comma}{name}" for name in (names if comma else ["auto", *names])]


def noise_of(text: str) -> float | Literal["auto"]:
    """Read a share of wrong rows, or `auto`."""
    try:
        return "auto" if text == "auto" else float(text)
    except ValueError as error:
        raise DataError(f"--noise {text!r} is neither a share nor auto: write e.g. --noise 0.01") from error
