"""The application: its commands, and the exit code and message when one of them fails."""

from __future__ import annotations

import io
import sys
import warnings
from itertools import pairwise
from typing import Annotated, Any, NoReturn

import typer

from unwritten import __version__
from unwritten.cli import check, demo, diff, edit, explain, export, mine_table, report, reproduce, rules, sample, solve
from unwritten.cli.console import drop_output, flush, say, say_json
from unwritten.errors import InfeasibleError, UnwrittenError
from unwritten.tables.quoting import shown

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
    epilog="Exit codes: 0 success; 1 the answer is no (rows break rules, models differ, a question has no answer); "
    "2 wrong input or wrong use.",
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
) -> None:
    """Hold the options of the application itself; without a command, say what to try."""
    if context.invoked_subcommand is None:
        say(WELCOME)


def main() -> None:
    """Run the command line.

    A user's mistake ends with exit code 2 and one sentence (with --json also as JSON on standard output), Ctrl-C with
    exit code 130; neither prints a traceback.
    """
    warnings.showwarning = _print_warning  # type: ignore[assignment]
    for stream in (sys.stdout, sys.stderr):  # an encoding without signs such as ≤ gets their codes instead
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            _run()
        finally:
            flush()
    except InfeasibleError as error:
        _fail(error, 1)
    except UnwrittenError as error:
        _fail(error, 2)
    except OSError as error:
        drop_output()  # which has usually failed
        _fail(UnwrittenError(f"cannot read or write ({error.strerror}): free some space, or choose another path"), 2)


def _run() -> None:
    """Run the command; if JSON was asked for, wrong use of an option is an error like any other."""
    if not _asks_for_json():
        app()
        return
    try:
        code = app(standalone_mode=False)
    except USAGE_ERRORS as error:
        command = error.ctx.command_path if error.ctx else "unwritten"
        raise UnwrittenError(f"{error.format_message().rstrip('.')}: see {command} --help") from error
    except typer.Abort:
        sys.exit(130)
    sys.exit(code if isinstance(code, int) else 0)


def _asks_for_json() -> bool:
    arguments = sys.argv[1:]
    return "--json" in arguments or "--format=json" in arguments or ("--format", "json") in pairwise(arguments)


def _fail(error: UnwrittenError, code: int) -> NoReturn:
    """Print one sentence on standard error, and JSON on standard output if that was asked for; exit."""
    if _asks_for_json():
        say_json({"error": str(error), "cure": error.cure})
        flush()
    sys.stderr.write(f"unwritten: {shown(str(error))}\n")
    sys.exit(code)


def _print_warning(message: Warning | str, *_: object) -> None:
    """Print a warning as one line, without its place in the code."""
    sys.stderr.write(f"unwritten: note: {shown(str(message))}\n")
