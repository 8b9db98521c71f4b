"""`unwritten check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from unwritten.cli import shared_options as options
from unwritten.cli.console import say, say_json
from unwritten.cli.files import load_model, source_of
from unwritten.cli.progress_bar import progress_bar
from unwritten.errors import DataError

if TYPE_CHECKING:
    from unwritten.tables import TableReader


@options.with_reading
def check(
    model: options.ModelPath,
    tables: options.TableArguments,
    *,
    reading: options.Reading,
    limit: Annotated[
        int, typer.Option(min=0, help="Print at most this many rows; all are counted, and --json prints all.")
    ] = 20,
    strict: Annotated[
        bool, typer.Option("--strict", help="Also report integers outside the range of the mined rows.")
    ] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Accept a table without rows, which is a mistake otherwise.")
    ] = False,
    habits: options.Habits = False,
    as_json: options.AsJson = False,
) -> None:
    """Find the rows of a table that break a rule or hold a value that no mined row has.

    Takes a model and a table with the model's columns; a column that the model does not know is named and not checked.
    Prints each such row with the rules it breaks, then a summary. The exit code is 1 if there is such a row.

    Examples:

        unwritten check sales.rules new.csv

        cat new.csv | unwritten check sales.rules - --json | head
    """
    from unwritten.review import Findings
    from unwritten.tables import open_table

    rules = load_model(model, habits)
    source = open_table(source_of(tables), **reading)
    with progress_bar() as update:
        findings = Findings(rules, source, strict=strict, progress=update)
        for finding in findings:
            if as_json:
                say_json(_with_place(finding.state(), source))
            elif findings.bad <= limit:
                place = _with_place({"row": finding.row}, source)
                say(f"row {place['row']:,}" + (f" of {place['file']}" if "file" in place else ""))
                for text in finding.texts:
                    say(f"  {text}")
    if not findings.rows and not allow_empty:
        raise DataError(f"{source.title} has no rows to check: give a table with rows, or accept this by --allow-empty")
    if as_json:
        say_json({"summary": findings.state()})
    else:
        if findings.bad > limit:
            say(f"… {findings.bad - limit:,} more rows")
        say(findings.summary())
    raise typer.Exit(1 if findings.bad else 0)


def _with_place(state: dict[str, Any], source: TableReader) -> dict[str, Any]:
    """Return the state of a finding; if several files are one table, with the file and the row in it."""
    if source.place is None:
        return state
    file, row = source.place(state["row"])
    return {**state, "row": row, "file": file}
