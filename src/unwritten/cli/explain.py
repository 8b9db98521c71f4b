"""`unwritten explain`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from unwritten.cli import shared_options as options
from unwritten.cli.console import say, say_json
from unwritten.cli.files import load_model
from unwritten.errors import DataError

if TYPE_CHECKING:
    from unwritten.model import Model
    from unwritten.tables import ReadOptions


@options.with_reading
def explain(
    model: options.ModelPath,
    row: Annotated[
        str,
        typer.Argument(
            metavar="ROW", help="A JSON object, - to read one from standard input, or TABLE:17 for row 17 of a table."
        ),
    ],
    nearest: Annotated[int, typer.Option(min=0, help="The number of most similar mined rows to show.")] = 3,
    time_limit: Annotated[float, typer.Option(min=0.1, help="Seconds to search for the smallest repair.")] = 10.0,
    strict: Annotated[
        bool, typer.Option("--strict", help="Also reject integers outside the range of the mined rows.")
    ] = False,
    *,
    reading: options.Reading,
    as_json: options.AsJson = False,
) -> None:
    """Say which rules a row breaks, and the fewest cells to change so that it breaks none.

    Takes a model and one row. Prints the broken rules, the smallest repairs and the most similar mined rows. The exit
    code is 1 if the row breaks a rule.

    Examples:

        unwritten explain sales.rules new.csv:17

        unwritten explain sales.rules '{"trim": "sport", "engine": "A", "seats": 5}'
    """
    from unwritten.review import explain as explanation_of

    rules = load_model(model)
    given = read_row(rules, row, reading)
    explanation = explanation_of(rules, given, nearest=nearest, time_limit=time_limit, strict=strict)
    if as_json:
        say_json(explanation.state())
    else:
        say(explanation.summary())
    raise typer.Exit(0 if explanation.feasible else 1)


def read_row(model: Model, text: str, reading: ReadOptions | None = None) -> dict[str, object]:
    """Read a row from JSON, from standard input (`-`) or from a table (`TABLE:17`)."""
    if text == "-":
        text = sys.stdin.read()
    elif not text.lstrip().startswith("{"):
        return _row_of_table(model, text, reading)
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f'the row is not a JSON object ({error}): write e.g. {{"trim": "sport"}}') from error
    if not isinstance(row, dict):
        raise DataError('the row is not a JSON object: write e.g. {"trim": "sport"}')
    return row


def _row_of_table(model: Model, text: str, reading: ReadOptions | None) -> dict[str, object]:
    """Read row 17 of a table from `TABLE:17`; columns that the model does not know are left out."""
    from unwritten.tables import open_table
    from unwritten.tables.cell_texts import texts_of

    path, colon, digits = text.rpartition(":")
    if not colon or not digits.isdigit() or int(digits) < 1:
        raise DataError(f"{text!r} is not a row: write a JSON object, or TABLE:17 for row 17 of a table")
    number = int(digits)
    source = open_table(path, **(reading or {}))
    names = source.names
    if model.schema is not None:
        known = {column.name for column in model.schema.columns}
        names = tuple(name for name in names if name in known)
    rows_before = 0
    for batch, _ in source.batches():
        if number <= rows_before + batch.num_rows:
            row: dict[str, object] = {}
            for name in names:
                texts, index = texts_of(batch.column(name).slice(number - 1 - rows_before, 1), name)
                row[name] = texts[int(index[0])]
            return row
        rows_before += batch.num_rows
    raise DataError(f"{path} has {rows_before:,} rows and no row {digits}: the first is row 1")
