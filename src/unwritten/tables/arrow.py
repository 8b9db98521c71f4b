"""Parquet and Arrow files, and data frames of any make, as sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.tables.quoting import shown
from unwritten.tables.source import Source, check_names

if TYPE_CHECKING:
    import pyarrow as pa

Batches = Iterator[tuple["pa.RecordBatch", int]]


def parquet_file(path: Path) -> Source:
    """A Parquet file, read in batches."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def batches() -> Batches:
        done = 0
        try:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(budgets.FRAME_BATCH_ROWS):
                    done += batch.num_rows
                    yield _whole(batch, names), done
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise _unreadable(path, "Parquet", error) from error

    try:
        with pq.ParquetFile(path) as file:
            names, rows = file.schema_arrow.names, file.metadata.num_rows
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, "Parquet", error) from error
    return Source(check_names(names, path.name), path.name, batches, rows)


def arrow_file(path: Path) -> Source:
    """An Arrow (Feather 2) file, or a stream of record batches."""
    import pyarrow as pa

    def reader() -> Any:
        try:
            return pa.ipc.open_file(pa.OSFile(str(path)))  # no memory map: a file cut short meanwhile would kill us
        except pa.ArrowInvalid:
            return pa.ipc.open_stream(pa.OSFile(str(path)))

    def batches() -> Batches:
        done = 0
        try:
            opened = reader()
            parts = (
                (opened.get_batch(k) for k in range(opened.num_record_batches))
                if hasattr(opened, "num_record_batches")
                else opened
            )
            for part in parts:
                for batch in _sliced(_whole(part, names)):
                    done += batch.num_rows
                    yield batch, done
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise _unreadable(path, "Arrow", error) from error

    try:
        names = reader().schema.names
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, "Arrow", error) from error
    return Source(check_names(names, path.name), path.name, batches)


def frame(table: object) -> Source:
    """A pandas, polars, pyarrow or other data frame, through narwhals."""
    import narwhals.stable.v1 as nw
    import pyarrow as pa
    from narwhals.exceptions import NarwhalsError

    title = "the table"
    if isinstance(table, pa.Table | pa.RecordBatch):
        arrow = pa.table(table) if isinstance(table, pa.RecordBatch) else table
        check_names(arrow.column_names, title)
    else:
        try:
            found = nw.from_native(table, pass_through=True)
            if isinstance(found, nw.LazyFrame):
                found = found.collect()
            if not isinstance(found, nw.DataFrame):
                raise DataError(
                    f"a {type(table).__name__} is no table: give the path of a CSV, Parquet or Arrow file, or a frame"
                )
            check_names(found.columns, title)
            arrow = found.to_arrow()
        except NarwhalsError as error:
            text = _first_line(error).rstrip(":, ")
            raise DataError(f"the table cannot be read ({text}): rename or convert its columns") from error
        except (pa.ArrowException, TypeError, ValueError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(
                f"the table has a column of mixed types ({_first_line(error)}): convert it to text first"
            ) from error
        arrow = arrow.rename_columns([str(name) for name in arrow.column_names])

    def batches() -> Batches:
        done = 0
        for batch in arrow.to_batches(budgets.FRAME_BATCH_ROWS):
            done += batch.num_rows
            yield batch, done

    return Source(check_names(arrow.column_names, title), title, batches, arrow.num_rows)


def _whole(batch: pa.RecordBatch, names: Sequence[str]) -> pa.RecordBatch:
    """The batch, once offsets, indices and text in it are sound: Arrow believes a file, and would read past its end."""
    import pyarrow as pa

    batch.validate(full=True)
    if batch.schema.names != list(names):
        raise pa.ArrowInvalid("its columns have changed")
    return batch


def _sliced(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    return (
        batch.slice(start, budgets.FRAME_BATCH_ROWS) for start in range(0, batch.num_rows, budgets.FRAME_BATCH_ROWS)
    )


def _unreadable(path: Path, kind: str, error: BaseException) -> DataError:
    text = _first_line(error).replace(shown(str(path)), shown(path.name))
    return DataError(f"{shown(path.name)} is no whole {kind} file ({text}): check it, or write it again")


def _first_line(error: BaseException) -> str:
    return shown(next(iter(str(error).splitlines()), type(error).__name__))[:160]
