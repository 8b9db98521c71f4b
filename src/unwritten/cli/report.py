"""`unwritten report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unwritten.cli import shared_options as options
from unwritten.cli.console import say
from unwritten.cli.files import load_model, require_free, source_of
from unwritten.cli.progress_bar import progress_bar
from unwritten.errors import DataError

if TYPE_CHECKING:
    from unwritten.data import IntArray
    from unwritten.model import Model
    from unwritten.progress import Progress
    from unwritten.tables import ReadOptions


@options.with_reading
def report(
    model: options.ModelPath,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="The file to write; MODEL with the ending .html by default."
        ),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            metavar="TABLE",
            help="The table that was mined: the page then shows its rows that break a rule mined with noise.",
        ),
    ] = None,
    *,
    reading: options.Reading,
    force: options.Force = False,
) -> None:
    """Write one HTML page about a model, which needs no network.

    Takes a model. Saves a page with the rules (to search and filter), how the columns are connected, the evidence for
    each rule, and the rows that look wrong.

    Example: unwritten report sales.rules -o sales.html
    """
    from unwritten.formats import write_text
    from unwritten.report import report as page_of

    target = output or model.with_suffix(".html")
    require_free(target, force, model, table)
    rules = load_model(model)
    with progress_bar() as update:
        labels = None if table is None else _read_labels(rules, table, reading, update)
        update("drawing", 0, 0)
        page = page_of(rules, labels)
    write_text(target, page)
    say(f"saved to {target}")


def _read_labels(model: Model, table: str, reading: ReadOptions, update: Progress) -> IntArray:
    """Read the rows of a table as labels of the model."""
    import numpy as np

    from unwritten.tables import encoded_batches, open_table

    if model.schema is None:
        raise DataError("the model was not mined from a table: leave --table out")
    rows = open_table(source_of(table), **reading)
    labels = [batch.labels for _, batch in encoded_batches(rows, model.schema, update, "reading")]
    if not labels:
        raise DataError(f"{rows.title} has no rows: give the table that was mined, or leave --table out")
    return np.concatenate(labels)
