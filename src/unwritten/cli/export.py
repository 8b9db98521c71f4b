"""`unwritten export`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from unwritten.cli.console import Force, ModelPath, model_of, require_free, say
from unwritten.errors import DataError

#: What no line of an export on standard output holds; SQL needs values as they are.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def export(
    model: ModelPath,
    to: Annotated[str, typer.Option("--to", help="lp, mps, opb, cpmpy, ortools, minizinc, sql or pandera.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file; standard output if not given.")] = None,
    force: Force = False,
) -> None:
    """Write the rules for solvers (lp, mps, opb, minizinc), Python (cpmpy, ortools, pandera) or databases (sql).

    Examples:

        unwritten export sales.rules --to sql | sqlite3 sales.db

        unwritten export sales.rules --to lp -o sales.lp
    """
    from unwritten.exports import export as exported
    from unwritten.exports import export_target

    if output is not None:
        require_free(output, force)
    text = exported(model_of(model), export_target(to))
    if output is None:
        if CONTROLS.search(text):
            raise DataError("the export holds control characters of the data, which a terminal obeys: save it with -o")
        sys.stdout.write(text)
        return
    from unwritten.formats import write_text

    write_text(output, text)
    say(f"saved to {output}")
