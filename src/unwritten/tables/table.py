"""Table: a reader and the schema of its columns; mining and checking read it block by block."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.progress import Progress, silent
from unwritten.tables.cells import texts_of
from unwritten.tables.column import Column
from unwritten.tables.column_types import TooManyLevelsError, checked_types, column_of
from unwritten.tables.column_values import ColumnValues
from unwritten.tables.quoting import shown
from unwritten.tables.schema import Encoded, Schema
from unwritten.tables.table_reader import Batches, TableReader, open_table

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Table:
    """A table of `rows` rows, with the kind of each column decided.

    >>> import pyarrow as pa
    >>> table = Table.of(pa.table({"trim": ["sport", "base", "base"], "doors": [3, 5, 5], "price": [1.5, 2.5, 2.5]}))
    >>> [(column.name, column.kind, column.levels) for column in table.schema.columns]
    [('trim', 'category', ('base', 'sport')), ('doors', 'category', ('3', '5')), ('price', 'skip', ())]
    """

    reader: TableReader
    schema: Schema
    rows: int
    progress: Progress = field(default=silent, repr=False)

    @classmethod
    def of(
        cls,
        table: object,
        types: Mapping[str, str] | None = None,
        *,
        missing: str = "category",
        delimiter: str | None = None,
        encoding: str | None = None,
        missing_words: Sequence[str] = (),
        max_levels: int = budgets.CATEGORY_LEVELS,
        progress: Progress = silent,
    ) -> Table:
        """Decide the kind of each column of a file or data frame, in one pass over it.

        Parameters
        ----------
        table
            A path to a CSV, Parquet, Arrow or Excel file (its first sheet), an open binary file with CSV in it, or a
            pandas, polars, pyarrow or other data frame.
        types
            The kinds of columns that inspection should not decide, by name: "category", "boolean", "integer", "skip",
            "bins:4" (four bins of about equal size) or "bins:10|20" (three bins between these edges).
        missing
            "category" makes missing a value of its own; "error" refuses missing values.
        delimiter, encoding, missing_words
            For CSV files: the sign between cells and the encoding, detected unless given; and (also for Excel) words
            that mean a missing value, besides an empty cell.
        max_levels
            The largest number of different values that a category may have.
        progress
            A function that is called with the name of the step, the units done and the units in all.
        """
        if isinstance(table, Table):
            return table
        if missing not in ("category", "error"):
            raise DataError(f"missing is {missing!r}: use 'category' or 'error'")
        before = _file_state(table)
        reader = open_table(table, delimiter=delimiter, encoding=encoding, missing_words=missing_words)
        reader = replace(reader, batches=partial(_unchanged_batches, reader, table, before))
        wanted = checked_types(types, reader.names)
        columns = [
            ColumnValues(name, max_levels, binned=wanted.get(name, "").startswith("bins")) for name in reader.names
        ]
        rows = 0
        for batch, done in reader.batches():
            rows += batch.num_rows
            for k, values in enumerate(columns):
                if wanted.get(values.name) != "skip" and not values.settled:
                    values.add(*texts_of(batch.column(k), values.name))
            progress("inspecting", done, reader.size)
        if not rows:
            raise DataError(f"{reader.title} has no rows: give at least two below the column names")
        schema = Schema(tuple(_decided(columns, wanted, missing)))
        _require_few_variables(schema, reader.title)
        return cls(reader, schema, rows, progress)

    def showing(self, progress: Progress) -> Table:
        """Return the same table with another progress function."""
        return replace(self, progress=progress)

    def blocks(self, what: str = "reading") -> Iterator[Encoded]:
        """Yield all rows as labels, one block at a time."""
        return (block for _, block in encoded_batches(self.reader, self.schema, self.progress, what))

    def labels(self) -> IntArray:
        """Return all rows as labels (n × d)."""
        return np.concatenate([block.labels for block in self.blocks()])


def encoded_batches(
    reader: TableReader, schema: Schema, progress: Progress, what: str
) -> Iterator[tuple[pa.RecordBatch, Encoded]]:
    """Yield the rows of a reader as they are and encoded; the schema may come from another table."""
    step = max(1, budgets.TABLE_BLOCK_ENTRIES // len(schema.variables))
    for batch, done in reader.batches():
        for start in range(0, batch.num_rows, step):
            part = batch.slice(start, step)
            yield part, schema.encode(part)
        progress(what, done, reader.size)


def _file_state(table: object) -> tuple[int, ...] | None:
    """Return inode, size and modification time of a file, () if it is gone, and None if the table is not a file."""
    if not isinstance(table, str | os.PathLike):
        return None
    try:
        now = os.stat(table)
    except (OSError, ValueError):
        return ()
    return (now.st_ino, now.st_size, now.st_mtime_ns) if stat.S_ISREG(now.st_mode) else None


def _unchanged_batches(reader: TableReader, table: object, before: tuple[int, ...] | None) -> Batches:
    """Yield one pass, and raise if the file has changed: later passes rely on what earlier ones saw."""
    _require_unchanged(reader.title, table, before)
    yield from reader.batches()
    _require_unchanged(reader.title, table, before)


def _require_unchanged(title: str, table: object, before: tuple[int, ...] | None) -> None:
    if before is not None and _file_state(table) != before:
        raise DataError(
            f"{shown(title)} was changed while it was read: read it again, or read a copy that stays as it is"
        )


def _decided(columns: list[ColumnValues], wanted: dict[str, str], missing: str) -> Iterator[Column]:
    """Yield the decided columns; at the end, one error names all columns with too many different values."""
    refused: list[str] = []
    for values in columns:
        try:
            yield column_of(values, wanted.get(values.name), missing)
        except TooManyLevelsError as error:
            refused += error.names
    if refused:
        raise TooManyLevelsError(refused, columns[0].max_levels)


def _require_few_variables(schema: Schema, title: str) -> None:
    width = sum(column.width for column in schema.used)
    if width > budgets.TABLE_VARIABLES:
        widest = sorted(schema.used, key=lambda column: -column.width)[:3]
        raise DataError(
            f"the values of {title} make {width:,} variables, more than {budgets.TABLE_VARIABLES:,}: leave out or bin "
            f"the columns with most values ({', '.join(shown(column.name) for column in widest)})"
        )
