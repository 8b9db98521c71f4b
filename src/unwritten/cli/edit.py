"""`unwritten edit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unwritten.cli.console import Force, ModelPath, model_of, remark, require_free, say
from unwritten.errors import DataError


def edit(
    model: ModelPath,
    drop: Annotated[list[str] | None, typer.Option("--drop", metavar="ID", help="Take this rule out.")] = None,
    pin: Annotated[list[str] | None, typer.Option("--pin", metavar="ID", help="Vouch for this rule.")] = None,
    add: Annotated[list[str] | None, typer.Option("--add", metavar="RULE", help="Add a rule, as a sentence.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="MODEL", help="Where to save it; --force saves in place.")
    ] = None,
    force: Force = False,
) -> None:
    """Drop, pin or add rules. The file remembers who decided: what was mined, what a person gave, what was dropped.

    Examples:

        unwritten edit sales.rules --drop 1f3a2b --pin 99c0de -o sales2.rules

        unwritten edit sales.rules --add 'trim = sport requires engine in {B, C}' --force
    """
    if not (drop or pin or add):
        raise DataError("there is nothing to edit: use --drop ID, --pin ID or --add RULE")
    target = output or model
    require_free(target, force)
    read = model_of(model)
    before = len(read.seen)
    edited = read.pinned(pin or ()).with_rules(add or ()).without(drop or ())
    broken = ~edited.check(edited.seen).feasible
    edited.save(target)
    if broken.any() and before:
        remark(
            f"note: {int(edited.counts[broken].sum()):,} of {edited.examples:,} rows mined do not obey the rules now"
        )
    say(f"{len(edited.sentences)} rules saved to {target}")
