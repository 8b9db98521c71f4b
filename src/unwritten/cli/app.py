"""The application: its commands, and the exit code and message when one of them fails."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated, Any

import typer

from unwritten import __version__
from unwritten.cli import check, demo, diff, edit, explain, export, mine_table, report, reproduce, rules, sample, solve
from unwritten.cli.console import complain, open_streams, say
from unwritten.cli.exits import CODES, FINE, exit_code
from unwritten.errors import UnwrittenError
from unwritten.shown import shown

#: What typer raises for a wrong option or argument; it exports only a kind of it, from click or from its copy of click.
USAGE_ERRORS: Any = typer.BadParameter.__base__

WELCOME = f"""unwritten {__version__} mines the rules that all rows of a table obey, although nobody wrote them down.

Try:
  unwritten demo                             three things it can do, in ten seconds
  unwritten sample orders -o orders.csv      a table to play with
  unwritten mine orders.csv -o orders.rules  its rules, in words
  unwritten check orders.rules orders.csv    which rows break them

unwritten --help lists all commands; unwritten COMMAND --help explains one."""

app = typer.Typer(
    name="unwritten",
    help="Mine the unwritten rules in a record of decisions, as integer linear constraints.",
    epilog=CODES,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
for command in (
    demo.demo,
    sample.sample,
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
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Print the traceback of a failure too; so does the variable UNWRITTEN_DEBUG."),
    ] = False,
) -> None:
    """Hold the options of the application itself; without a command, say what to try."""
    if context.invoked_subcommand is None:
        say(WELCOME)


def main() -> None:
    """Run the command line, and end the process with its exit code: see `exits`."""
    open_streams()
    warnings.showwarning = _print_warning  # type: ignore[assignment]
    sys.exit(exit_code(_run))


def _run() -> int:
    """Run the command; wrong use of an option is an error like any other."""
    try:
        code = app(standalone_mode=False)
    except USAGE_ERRORS as error:
        command = error.ctx.command_path if error.ctx else "unwritten"
        message = " ".join(error.format_message().split()).rstrip(".")
        raise UnwrittenError(f"{message}: see {command} --help") from error
    return code if isinstance(code, int) else FINE


def _print_warning(message: Warning | str, *_: object) -> None:
    """Print a warning as one line, without its place in the code."""
    complain(f"unwritten: note: {shown(str(message))}")
