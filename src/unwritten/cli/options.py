"""Options of the commands that read tables."""

from __future__ import annotations

from typing import Annotated

import typer

from unwritten.errors import DataError

TableArgument = Annotated[
    str, typer.Argument(metavar="TABLE", help="A CSV, Parquet or Arrow file, or - for CSV on standard input.")
]
Types = Annotated[
    list[str] | None,
    typer.Option(
        "--types",
        metavar="NAME=KIND,…",
        help="Kinds of columns where inspection errs: category, boolean, integer, bins:4, bins:10|20 or skip.",
    ),
]
Missing = Annotated[str, typer.Option(help="Missing values: category (a value of their own) or error.")]
Delimiter = Annotated[str | None, typer.Option(help="Of a CSV file; found if not given.")]
Encoding = Annotated[str | None, typer.Option(help="Of a CSV file; found if not given.")]
Na = Annotated[list[str] | None, typer.Option("--na", help="A word that stands for a missing value, e.g. NA.")]
MaxLevels = Annotated[int, typer.Option(min=1, help="The most values that a category may have.")]
Confidence = Annotated[float, typer.Option(help="How sure a rule must be that it is no accident, from 0 to below 1.")]


def types_of(parts: list[str] | None) -> dict[str, str]:
    """`a=category,b=bins:4` as a mapping; the last = of a part counts, for names may hold others."""
    types: dict[str, str] = {}
    for part in (piece for text in parts or () for piece in text.split(",")):
        name, sign, kind = part.rpartition("=")
        if not sign or not name:
            raise DataError(f"--types {part!r} is not NAME=KIND: write e.g. --types doors=category,price=bins:4")
        types[name] = kind
    return types


def delimiter_of(text: str | None) -> str | None:
    """A delimiter as people write it."""
    return {None: None, "tab": "\t", "\\t": "\t", "space": " "}.get(text, text)
