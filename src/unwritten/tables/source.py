"""Source: a table that can be read in batches, more than once, wherever it is."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    import pyarrow as pa


PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")


@dataclass(frozen=True, eq=False)
class Source:
    """`names` of the columns, a `title` for people, and `open`, which starts a new pass over the batches.

    `size` is the number of units of a whole pass and each batch comes with the units done so far, for a progress bar;
    0 where that is unknown.
    """

    names: tuple[str, ...]
    title: str
    open: Callable[[], Iterator[tuple[pa.RecordBatch, int]]] = field(repr=False)
    size: int = 0
    facts: dict[str, Any] = field(default_factory=dict)  # what was found out about the file


def source_of(
    table: object, *, delimiter: str | None = None, encoding: str | None = None, missing_words: Sequence[str] = ()
) -> Source:
    """A file by its path (CSV, Parquet, Arrow; compressed or not), an open binary file, or any data frame."""
    if isinstance(table, Source):
        return table
    if isinstance(table, str | os.PathLike):
        path = Path(table)
        _require_file(path)
        if path.suffix.lower() in PARQUET + ARROW:
            from unwritten.tables.arrow import arrow_file, parquet_file

            return parquet_file(path) if path.suffix.lower() in PARQUET else arrow_file(path)
        from unwritten.tables.csv_file import csv_file

        return csv_file(path, path.name, delimiter, encoding, missing_words)
    if hasattr(table, "read"):
        from unwritten.tables.csv_file import csv_file

        return csv_file(_spooled(table), "standard input", delimiter, encoding, missing_words)  # type: ignore[arg-type]
    from unwritten.tables.arrow import frame

    return frame(table)


def _require_file(path: Path) -> None:
    try:
        kind = "" if path.is_file() else "is a directory" if path.is_dir() else "does not exist"
        if not kind:
            with open(path, "rb"):
                return
        if kind == "does not exist" and path.exists():
            return  # a pipe, such as /dev/stdin or <(…)
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {shown(str(path))} ({error.__class__.__name__}): check the path") from error
    raise DataError(f"cannot read {shown(str(path))}: it {kind}, check the path")


def _spooled(stream: IO[bytes]) -> Path:
    """A stream as a file, for it can be read only once; the file goes when the process does."""
    import atexit

    handle, name = tempfile.mkstemp(prefix="unwritten-", suffix=".csv")
    atexit.register(lambda: Path(name).unlink(missing_ok=True))
    try:
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(getattr(stream, "buffer", stream), file, 2**20)
    except OSError as error:
        raise DataError(f"cannot keep the input for a second pass ({error.strerror}): give a file instead") from error
    return Path(name)


def check_names(names: Sequence[object], title: str) -> tuple[str, ...]:
    """Column names that are text, not empty, different, and not without end."""
    if len(names) > budgets.TABLE_COLUMNS:
        raise DataError(
            f"{title} has {len(names):,} columns, more than {budgets.TABLE_COLUMNS:,}: leave some of them out"
        )
    seen: set[str] = set()
    for k, name in enumerate(names, 1):
        text = str(name)
        if not text.strip():
            raise DataError(f"column {k} of {title} has no name: give it one in the first line")
        if text in seen:
            raise DataError(f"{title} has two columns named {shown(text)!r}: rename one of them")
        seen.add(text)
    if not names:
        raise DataError(f"{title} has no columns: give a table with a first line of column names")
    return tuple(str(name) for name in names)


def standard_input() -> IO[bytes]:
    """The bytes of standard input; an error where a person sits there waiting."""
    if sys.stdin.isatty():
        raise DataError("standard input is a terminal: pipe a table into it, or name a file")
    return sys.stdin.buffer
