"""The command line: its commands, and what happens when one fails."""

from __future__ import annotations

import io
import os
import sys
import warnings
from typing import Annotated

import typer

from unwritten import __version__
from unwritten.cli import check, demo, diff, edit, explain, export, mine, report, reproduce, rules, solve
from unwritten.errors import InfeasibleError, UnwrittenError
from unwritten.tables.quoting import shown

app = typer.Typer(
    name="unwritten",
    help="Mine the unwritten rules in a record of decisions, as integer linear constraints.",
    epilog="Exit codes: 0 fine, 1 the answer is no (rows break rules, models differ, no answer), 2 bad input.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
for command in (
    demo.demo,
    mine.mine,
    rules.rules,
    check.check,
    explain.explain,
    solve.solve,
    diff.diff,
    edit.edit,
    export.export,
    report.report,
    reproduce.reproduce,
):
    app.command()(command)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"unwritten {__version__}")
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
    sys.stderr.write(f"unwritten: note: {shown(str(message))}\n")


def main() -> None:
    """Run the command line: exit code 2 and one sentence for what a user did wrong, 130 on Ctrl-C."""
    warnings.showwarning = _note  # type: ignore[assignment]
    for stream in (sys.stdout, sys.stderr):  # where signs such as ≤ cannot be written, their codes are
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except InfeasibleError as error:
        sys.stderr.write(f"unwritten: {shown(str(error))}\n")
        sys.exit(1)
    except UnwrittenError as error:
        sys.stderr.write(f"unwritten: {shown(str(error))}\n")
        sys.exit(2)
    except OSError as error:  # mostly of standard output: nothing is written there any more, also not at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader has gone, and wants no more
            sys.exit(0)
        sys.stderr.write(f"unwritten: cannot read or write ({error.strerror}): make room, or choose another place\n")
        sys.exit(2)
