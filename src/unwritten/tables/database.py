"""Databases: the rows of one query, by a connection string or the path of a SQLite or DuckDB file.

SQLite is part of Python, and DuckDB one package without dependencies. All other databases go through SQLAlchemy, whose
connection strings are the ones that people have.
"""

from __future__ import annotations

import re
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from unwritten import budgets
from unwritten.errors import DataError, MissingPackageError
from unwritten.tables.cells import value_text
from unwritten.tables.quoting import first_line, shown
from unwritten.tables.read_options import ReadOptions
from unwritten.tables.table_reader import TableReader, check_names
from unwritten.temporary import Spool

if TYPE_CHECKING:
    import pyarrow as pa

CONNECTION = re.compile(r"([a-zA-Z][\w+.-]*)://")
QUERY_PART = re.compile(r"[?&]query=", re.IGNORECASE)
TABLE_NAME = re.compile(r"[^\W\d][\w.$]*")

SQLITE_TABLES = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
DUCKDB_TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'"

#: The column names of a query, and its rows in chunks
Rows = tuple[list[str], Iterator[Sequence[Sequence[Any]]]]
Run = Callable[[str], AbstractContextManager[Rows]]


def is_connection(text: str) -> bool:
    """Return whether a text is a connection string, such as `sqlite:///shop.db`."""
    return CONNECTION.match(text) is not None


def connection_table(text: str, options: ReadOptions) -> TableReader:
    """Return a reader of a query through a connection string; the query may end the string, as `?query=SELECT …`."""
    given = options.get("query")
    if part := QUERY_PART.search(text):
        given = given or unquote(text[part.end() :])
        text = text[: part.start()]
    scheme = text.partition("://")[0].lower()
    place = unquote(text.partition("://")[2]).removeprefix("/")
    if scheme in ("sqlite", "duckdb"):
        return database_table(scheme, place, given)
    from unwritten.tables.sql_server import rows_of_server, title_of_server

    title = title_of_server(text)
    if given is None:
        raise DataError(f"{title} needs a query: add query='SELECT …' (--query 'SELECT …'), or the name of a table")
    return _spooled(rows_of_server(text, title), _as_query(given), title)


def database_table(scheme: str, place: str, query: str | None) -> TableReader:
    """Return a reader of a SQLite or DuckDB file; without a query, of its only table."""
    title = shown(Path(place).name) or scheme
    if place and not Path(place).is_file():
        raise DataError(f"cannot read {shown(place)}: it does not exist, check the path")
    run = _sqlite(place, title) if scheme == "sqlite" else _duckdb(place, title)
    if query is None:
        with run(SQLITE_TABLES if scheme == "sqlite" else DUCKDB_TABLES) as (_, chunks):
            tables = sorted(str(row[0]) for chunk in chunks for row in chunk)
        if not tables:
            raise DataError(f"{title} has no tables: give a database with one, or write a query (--query)")
        if len(tables) > 1:
            listed = ", ".join(map(shown, tables[:8]))
            raise DataError(
                f"{title} has {len(tables)} tables ({listed}): name one of them, or write a query, with query='…' "
                "(--query '…')"
            )
        query = _quoted_name(tables[0])
    return _spooled(run, _as_query(query), title)


def _as_query(text: str) -> str:
    """Return a query; the name of a table, plain or in quotes, stands for all of its rows."""
    name = text.strip()
    is_name = TABLE_NAME.fullmatch(name) or re.fullmatch(r'"(?:[^"]|"")+"', name)
    return f"SELECT * FROM {name}" if is_name else text


def _quoted_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _sqlite(place: str, title: str) -> Run:
    @contextmanager
    def run(query: str) -> Iterator[Rows]:
        try:
            address = f"file:{quote(place)}?mode=ro" if place else ":memory:"
            with closing(sqlite3.connect(address, uri=bool(place))) as connection:
                connection.text_factory = lambda text: text.decode(errors="replace")
                cursor = connection.execute(query)
                names = [entry[0] for entry in cursor.description or ()]
                yield names, iter(lambda: cursor.fetchmany(budgets.FRAME_BATCH_ROWS), [])
        except (sqlite3.Error, UnicodeError) as error:
            raise failed(title, error) from error

    return run


def _duckdb(place: str, title: str) -> Run:
    try:
        import duckdb
    except ImportError as error:
        raise MissingPackageError("duckdb", "duckdb", f"reading {title}") from error

    @contextmanager
    def run(query: str) -> Iterator[Rows]:
        try:
            with duckdb.connect(place or ":memory:", read_only=bool(place)) as connection:
                cursor = connection.execute(query)
                names = [entry[0] for entry in cursor.description or ()]
                yield names, iter(lambda: cursor.fetchmany(budgets.FRAME_BATCH_ROWS), [])
        except duckdb.Error as error:
            raise failed(title, error) from error

    return run


def failed(title: str, error: BaseException) -> DataError:
    """Return the error for a query that a database refuses."""
    return DataError(f"{title} does not answer the query ({first_line(error)}): check the query and the connection")


def _spooled(run: Run, query: str, title: str) -> TableReader:
    """Run the query once, and keep its rows in a temporary file: later passes must see the same rows."""
    import pyarrow as pa

    from unwritten.tables.arrow_file import arrow_file

    spool = Spool(f"the answer of {title}", "select less, or write it to a Parquet file and give that")
    with run(query) as (columns, chunks):
        names = check_names(columns, title)
        schema = pa.schema([(name, pa.string()) for name in names])
        with pa.ipc.new_file(spool, schema) as writer:
            for chunk in chunks:
                writer.write_batch(_batch(names, chunk))
    spool.flush()
    return replace(arrow_file(spool.path, title), facts={"query": query}).holding(spool)


def _batch(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> pa.RecordBatch:
    import pyarrow as pa

    columns = zip(*rows, strict=True)
    texts = [[_text(value, name) for value in column] for name, column in zip(names, columns, strict=True)]
    return pa.record_batch([pa.array(column, pa.string()) for column in texts], names=list(names))


def _text(value: Any, name: str) -> str | None:
    """Return the text of a value; that of lists, bytes and other values without a plain form is Python's."""
    is_other = isinstance(value, list | tuple | dict | bytes | uuid.UUID)
    return str(value) if is_other else value_text(value, name)
