"""`unwritten export`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from unwritten.cli import shared_options as options
from unwritten.cli.console import say, write
from unwritten.cli.files import load_model, require_apart, require_free
from unwritten.errors import DataError
from unwritten.exports import ExportTarget

#: Characters that a terminal obeys. They cannot be escaped here, because SQL needs values exactly as they are.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def export(
    model: options.ModelPath,
    to: Annotated[ExportTarget, typer.Option("--to", help="The format to write.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file to write (for dbt, the folder); standard output by default.",
        ),
    ] = None,
    habits: options.Habits = False,
    force: options.Force = False,
) -> None:
    """Write the rules for solvers, for Python, or for databases.

    Solvers read lp, mps, opb and minizinc; Python runs cpmpy, ortools and pandera; databases are tested by sql, dbt
    and gx (Great Expectations).

    Takes a model. Prints or saves a text file in the chosen format.

    Examples:

        unwritten export sales.rules --to sql | sqlite3 sales.db

        unwritten export sales.rules --to lp -o sales.lp

        unwritten export sales.rules --to dbt -o my_dbt_project
    """
    from unwritten.exports import TARGETS, export_files, write_export
    from unwritten.exports import export as text_of

    if output is None:
        text = text_of(load_model(model, habits), to)
        if CONTROLS.search(text):
            raise DataError("the data hold control characters, which a terminal would obey: save the export with -o")
        write(text)
        return
    if TARGETS[to].files is None:
        require_free(output, force, model)
    read = load_model(model, habits)
    for part in export_files(read, to) or ():
        require_apart(output / part, model)
    write_export(read, to, output, force=force)
    say(f"saved to {output}")
