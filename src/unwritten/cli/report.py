"""`unwritten report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unwritten.cli.console import Force, ModelPath, model_of, progress, require_free, say, table_argument
from unwritten.errors import DataError

if TYPE_CHECKING:
    from unwritten.data import IntArray
    from unwritten.model import Model
    from unwritten.tables import Progress


def report(
    model: ModelPath,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="MODEL's name with .html if not given.")] = None,
    table: Annotated[
        str | None, typer.Option(help="The table that was mined, to show the rows that break a rule mined with noise.")
    ] = None,
    force: Force = False,
) -> None:
    """Write one self-contained page: the rules with search and filters, the structure, the evidence, the suspects.

    Example: unwritten report sales.rules -o sales.html
    """
    from unwritten.formats import write_text
    from unwritten.report import report as page

    target = output or model.with_suffix(".html")
    require_free(target, force)
    read = model_of(model)
    with progress() as show:
        rows = None if table is None else _labels(read, table, show)
        show("drawing", 0, 0)
        text = page(read, rows)
    write_text(target, text)
    say(f"saved to {target}")


def _labels(model: Model, table: str, show: Progress) -> IntArray:
    """The rows of a table as labels of the model."""
    import numpy as np

    from unwritten.tables import encoded_batches, open_table

    if model.schema is None:
        raise DataError("the model was not mined from a table: leave --table out")
    blocks = encoded_batches(open_table(table_argument(table)), model.schema, show, "reading")
    return np.concatenate([block.labels for _, block in blocks])
