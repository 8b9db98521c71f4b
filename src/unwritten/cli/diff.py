"""`unwritten diff`."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unwritten.cli import shared_options as options
from unwritten.cli.allowed_values import MissingValues
from unwritten.cli.console import say, say_json
from unwritten.cli.files import load_model
from unwritten.cli.progress_bar import progress_bar

if TYPE_CHECKING:
    from unwritten.model import Model

ModelOrTable = Annotated[str, typer.Argument(help="A .rules file, or a table to mine.")]


def diff(
    old: ModelOrTable,
    new: ModelOrTable,
    types: options.Types = None,
    missing: options.Missing = "category",
    confidence: options.Confidence = 0.95,
    as_json: options.AsJson = False,
) -> None:
    """Compare the rules of two models or two tables.

    Takes a model or a table on either side; a table is mined first. Prints the rules that were gained, lost or
    changed. The exit code is 1 if there is such a rule.

    Examples:

        unwritten diff january.rules february.rules

        unwritten diff january.csv february.csv --types customer=skip
    """
    from unwritten.review import diff as difference_of

    difference = difference_of(*(_load_or_mine(side, types, missing, confidence) for side in (old, new)))
    if as_json:
        say_json(difference.state())
    else:
        say(difference.summary())
    raise typer.Exit(0 if difference.same else 1)


def _load_or_mine(path: str, types: list[str] | None, missing: MissingValues, confidence: float) -> Model:
    import unwritten
    from unwritten.tables import Table

    if path.endswith(".rules") or (Path(path).is_file() and zipfile.is_zipfile(path)):
        return load_model(Path(path))
    with progress_bar() as update:
        table = Table.of(path, options.types_of(types), missing=missing, progress=update)
        return unwritten.mine(table, confidence=confidence)
