"""`unwritten explain`."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from unwritten.cli.console import AsJson, ModelPath, model_of, say, say_json
from unwritten.errors import DataError


def explain(
    model: ModelPath,
    row: Annotated[str, typer.Argument(help="A JSON object, - for one on standard input, or TABLE:17 for its row 17.")],
    nearest: Annotated[int, typer.Option(min=0, help="How many of the nearest seen rows to show.")] = 3,
    time_limit: Annotated[float, typer.Option(min=0.1, help="Seconds to look for the smallest repair.")] = 10.0,
    strict: Annotated[bool, typer.Option("--strict", help="Integers outside the range seen are wrong too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say which rules a row breaks, and the fewest cells to change to mend it. Exit code 1 if it breaks any.

    Examples:

        unwritten explain sales.rules new.csv:17

        unwritten explain sales.rules '{"trim": "sport", "engine": "A", "seats": 5}'
    """
    from unwritten.review import explain as explained

    read = model_of(model)
    found = explained(read, _row(read, row), nearest=nearest, time_limit=time_limit, strict=strict)
    if as_json:
        say_json(found.state())
    else:
        say(found.summary())
    raise typer.Exit(0 if found.feasible else 1)


def _row(model: Any, text: str) -> dict[str, Any]:
    if text == "-":
        text = sys.stdin.read()
    elif not text.lstrip().startswith("{"):
        return _row_of_table(model, text)
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f'the row is no JSON object ({error}): write e.g. {{"trim": "sport"}}') from error
    if not isinstance(row, dict):
        raise DataError('the row is no JSON object: write e.g. {"trim": "sport"}')
    return row


def _row_of_table(model: Any, text: str) -> dict[str, Any]:
    from unwritten.tables import open_table
    from unwritten.tables.cells import texts_of

    path, sign, place = text.rpartition(":")
    if not sign or not place.isdigit() or int(place) < 1:
        raise DataError(f"{text!r} is no row: write a JSON object, or TABLE:17 for row 17 of a table")
    source = open_table(path)
    start = 0
    for batch, _ in source.batches():
        if int(place) <= start + batch.num_rows:
            row: dict[str, Any] = {}
            for name in source.names:
                texts, index = texts_of(batch.column(name).slice(int(place) - 1 - start, 1), name)
                row[name] = texts[int(index[0])]
            if model.schema is not None:
                known = {column.name for column in model.schema.columns}
                return {name: value for name, value in row.items() if name in known}
            return row
        start += batch.num_rows
    raise DataError(f"{path} has {start:,} rows and no row {place}: the first is row 1")
