"""`unwritten diff`."""

from __future__ import annotations

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
    from unwritten.tables import ReadOptions

ModelOrTable = Annotated[str, typer.Argument(help="A .rules file, or a table to mine.")]


@options.with_reading
def diff(
    old: ModelOrTable,
    new: ModelOrTable,
    types: options.Types = None,
    missing: options.Missing = "category",
    *,
    reading: options.Reading,
    confidence: options.Confidence = 0.95,
    as_json: options.AsJson = False,
) -> None:
    """Compare the rules of two models or two tables.

    Takes a model or a table on either side; a table is mined first. Prints the rules that were gained, lost or
    changed. The exit code is 1 if there is such a rule. A rule is lost if new rows break it; if they are merely too
    few to show it again, it is listed apart.

    Examples:

        unwritten diff january.rules february.rules

        unwritten diff january.csv february.csv --types customer=skip
    """
    from unwritten.review import diff as difference_of
    from unwritten.tables import open_table

    models = [_load_or_mine(side, types, missing, confidence, reading) for side in (old, new)]
    rows = None if _is_model(new) else open_table(new, **reading)
    difference = difference_of(models[0], models[1], rows)
    if as_json:
        say_json(difference.state())
    else:
        say(difference.summary())
    raise typer.Exit(0 if difference.same else 1)


def _is_model(path: str) -> bool:
    from unwritten.formats import is_archive

    return path.endswith(".rules") or is_archive(path)


def _load_or_mine(
    path: str, types: list[str] | None, missing: MissingValues, confidence: float, reading: ReadOptions
) -> Model:
    import unwritten
    from unwritten.tables import Table

    if _is_model(path):
        return load_model(Path(path))
    with progress_bar() as update:
        table = Table.of(path, options.types_of(types), missing=missing, progress=update, **reading)
        return unwritten.mine(table, confidence=confidence)
