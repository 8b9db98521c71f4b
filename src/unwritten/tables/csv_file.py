"""CSV files, read in batches with every cell as text."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.csv_dialect import CsvDialect
from unwritten.tables.decimal_comma import with_decimal_points
from unwritten.tables.packed_file import DAMAGE, is_packed, unpacked, unreadable
from unwritten.tables.quoting import shown
from unwritten.tables.read_options import ReadOptions
from unwritten.tables.table_reader import Batches, TableReader
from unwritten.tables.text_encoding import undecodable

UTF_8 = ("utf-8", "utf-8-sig")
TAIL_BYTES = 64  # bytes at the end of a file in which an open quote is looked for


def csv_file(path: Path, title: str, options: ReadOptions) -> TableReader:
    """Return a reader of a CSV file whose first line holds the column names."""
    dialect = CsvDialect.of(path, title, options)
    try:
        size = path.stat().st_size
    except OSError as error:
        raise unreadable(dialect.title, error) from error
    facts = {"delimiter": dialect.delimiter, "encoding": dialect.encoding}
    if dialect.comma_columns:
        facts["decimal"] = ","
    return TableReader(dialect.names, dialect.title, lambda: _batches(dialect), size, facts)


def _batches(dialect: CsvDialect) -> Batches:
    import pyarrow as pa

    title = dialect.title
    try:
        with _arrow_reader(dialect) as (reader, packed):
            rows, last = 0, None
            for number, batch in enumerate(reader, 1):  # Arrow reads ahead of the batch that it hands over
                done = min(packed.tell(), number * budgets.CSV_CHUNK_BYTES)
                rows += batch.num_rows
                last = batch.column(batch.num_columns - 1)[-1].as_py() if batch.num_rows else last
                yield with_decimal_points(batch, dialect.comma_columns), done
        _require_closed(dialect, rows, last)
    except UnicodeError as error:
        raise undecodable(title, dialect.encoding) from error
    except MemoryError:  # also ArrowMemoryError, which says nothing of the file
        raise
    except pa.ArrowException as error:
        if bad_row := _first_bad_row(dialect):
            raise DataError(
                f"line {bad_row.number} of {title} has {bad_row.actual_columns} cells where the first has "
                f"{bad_row.expected_columns}: mend or remove it, or name the delimiter with delimiter=';' "
                "(--delimiter ';')"
            ) from error
        if "UTF" in str(error):
            raise undecodable(title, dialect.encoding) from error
        if "Empty CSV" in str(error):
            return
        if "straddl" in str(error):  # a record has no end
            raise DataError(
                f"{title} has one line only, or a quote that is not closed, or a row of more than "
                f"{budgets.CSV_CHUNK_BYTES >> 20} MiB: give rows below the column names, mend the quotes, or shorten it"
            ) from error
        raise DataError(f"{title} cannot be read as CSV ({shown(str(error))[:160]}): mend the file") from error
    except DAMAGE as error:
        raise unreadable(title, error) from error


def _require_closed(dialect: CsvDialect, rows: int, last: str | None) -> None:
    """Raise if a quote in the last row is not closed: Arrow takes all lines below it for one cell."""
    if last is None or "\n" not in last:
        return
    tail = b""
    with _python_file(dialect) as (stream, _):
        while chunk := stream.read(budgets.CSV_CHUNK_BYTES):
            tail = (tail + chunk)[-TAIL_BYTES:]
    if not tail.rstrip(b"\r\n ").endswith(dialect.quote.encode()):
        raise DataError(
            f"row {rows:,} of {dialect.title} has a quote that is not closed, and takes in the lines below it: close "
            "the quote or remove it"
        )


@contextmanager
def _arrow_reader(
    dialect: CsvDialect, invalid_row_handler: Callable[[Any], str] | None = None
) -> Iterator[tuple[Any, Any]]:
    """Open Arrow's reader and the packed file.

    Arrow reads a plain file ahead in threads of its own. A thread that still holds a Python object when the process
    ends would abort the process. So these threads get a file that Arrow opened itself, and with a handler of invalid
    rows, which is a Python function, Arrow reads without threads.
    """
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    names = list(dialect.names)
    plain = dialect.encoding in UTF_8 and dialect.path.is_file() and not is_packed(dialect.path)
    read = arrow_csv.ReadOptions(
        use_threads=plain and invalid_row_handler is None, block_size=budgets.CSV_CHUNK_BYTES, column_names=names,
        skip_rows=dialect.skipped_lines, skip_rows_after_names=1,
    )  # fmt: skip
    parse = arrow_csv.ParseOptions(
        delimiter=dialect.delimiter, quote_char=dialect.quote, newlines_in_values=True,
        invalid_row_handler=invalid_row_handler,
    )  # fmt: skip
    text = pa.dictionary(pa.int32(), pa.string())
    convert = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(names, text), null_values=["", *dialect.missing_words], strings_can_be_null=True
    )
    with (
        _own_file(dialect.path) if plain else _python_file(dialect) as (stream, packed),
        arrow_csv.open_csv(stream, read, parse, convert) as reader,
    ):
        yield reader, packed


@contextmanager
def _own_file(path: Path) -> Iterator[tuple[Any, Any]]:
    """Open a file that Arrow reads without Python."""
    import pyarrow as pa

    with pa.OSFile(str(path)) as file:
        yield file, file


@contextmanager
def _python_file(dialect: CsvDialect) -> Iterator[tuple[Any, Any]]:
    """Open the text in UTF-8, and the packed file."""
    with unpacked(dialect.path) as (file, packed):
        yield file if dialect.encoding in UTF_8 else codecs.EncodedFile(file, "utf-8", dialect.encoding), packed


def _first_bad_row(dialect: CsvDialect) -> Any:
    """Return what Arrow says of the first row with the wrong number of cells; None if every row has the right one."""
    import pyarrow as pa

    bad_rows: list[Any] = []

    def stop(row: Any) -> str:
        bad_rows.append(row)
        return "error"

    with suppress(pa.ArrowException, UnicodeError, *DAMAGE), _arrow_reader(dialect, stop) as (reader, _):
        for _batch in reader:
            pass
    return bad_rows[0] if bad_rows else None
