"""`unwritten edit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unwritten.cli import shared_options as options
from unwritten.cli.console import say, say_note
from unwritten.cli.files import load_model, require_apart, require_free
from unwritten.errors import DataError


def edit(
    model: options.ModelPath,
    drop: Annotated[list[str] | None, typer.Option("--drop", metavar="ID", help="Remove this rule.")] = None,
    pin: Annotated[
        list[str] | None, typer.Option("--pin", metavar="ID", help="Keep this rule whenever the table is mined again.")
    ] = None,
    add: Annotated[
        list[str] | None, typer.Option("--add", metavar="RULE", help="Add this rule, written as a sentence.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="MODEL",
            help="Where to save the edited model; MODEL itself by default.",
        ),
    ] = None,
    force: options.Force = False,
) -> None:
    """Drop, pin or add rules.

    Takes a model and the ids of rules, or rules as sentences. Saves a model that remembers which rules were mined,
    which a person gave, and which were dropped.

    Examples:

        unwritten edit sales.rules --drop 1f3a2b --pin 99c0de -o sales2.rules

        unwritten edit sales.rules --add 'trim = sport requires engine = B' --force
    """
    if not (drop or pin or add):
        raise DataError("there is nothing to edit: use --drop ID, --pin ID or --add RULE")
    target = output or model
    if output is not None:
        require_apart(output, model)
    require_free(target, force)
    edited = load_model(model).pinned(pin or ()).with_rules(add or ()).without(drop or ())
    breaks_a_rule = ~edited.check(edited.seen).feasible
    edited.save(target)
    if breaks_a_rule.any():
        broken = int(edited.counts[breaks_a_rule].sum())
        say_note(f"note: {broken:,} of the {edited.examples:,} mined rows break a rule of the edited model")
    say(f"{len(edited.sentences)} rules saved to {target}")
