"""Databases: the rows of one query, by a connection string or the path of a SQLite or DuckDB file.

SQLite is part of Python, and DuckDB one package without dependencies. All other databases go through SQLAlchemy, whose
connection strings are the ones that people have.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from unwritten.errors import DataError
from unwritten.tables.cell_texts import value_text
from unwritten.tables.query_rows import Run, only_table, quoted_name
from unwritten.tables.quoting import shown
from unwritten.tables.read_options import ReadOptions
from unwritten.tables.table_reader import TableReader, check_names
from unwritten.temporary import Spool

if TYPE_CHECKING:
    import pyarrow as pa

CONNECTION = re.compile(r"([a-zA-Z][\w+.-]*)://")
QUERY_PART = re.compile(r"[?&]query=", re.IGNORECASE)
NETWORK_FILES = frozenset(("http", "https", "ftp", "ftps", "sftp", "s3", "gs", "gcs", "az", "abfs", "hdfs", "file"))
TABLE_NAME = re.compile(r"[^\W\d][\w.$]*")


def is_connection(text: str) -> bool:
    """Return whether a text is a connection string, such as `sqlite:///shop.db`."""
    return CONNECTION.match(text) is not None


def connection_table(text: str, options: ReadOptions) -> TableReader:
    """Return a reader of a query through a connection string; the query may end the string, as `?query=SELECT …`."""
    given = options.get("query")
    if part := QUERY_PART.search(text):
        given = given or unquote(text[part.end() :])
        text = text[: part.start()]
    scheme, _, rest = text.partition("://")
    kind = scheme.partition("+")[0].lower()  # a driver would open the same file without our lock
    if kind in ("sqlite", "duckdb"):
        return database_table(kind, unquote(rest).removeprefix("/"), given)
    if kind in NETWORK_FILES:
        raise DataError(f"{shown(scheme)}:// is an address of a file, and no network is used: give the path of a copy")
    from unwritten.tables.sql_server import SqlServer

    server = SqlServer(text)
    query = _as_query(given) if given else f"SELECT * FROM {server.only_table()}"
    return _spooled(server.run, query, server.title)


def database_table(scheme: str, place: str, query: str | None) -> TableReader:
    """Return a reader of a SQLite or DuckDB file; without a query, of its only table."""
    title = shown(Path(place).name) or scheme
    if place and not Path(place).is_file():
        raise DataError(f"cannot read {shown(place)}: it does not exist, check the path")
    if scheme == "sqlite":
        from unwritten.tables.sqlite_file import TABLES, sqlite_rows

        run, listing = sqlite_rows(place, title), TABLES
    else:
        from unwritten.tables import duckdb_file

        run, listing = duckdb_file.duckdb_rows(place, title), duckdb_file.TABLES
    return _spooled(run, _as_query(query or _only_table(run, listing, title)), title)


def _only_table(run: Run, listing: str, title: str) -> str:
    """Return the only table of a file as a query, by the query that lists schema, name and kind of all tables."""
    kinds: dict[str, dict[str, str]] = {"table": {}, "view": {}}
    with run(listing) as (_, chunks):
        for schema, name, kind in (row for chunk in chunks for row in chunk):
            plain = schema == "main"
            key = name if plain else f"{schema}.{name}"
            kinds[kind][key] = quoted_name(name) if plain else f"{quoted_name(schema)}.{quoted_name(name)}"
    name = only_table(list(kinds["table"]), list(kinds["view"]), title)
    return f"SELECT * FROM {(kinds['table'] or kinds['view'])[name]}"


def _as_query(text: str) -> str:
    """Return a query; the name of a table, plain or in quotes, stands for all of its rows."""
    name = text.strip()
    is_name = TABLE_NAME.fullmatch(name) or re.fullmatch(r'"(?:[^"]|"")+"', name)
    return f"SELECT * FROM {name}" if is_name else text


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
