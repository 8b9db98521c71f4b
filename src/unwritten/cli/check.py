"""`unwritten check`."""

from __future__ import annotations

from typing import Annotated

import typer

from unwritten.cli import options
from unwritten.cli.console import AsJson, ModelPath, model_of, progress, say, say_json, table_argument


def check(
    model: ModelPath,
    table: options.TableArgument,
    delimiter: options.Delimiter = None,
    encoding: options.Encoding = None,
    na: options.Na = None,
    limit: Annotated[int, typer.Option(min=0, help="Rows to show (all are counted); --json shows all.")] = 20,
    strict: Annotated[bool, typer.Option("--strict", help="Integers outside the range seen are findings too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find the rows of a table that break a rule or hold a value never seen. Exit code 1 if there are any.

    Examples:

        unwritten check sales.rules new.csv

        cat new.csv | unwritten check sales.rules - --json | head
    """
    from unwritten.review import Findings
    from unwritten.tables import open_table

    read = model_of(model)
    source = open_table(
        table_argument(table),
        delimiter=options.delimiter_of(delimiter),
        encoding=encoding,
        missing_words=na or (),
    )
    with progress() as show:
        findings = Findings(read, source, strict=strict, progress=show)
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
