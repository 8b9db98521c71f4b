"""What the commands share: progress, results on standard output, files that are not overwritten unasked."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from unwritten.errors import DataError
from unwritten.tables.quoting import plain_json, shown

if TYPE_CHECKING:
    from unwritten.model import Model
    from unwritten.tables import Progress

ModelPath = Annotated[Path, typer.Argument(metavar="MODEL", help="A .rules file that `unwritten mine` wrote.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
FORMULA = tuple("=+-@＝＋－＠")
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


def out() -> Console:
    """Standard output, without colours or wrapping that a pipe would not want."""
    return Console(highlight=False, soft_wrap=True, markup=False)


def say(text: str) -> None:
    """A line on standard output, or several."""
    sys.stdout.write(f"{_lines(text)}\n")


def remark(text: str) -> None:
    """A line on standard error: what is not the result."""
    sys.stderr.write(f"{_lines(text)}\n")


def _lines(text: str) -> str:
    """The text with whatever a terminal would obey escaped, but for the ends of lines."""
    return text if text.isprintable() else "\n".join(map(shown, text.split("\n")))


def csv_line(cells: Iterable[object]) -> str:
    """A line of CSV. Text that a spreadsheet would take for a formula gets a quote in front, controls are escaped."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow([_inert(shown(c)) if isinstance(c, str) else c for c in cells])
    return text.getvalue()


def _inert(cell: str) -> str:
    return f"'{cell}" if cell[:1] in FORMULA and not NUMBER.fullmatch(cell) else cell


def say_json(value: Any) -> None:
    """A JSON document on one line."""
    say(plain_json(value))


@contextmanager
def progress() -> Iterator[Progress]:
    """A progress bar on standard error where that is a terminal, else silence."""
    from unwritten.tables import silent

    console = Console(stderr=True)
    if not console.is_terminal:
        yield silent
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("reading", total=None)

        def show(what: str, done: int, size: int) -> None:
            bar.update(task, description=what, completed=done, total=size or None)

        yield show


def require_free(path: Path, force: bool) -> None:
    """Refuse to write over a file before any work is done."""
    if path.exists() and not force:
        raise DataError(f"{path} is there already: write over it with --force, or choose another name")
    if not path.parent.is_dir():
        raise DataError(f"cannot write {path}: the directory {path.parent} is missing, create it first")


def model_of(path: Path) -> Model:
    """The model in a file."""
    import unwritten

    return unwritten.load(path)


def table_argument(text: str) -> object:
    """What a command was given as a table: a path, or `-` for standard input."""
    from unwritten.tables import standard_input

    return standard_input() if text == "-" else text


def percent(share: float | None) -> str:
    """A share for people; never 100 % unless it is."""
    if share is None:
        return "–"
    if 0.9995 < share < 1:
        return ">99.9 %"
    return f"{100 * share:.1f} %"
