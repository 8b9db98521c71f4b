"""Parquet and Arrow files, read in batches."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unwritten import budgets
from unwritten.data.frame_index import column_names, without_index
from unwritten.errors import DataError
from unwritten.tables.quoting import first_line, shown
from unwritten.tables.table_reader import Batches, TableReader, check_names

if TYPE_CHECKING:
    import pyarrow as pa

MOST_ADDRESSES = 2**47  # bytes that a process can address: a file that claims more is damaged


def parquet_file(path: Path, title: str) -> TableReader:
    """Return a reader of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def batches() -> Batches:
        done = 0
        with _blaming(path, title, "Parquet"), pq.ParquetFile(path, read_dictionary=texts) as file:
            for batch in file.iter_batches(budgets.FRAME_BATCH_ROWS, columns=chosen):
                done += batch.num_rows
                yield _with_own_texts(_validated(batch, names)), done

    with _blaming(path, title, "Parquet"), pq.ParquetFile(path) as file:
        names, rows = column_names(file.schema_arrow), file.metadata.num_rows
        chosen = None if names == file.schema_arrow.names else names
        texts = [
            field.name
            for field in file.schema_arrow
            if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
        ]
    return TableReader(check_names(names, shown(title)), shown(title), batches, rows)


def arrow_file(path: Path, title: str) -> TableReader:
    """Return a reader of an Arrow (Feather 2) file, or of a file with a stream of record batches."""
    import pyarrow as pa

    def opened() -> Any:
        try:
            return pa.ipc.open_file(pa.PythonFile(_RealFile(path)))
        except pa.ArrowInvalid:
            return pa.ipc.open_stream(pa.PythonFile(_RealFile(path)))

    def batches() -> Batches:
        done = 0
        with _blaming(path, title, "Arrow"):
            file = opened()
            parts = (
                (file.get_batch(k) for k in range(file.num_record_batches))
                if hasattr(file, "num_record_batches")
                else file
            )
            for part in parts:
                for batch in _sliced(_validated(without_index(part), names)):
                    done += batch.num_rows
                    yield batch, done

    with _blaming(path, title, "Arrow"):
        names = column_names(opened().schema)
    return TableReader(check_names(names, shown(title)), shown(title), batches)


@contextmanager
def _blaming(path: Path, title: str, kind: str) -> Iterator[None]:
    """Turn an error of Arrow into one that names the file, unless memory is short through no fault of the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        sizes = [int(size) for size in re.findall(r"size (\d+)", str(error))]
        if isinstance(error, MemoryError) and all(size < MOST_ADDRESSES for size in sizes):
            raise
        raise _unreadable(path, title, kind, error) from error


class _RealFile(io.FileIO):
    """A file that is asked for no more bytes than it has: Arrow reserves memory for any length that a file claims.

    It is not mapped into memory: a file that was cut short meanwhile would kill the process.
    """

    def read(self, size: int | None = -1) -> bytes:
        """Read this many bytes, or what is left of the file."""
        left = max(0, os.fstat(self.fileno()).st_size - self.tell())
        return super().read(left if size is None or size < 0 else min(size, left)) or b""


def _validated(batch: pa.RecordBatch, names: Sequence[str]) -> pa.RecordBatch:
    """Return the batch, checked: Arrow trusts the offsets in a file and would read past the end of a buffer."""
    import pyarrow as pa

    batch.validate(full=True)
    if batch.schema.names != list(names):
        raise pa.ArrowInvalid("its columns have changed")
    return batch


def _with_own_texts(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return the batch with each column of texts coded by the texts in it, in the order of their appearance.

    Texts are kept as codes, as Parquet stores them: if every row has the same long text, a file of one kilobyte would
    fill the memory when written out. The codes of a batch come with the texts of many batches, so unused texts are
    dropped.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = list(batch.columns)
    for k, column in enumerate(columns):
        if pa.types.is_dictionary(column.type):
            codes = pc.unique(column.indices.drop_null())
            columns[k] = pa.DictionaryArray.from_arrays(
                pc.index_in(column.indices, codes), column.dictionary.take(codes), ordered=column.type.ordered
            )
    return pa.record_batch(columns, names=batch.schema.names)


def _sliced(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    return (
        batch.slice(start, budgets.FRAME_BATCH_ROWS) for start in range(0, batch.num_rows, budgets.FRAME_BATCH_ROWS)
    )


def _unreadable(path: Path, title: str, kind: str, error: BaseException) -> DataError:
    text = first_line(error).replace(shown(str(path)), shown(title))
    return DataError(f"{shown(title)} is not a complete {kind} file ({text}): check it, or write it again")
