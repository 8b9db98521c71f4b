"""`unwritten check`."""

from __future__ import annotations

from typing import Annotated

import typer

from unwritten.cli import shared_options as options
from unwritten.cli.console import say, say_json
from unwritten.cli.files import load_model, path_or_standard_input
from unwritten.cli.progress_bar import progress_bar


def check(
    model: options.ModelPath,
    table: options.TableArgument,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    na: options.Na = None,
    limit: Annotated[
        int, typer.Option(min=0, help="Print at most this many rows; all are counted, and --json prints all.")
    ] = 20,
    strict: Annotated[
        bool, typer.Option("--strict", help="Also report integers outside the range of the mined rows.")
    ] = False,
    habits: options.Habits = False,
    as_json: options.AsJson = False,
) -> None:
    """Find the rows of a table that break a rule or hold a value that no mined row has.

    Takes a model and a table with the model's columns. Prints each such row with the rules it breaks, then a summary.
    The exit code is 1 if there is such a row.

    Examples:

        unwritten check sales.rules new.csv

        cat new.csv | unwritten check sales.rules - --json | head
    """
    from unwritten.review import Findings
    from unwritten.tables import open_table

    rules = load_model(model, habits)
    source = open_table(
        path_or_standard_input(table),
        delimiter=options.delimiter_of(delimiter),
        encoding=encoding,
        missing_words=na or (),
    )
    with progress_bar() as update:
        findings = Findings(rules, source, strict=strict, progress=update)
        for finding in findings:
            if as_json:
                say_json(finding.state())
            elif findings.bad <= limit:
                say(f"row {finding.row:,}")
                for text in finding.texts:
                    say(f"  {text}")
    if as_json:
        say_json({"summary": findings.state()})
    else:
        if findings.bad > limit:
            say(f"… {findings.bad - limit:,} more rows")
        say(findings.summary())
    raise typer.Exit(1 if findings.bad else 0)
