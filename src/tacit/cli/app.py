"""The command line: its commands, and what happens when one fails."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Annotated

import typer

from tacit import __version__
from tacit.cli import check, diff, edit, experiments, explain, export, mine, report, rules, solve
from tacit.errors import InfeasibleError, TacitError

app = typer.Typer(
    name="tacit",
    help="Mine the unwritten rules in a record of decisions, as integer linear constraints.",
    epilog="Exit codes: 0 fine, 1 the answer is no (rows break rules, models differ, no answer), 2 bad input.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
for command in (
    experiments.demo,
    mine.mine,
    rules.rules,
    check.check,
    explain.explain,
    solve.solve,
    diff.diff,
    edit.edit,
    export.export,
    report.report,
    experiments.reproduce,
):
    app.command()(command)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"tacit {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Hold the options that every command shares."""


def _note(message: Warning | str, *_: object) -> None:
    """A warning as one line, without the place in the code."""
    sys.stderr.write(f"tacit: note: {message}\n")


def main() -> None:
    """Run the command line: exit code 2 and one sentence for what a user did wrong, 130 on Ctrl-C."""
    warnings.showwarning = _note  # type: ignore[assignment]
    try:
        app()
    except InfeasibleError as error:
        sys.stderr.write(f"tacit: {error}\n")
        sys.exit(1)
    except TacitError as error:
        sys.stderr.write(f"tacit: {error}\n")
        sys.exit(2)
    except BrokenPipeError:  # the reader has gone: nothing is left to say, also not at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
