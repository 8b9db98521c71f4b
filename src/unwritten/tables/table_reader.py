"""TableReader: a table that is read in batches, as often as needed, from a file, a stream or a data frame."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    import pyarrow as pa

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")
EXCEL = (".xlsx", ".xlsm", ".xls")

Batches = Iterator[tuple["pa.RecordBatch", int]]


@dataclass(frozen=True, eq=False)
class TableReader:
    """The column `names` of a table, and `batches()`, which starts a new pass over its rows.

    Each batch comes with the number of units read so far, and `size` is the number of units in a whole pass (bytes of a
    CSV file, rows of anything else; 0 if unknown): a progress bar needs no more. `title` names the table in messages,
    and `facts` holds what was found out about the file, such as its encoding.
    """

    names: tuple[str, ...]
    title: str
    batches: Callable[[], Batches] = field(repr=False)
    size: int = 0
    facts: dict[str, str] = field(default_factory=dict)


def open_table(
    table: object, *, delimiter: str | None = None, encoding: str | None = None, missing_words: Sequence[str] = ()
) -> TableReader:
    """Return a reader of a file (by its path), of an open binary file with CSV in it, or of a data frame.

    The ending of a path decides how the file is read: as Parquet, Arrow or Excel, else as CSV, compressed or not.
    """
    if isinstance(table, TableReader):
        return table
    if isinstance(table, str | os.PathLike):
        return _open_file(Path(table), delimiter, encoding, missing_words)
    if hasattr(table, "read"):
        from unwritten.tables.csv_file import csv_file

        return csv_file(_spooled(table), "standard input", delimiter, encoding, missing_words)  # type: ignore[arg-type]
    from unwritten.tables.frame_table import frame_table

    return frame_table(table)


def _open_file(path: Path, delimiter: str | None, encoding: str | None, missing_words: Sequence[str]) -> TableReader:
    _require_file(path)
    ending = path.suffix.lower()
    if ending in PARQUET + ARROW:
        from unwritten.tables.arrow_file import arrow_file, parquet_file

        return parquet_file(path) if ending in PARQUET else arrow_file(path)
    if ending in EXCEL:
        from unwritten.tables.excel_file import excel_file

        return excel_file(path, missing_words)
    from unwritten.tables.csv_file import csv_file

    return csv_file(path, path.name, delimiter, encoding, missing_words)


def _require_file(path: Path) -> None:
    """Raise unless the path leads to a file, or a pipe such as /dev/stdin, that can be opened."""
    name = shown(str(path))
    try:
        is_folder, exists = path.is_dir(), path.exists()
        if path.is_file():
            with open(path, "rb"):
                return
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {name} ({type(error).__name__}): check the path") from error
    if is_folder:
        raise DataError(f"cannot read {name}: it is a folder, give the path of one file in it")
    if not exists:
        raise DataError(f"cannot read {name}: it does not exist, check the path")


def _spooled(stream: IO[bytes]) -> Path:
    """Copy a stream, which can be read only once, to a temporary file that is deleted when the process ends."""
    import atexit

    handle, name = tempfile.mkstemp(prefix="unwritten-", suffix=".csv")
    atexit.register(lambda: Path(name).unlink(missing_ok=True))
    try:
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(getattr(stream, "buffer", stream), file, 2**20)
    except OSError as error:
        raise DataError(
            f"the input cannot be copied to a temporary file ({error.strerror}): give the path of a file instead"
        ) from error
    return Path(name)


def check_names(names: Sequence[object], title: str) -> tuple[str, ...]:
    """Return the column names as text, or raise if there are none or too many, or if one is empty or used twice."""
    if len(names) > budgets.TABLE_COLUMNS:
        raise DataError(
            f"{title} has {len(names):,} columns, more than {budgets.TABLE_COLUMNS:,}: leave some of them out"
        )
    seen: set[str] = set()
    for number, name in enumerate(names, 1):
        text = str(name)
        if not text.strip():
            raise DataError(f"column {number} of {title} has no name: give it one in the first line")
        if text in seen:
            raise DataError(f"{title} has two columns named {shown(text)!r}: rename one of them")
        seen.add(text)
    if not names:
        raise DataError(f"{title} has no columns: give a table with a first line of column names")
    return tuple(str(name) for name in names)


def standard_input() -> IO[bytes]:
    """Return standard input as bytes, or raise if it is a terminal, where nothing would ever arrive."""
    if sys.stdin.isatty():
        raise DataError("standard input is a terminal: pipe a table into it, or name a file")
    return sys.stdin.buffer
