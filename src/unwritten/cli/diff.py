"""`unwritten diff`."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unwritten.cli import options
from unwritten.cli.console import AsJson, model_of, progress, say, say_json

if TYPE_CHECKING:
    from unwritten.model import Model

Side = Annotated[str, typer.Argument(help="A model, or a table to mine.")]


def diff(
    old: Side,
    new: Side,
    types: options.Types = None,
    missing: options.Missing = "category",
    confidence: options.Confidence = 0.95,
    as_json: AsJson = False,
) -> None:
    """Say which rules were gained, lost or changed between two models or two tables. Exit code 1 if any.

    Examples:

        unwritten diff january.rules february.rules

        unwritten diff january.csv february.csv --types customer=skip
    """
    from unwritten.review import diff as difference

    found = difference(*(_model(side, types, missing, confidence) for side in (old, new)))
    if as_json:
        say_json(found.state())
    else:
        say(found.summary())
    raise typer.Exit(0 if found.same else 1)


def _model(side: str, types: list[str] | None, missing: str, confidence: float) -> Model:
    import unwritten
    from unwritten.tables import Table

    if side.endswith(".rules") or (Path(side).is_file() and zipfile.is_zipfile(side)):
        return model_of(Path(side))
    with progress() as show:
        table = Table.of(side, options.types_of(types), missing=missing, progress=show)
        return unwritten.mine(table, confidence=confidence)
