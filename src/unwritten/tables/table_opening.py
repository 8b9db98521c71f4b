"""Open a table: a file by its format, a pattern of files, a query to a database, a stream, a frame or records."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Unpack

from unwritten.errors import DataError
from unwritten.tables.cell_texts import without_words
from unwritten.tables.quoting import shown
from unwritten.tables.read_options import ReadOptions, missing_words_of
from unwritten.tables.table_reader import Batches, TableReader
from unwritten.temporary import Spool

if TYPE_CHECKING:
    from unwritten.tables.file_format import FileFormat


def open_table(table: object, **options: Unpack[ReadOptions]) -> TableReader:
    """Return a reader of files, of an open binary file, of a query to a database, or of a data frame.

    `table` is the path of a file, a list of paths or a pattern such as `sales/*.csv` (all files are then one table), a
    connection string such as `sqlite:///shop.db`, an open binary file, a data frame, or a list of records. The ending
    of a file decides how it is read: as CSV, JSON, Parquet, Arrow, Excel, SQLite or DuckDB. Without a known ending, and
    in an open file, there must be text: CSV or JSON. `ReadOptions` lists the options.
    """
    from unwritten.tables.database import connection_table, is_connection
    from unwritten.tables.joined_files import joined_readers, paths_of

    if isinstance(table, TableReader):
        return table
    if paths := paths_of(table):
        readers = [open_table(path, **options) for path in paths]
        return joined_readers(readers) if len(readers) > 1 else readers[0]
    if isinstance(table, str) and is_connection(table):
        return _with_missing_words(connection_table(table, options), options)
    if isinstance(table, str | os.PathLike):
        path = Path(table)
        _require_file(path)
        if path.is_file():
            return _open_file(path, path.name, options)
        with open(path, "rb") as pipe:
            return _open_spooled(pipe, path.name, options)
    if hasattr(table, "read"):
        return _open_spooled(table, "standard input", options)  # type: ignore[arg-type]
    from unwritten.tables.frame_table import frame_table

    return _with_missing_words(frame_table(table), options)


def _open_file(path: Path, title: str, options: ReadOptions) -> TableReader:
    """Return a reader of the file by its format, which is named `title`."""
    from unwritten.tables.file_format import format_of

    file_format = format_of(path, title)
    if options.get("query") and file_format not in ("sqlite", "duckdb"):
        raise DataError(f"{shown(title)} is not a database: leave out the query")
    if file_format == "csv":
        from unwritten.tables.csv_file import csv_file

        return csv_file(path, title, options)
    if file_format == "excel":
        from unwritten.tables.excel_file import excel_file

        return excel_file(path, title, options)
    return _with_missing_words(_open_typed_file(path, title, file_format, options), options)


def _open_typed_file(path: Path, title: str, file_format: FileFormat, options: ReadOptions) -> TableReader:
    """Return a reader of a file whose format has missing values of its own."""
    if file_format == "json":
        from unwritten.tables.json_file import json_file

        return json_file(path, title, options)
    if file_format in ("parquet", "arrow"):
        from unwritten.tables.arrow_file import arrow_file, parquet_file

        return parquet_file(path, title) if file_format == "parquet" else arrow_file(path, title)
    from unwritten.tables.database import database_table

    return database_table(file_format, str(path), options.get("query"))


def _with_missing_words(reader: TableReader, options: ReadOptions) -> TableReader:
    """Return a reader that takes the words that a person gave, if any, for missing values."""
    words = missing_words_of(options, usual=())
    if not words:
        return reader

    def batches() -> Batches:
        for batch, done in reader.batches():
            yield without_words(batch, words), done

    return replace(reader, batches=batches)


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
    if not exists and any(sign in name for sign in "*?["):
        raise DataError(f"no file matches {name}: check the pattern")
    if not exists:
        raise DataError(f"cannot read {name}: it does not exist, check the path")


def _open_spooled(stream: IO[bytes], title: str, options: ReadOptions) -> TableReader:
    """Return a reader of a stream, which can be read only once: of a temporary copy of it."""
    from unwritten.tables.file_format import format_of

    spool = Spool(title, "give the path of a file instead")
    try:
        shutil.copyfileobj(getattr(stream, "buffer", stream), spool, 2**20)
    except OSError as error:
        raise DataError(f"{title} cannot be read to its end ({error.strerror}): give the path of a file") from error
    spool.flush()
    if format_of(spool.path, title) in ("sqlite", "duckdb"):
        raise DataError(f"{title} is a database, which is read in its place: give the path of its file")
    return _open_file(spool.path, title, options).holding(spool)


def standard_input() -> IO[bytes]:
    """Return standard input as bytes, or raise if it is a terminal, where nothing would ever arrive."""
    if sys.stdin.isatty():
        raise DataError("standard input is a terminal: pipe a table into it, or name a file")
    return sys.stdin.buffer
