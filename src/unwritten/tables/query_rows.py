"""What every database gives: the column names of a query, and its rows in chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.quoting import first_line, shown

#: The column names of a query, and its rows in chunks
Rows = tuple[list[str], Iterator[Sequence[Sequence[Any]]]]
Run = Callable[[str], AbstractContextManager[Rows]]


def rows_of(cursor: Any) -> Rows:
    """Return the columns of a cursor of a Python driver, and its rows in chunks."""
    names = [entry[0] for entry in cursor.description or ()]
    return names, iter(lambda: cursor.fetchmany(budgets.FRAME_BATCH_ROWS), [])


def failed(title: str, error: BaseException, folder: str = "") -> DataError:
    """Return the error for a query that a database refuses; it does not name the folder of the file."""
    cause = DataError(str(error).replace(folder, "")) if folder else error
    return DataError(f"{title} does not answer the query ({first_line(cause)}): check the query and the connection")


def not_reading(title: str, what: str) -> DataError:
    """Return the error for a query that would do more than read rows."""
    return DataError(f"{title} is only read, and the query {what}: write one SELECT")


def quoted_name(name: str) -> str:
    """Return the name of a table in the quotes of standard SQL."""
    return '"' + name.replace('"', '""') + '"'


def only_table(tables: Sequence[str], views: Sequence[str], title: str) -> str:
    """Return the only table, or the only view of a database without tables; raise if there is a choice."""
    names = sorted(tables or views)
    if not names:
        raise DataError(f"{title} has no tables: give a database with one, or write a query (--query)")
    if len(names) > 1:
        listed = ", ".join(map(shown, names[:8]))
        raise DataError(
            f"{title} has {len(names)} tables ({listed}): name one of them, or write a query, with query='…' "
            "(--query '…')"
        )
    return names[0]
