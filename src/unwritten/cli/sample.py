"""`unwritten sample`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unwritten.cli import shared_options as options
from unwritten.cli.console import say, say_whole
from unwritten.cli.files import require_free
from unwritten.samples.sample_tables import SampleName


def sample(
    name: Annotated[SampleName, typer.Argument(metavar="NAME", help="orders, shifts or sensors.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The CSV file to write; standard output by default."),
    ] = None,
    rows: Annotated[int | None, typer.Option(min=1, help="The number of rows; about a thousand by default.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed gives other rows that obey the same rules.")] = 0,
    force: options.Force = False,
) -> None:
    """Write a small generated table with rules in it, to play with.

    Takes the name of a sample: orders of a web shop, shifts of a team, or readings of sensors. Writes a CSV file; the
    same seed gives the same rows everywhere.

    Examples:

        unwritten sample orders -o orders.csv

        unwritten sample shifts | unwritten mine -
    """
    from unwritten.formats import write_text
    from unwritten.samples.sample_tables import sample_csv

    if output is None:
        say_whole(sample_csv(name, rows=rows, seed=seed).removesuffix("\n"))
        return
    require_free(output, force)
    text = sample_csv(name, rows=rows, seed=seed)
    write_text(output, text)
    say(f"{text.count(chr(10)) - 1:,} rows saved to {output}")
