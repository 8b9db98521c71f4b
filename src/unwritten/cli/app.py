"""The application: its commands, and the exit code and message when one of them fails."""

from __future__ import annotations

import io
import os
import sys
import warnings
from typing import Annotated

import typer

from unwritten import __version__
from unwritten.cli import check, demo, diff, edit, explain, export, mine_table, report, reproduce, rules, solve
from unwritten.errors import InfeasibleError, UnwrittenError
from unwritten.tables.quoting import shown

app = typer.Typer(
    name="unwritten",
    help="Mine the unwritten rules in a record of decisions, as integer linear constraints.",
    epilog="Exit codes: 0 success; 1 the answer is no (rows break rules, models differ, a question has no answer); "
    "2 wrong input or wrong use.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
for command in (
    demo.demo,
    mine_table.mine,
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


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"unwritten {__version__}")
        raise typer.Exit


@app.callback()
def _common_options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Hold the options of the application itself."""


def main() -> None:
    """Run the command line.

    A user's mistake ends with exit code 2 and one sentence, Ctrl-C with exit code 130; neither prints a traceback.
    """
    warnings.showwarning = _print_warning  # type: ignore[assignment]
    for stream in (sys.stdout, sys.stderr):  # an encoding without signs such as ≤ gets their codes instead
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except InfeasibleError as error:
        _fail(str(error), 1)
    except UnwrittenError as error:
        _fail(str(error), 2)
    except OSError as error:
        # Usually standard output failed: redirect it, so that Python does not fail again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader closed the pipe because it needs no more
            sys.exit(0)
        _fail(f"cannot read or write ({error.strerror}): free some space, or choose another path", 2)


def _fail(message: str, code: int) -> None:
    """Print one sentence on standard error and exit."""
    sys.stderr.write(f"unwritten: {shown(message)}\n")
    sys.exit(code)


def _print_warning(message: Warning | str, *_: object) -> None:
    """Print a warning as one line, without its place in the code."""
    sys.stderr.write(f"unwritten: note: {shown(str(message))}\n")
