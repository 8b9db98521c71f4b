"""SQLite files, locked: a query reads this file and nothing else, whatever the file or the query says."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import repeat
from pathlib import Path

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.query_rows import Rows, Run, failed, not_reading, rows_of

TABLES = (
    "SELECT 'main', name, type FROM sqlite_schema "
    r"WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\'"
)

READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
#: Functions that load code, or that programs add to SQLite to reach files
REACHING = {"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"}
WAL_VERSIONS = b"\x02\x02"  # of the file's format, at this place in a file that is written through a log
WAL_PLACE = 18


def sqlite_rows(place: str, title: str) -> Run:
    """Return a function that runs a query on a SQLite file, or on an empty database in memory."""

    @contextmanager
    def run(query: str) -> Iterator[Rows]:
        denied: list[int] = []
        steps = repeat(False, budgets.SQLITE_STEPS)

        def authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
            if action in READING and not (action == sqlite3.SQLITE_FUNCTION and second in REACHING):
                return sqlite3.SQLITE_OK
            denied.append(action)
            return sqlite3.SQLITE_DENY

        try:
            with closing(sqlite3.connect(_address(place), uri=True)) as connection:
                _lock(connection)
                connection.set_authorizer(authorize)
                connection.set_progress_handler(lambda: next(steps, True), budgets.SQLITE_STEP)
                yield rows_of(connection.execute(query))
        except (sqlite3.Error, sqlite3.Warning, UnicodeError, OSError) as error:
            if next(steps, True):
                most = budgets.SQLITE_STEP * budgets.SQLITE_STEPS
                raise DataError(
                    f"{title} does not answer within {most:,} steps, as if a view had no end: ask for a table, or "
                    "raise unwritten.budgets.SQLITE_STEPS"
                ) from error
            if denied:
                raise not_reading(title, "or a view would write, attach a file, or open a virtual table") from error
            raise failed(title, error) from error

    return run


def _address(place: str) -> str:
    """Return the address of a file that is opened for reading only.

    SQLite leaves two files beside one that is written through a log, even if it may only read. Without a log no other
    program has the file open, so SQLite is told that the file does not change, and then writes no such files.
    """
    if not place:
        return "file::memory:"
    path = Path(place).absolute()
    with open(path, "rb") as file:
        file.seek(WAL_PLACE)
        has_log = file.read(2) == WAL_VERSIONS
    alone = has_log and not path.with_name(path.name + "-wal").exists()
    return f"{path.as_uri()}?mode=ro" + "&immutable=1" * alone


def _lock(connection: sqlite3.Connection) -> None:
    """Forbid writing, and functions with side effects in views; limit the size of a row."""
    connection.text_factory = lambda text: text.decode(errors="replace")
    for setting in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {setting}")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, budgets.DATABASE_ROW_BYTES)
