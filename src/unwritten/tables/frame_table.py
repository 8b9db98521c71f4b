"""Data frames of any library, read as tables through narwhals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from unwritten import budgets
from unwritten.data.frame_index import arrow_of, without_index
from unwritten.data.frames import eager_frame
from unwritten.errors import DataError
from unwritten.tables.quoting import first_line, shown
from unwritten.tables.table_reader import Batches, TableReader, check_names

if TYPE_CHECKING:
    import pyarrow as pa

FRAME_TITLE = "the table"


def frame_table(frame: object) -> TableReader:
    """Return a reader of a pandas, polars, pyarrow or other data frame, or of a list of records."""
    import pyarrow as pa

    if are_records(frame):
        table = records_table(frame)
    elif isinstance(frame, pa.Table | pa.RecordBatch):
        table = without_index(pa.table(frame) if isinstance(frame, pa.RecordBatch) else frame)
    else:
        table = _arrow_table(frame)
    names = check_names(table.column_names, FRAME_TITLE)
    table = table.rename_columns(list(names))

    def batches() -> Batches:
        done = 0
        for batch in table.to_batches(budgets.FRAME_BATCH_ROWS):
            done += batch.num_rows
            yield batch, done

    return TableReader(names, FRAME_TITLE, batches, table.num_rows)


def are_records(source: object) -> bool:
    """Return True for a list of mappings from column to value, one per row."""
    return isinstance(source, list) and bool(source) and all(isinstance(row, Mapping) for row in source)


def records_table(records: object) -> pa.Table:
    """Return a list of records as a table; a column that a record lacks is missing there."""
    import pyarrow as pa

    rows = [dict(row) for row in records]  # type: ignore[attr-defined]
    names = dict.fromkeys(str(name) for row in rows for name in row)
    try:
        return pa.table({name: pa.array([row.get(name) for row in rows], from_pandas=True) for name in names})
    except MemoryError:  # also ArrowMemoryError, which says nothing of the file
        raise
    except (pa.ArrowException, TypeError, OverflowError) as error:
        raise DataError(f"the rows have values of mixed types ({first_line(error)}): give a data frame") from error


def _arrow_table(frame: object) -> pa.Table:
    import pyarrow as pa
    from narwhals.exceptions import NarwhalsError

    eager = eager_frame(frame, f"{FRAME_TITLE} has")
    if eager is None:
        raise DataError(
            f"a table cannot be read from {_with_article(type(frame).__name__)}: give the path of a CSV, Parquet, "
            "Arrow or Excel file, a data frame, or a list of records"
        )
    check_names(eager.columns, FRAME_TITLE)
    conversion_errors = (NarwhalsError, pa.ArrowException, TypeError, ValueError, NotImplementedError)
    try:
        return arrow_of(eager)
    except conversion_errors as error:
        raise _unconvertible(eager, conversion_errors, error) from error


def _unconvertible(frame: Any, conversion_errors: tuple[type[Exception], ...], error: Exception) -> DataError:
    """Name the first column that Arrow cannot hold."""
    for name, column in zip(frame.columns, frame.iter_columns(), strict=True):
        try:
            column.to_arrow()
        except conversion_errors as cause:
            return DataError(
                f"column {shown(str(name))!r} of the table holds Python objects or mixed types ({first_line(cause)}): "
                "convert it to text or numbers, or drop it"
            )
    return DataError(f"the table cannot be read ({first_line(error)}): convert its columns to text or numbers")


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def concatenated_frames(frames: Iterable[Any]) -> pa.Table:
    """Return one Arrow table of data frames that have the same columns."""
    import pyarrow as pa

    tables = []
    for k, frame in enumerate(frames):
        eager = eager_frame(frame)
        if eager is None:
            raise DataError(
                f"batch {k} is of type {type(frame).__name__} and the batches before are data frames: give data "
                "frames with the same columns every time"
            )
        tables.append(arrow_of(eager))
        if tables[-1].column_names != tables[0].column_names:
            raise DataError(f"batch {k} has other columns than the batches before: give the same columns every time")
    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except MemoryError:  # also ArrowMemoryError, which says nothing of the file
        raise
    except pa.ArrowException as error:
        raise DataError(
            f"the batches have columns of different types ({error}): give each column one type in all batches"
        ) from error
