"""`tacit report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.console import Force, ModelPath, model_of, progress, require_free, say


def report(
    model: ModelPath,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="MODEL's name with .html if not given.")] = None,
    force: Force = False,
) -> None:
    """Write one self-contained page: the rules with search and filters, the structure, the evidence, the suspects.

    Example: tacit report sales.tacit -o sales.html
    """
    from tacit.formats import write_text
    from tacit.report import report as page

    target = output or model.with_suffix(".html")
    require_free(target, force)
    read = model_of(model)
    with progress() as show:
        show("drawing", 0, 0)
        text = page(read)
    write_text(target, text)
    say(f"saved to {target}")
