"""Table: a reader and the schema of its columns; mining and checking read it block by block."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Unpack

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.data.html import html_table
from unwritten.errors import DataError
from unwritten.progress import Progress, silent
from unwritten.tables.cell_texts import texts_of
from unwritten.tables.column import Column
from unwritten.tables.column_types import TooManyLevelsError, checked_types, column_of
from unwritten.tables.column_values import ColumnValues
from unwritten.tables.joined_files import paths_of
from unwritten.tables.quoting import shown
from unwritten.tables.read_options import ReadOptions
from unwritten.tables.schema import Encoded, Schema
from unwritten.tables.table_opening import open_table
from unwritten.tables.table_reader import Batches, TableReader

if TYPE_CHECKING:
    import pyarrow as pa

GRAM_LIMIT = 2**62  # sums of squares of a column stay below it
TOO_LARGE = "its numbers are so large that sums of their squares do not fit into 64 bits"
TOO_WIDE = "its {values:,} values would make more than {most:,} variables of the table"


@dataclass(frozen=True, eq=False, repr=False)
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
    progress: Progress = silent

    def __repr__(self) -> str:
        return f"Table({self.reader.title}: {self.rows:,} rows, {len(self.schema.columns):,} columns)"

    def _repr_html_(self) -> str:
        """The columns, and what each was taken for."""
        rows = [(c.name, c.role if c.kind == "skip" else c.kind, c.content) for c in self.schema.columns]
        return html_table(("column", "taken for", "values"), rows, repr(self)[len("Table(") : -1])

    @classmethod
    def of(
        cls,
        table: object,
        types: Mapping[str, str] | None = None,
        *,
        missing: str = "category",
        max_levels: int = budgets.CATEGORY_LEVELS,
        progress: Progress = silent,
        **options: Unpack[ReadOptions],
    ) -> Table:
        """Decide the kind of each column of a file or data frame, in one pass over it.

        Parameters
        ----------
        table
            What `open_table` reads: the path of a file, several paths or a pattern such as `sales/*.csv`, a connection
            string such as `sqlite:///shop.db`, an open binary file, a data frame, or a list of records.
        types
            The kinds of columns that inspection should not decide, by name: "category", "boolean", "integer", "skip",
            "bins:4" (four bins of about equal size) or "bins:10|20" (three bins between these edges).
        missing
            "category" makes missing a value of its own; "error" refuses missing values.
        max_levels
            The largest number of different values that a category may have.
        progress
            A function that is called with the name of the step, the units done and the units in all.
        options
            How to read the table, where that is not to be found out: see `ReadOptions`.
        """
        if isinstance(table, Table):
            return table
        if missing not in ("category", "error"):
            raise DataError(f"missing is {missing!r}: use 'category' or 'error'")
        before = _file_states(table)
        reader = open_table(table, **options)
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
        schema = Schema(_with_few_variables(tuple(_decided(columns, wanted, missing)), rows))
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
    step = max(1, budgets.TABLE_BLOCK_ENTRIES // max(1, len(schema.variables)))
    for batch, done in reader.batches():
        for start in range(0, batch.num_rows, step):
            part = batch.slice(start, step)
            yield part, schema.encode(part)
        progress(what, done, reader.size)


FileState = tuple[int, ...] | None


def _file_states(table: object) -> list[FileState]:
    """Return the state of each file of a table, and nothing if it is not in files."""
    paths = paths_of(table) or ([table] if isinstance(table, str | os.PathLike) else [])
    return [_file_state(path) for path in paths]


def _file_state(path: str | os.PathLike[str]) -> FileState:
    """Return inode, size and modification time of a file, () if it is gone, and None if it is a pipe."""
    try:
        now = os.stat(path)
    except (OSError, ValueError):
        return ()
    return (now.st_ino, now.st_size, now.st_mtime_ns) if stat.S_ISREG(now.st_mode) else None


def _unchanged_batches(reader: TableReader, table: object, before: list[FileState]) -> Batches:
    """Yield one pass, and raise if the file has changed: later passes rely on what earlier ones saw."""
    _require_unchanged(reader.title, table, before)
    yield from reader.batches()
    _require_unchanged(reader.title, table, before)


def _require_unchanged(title: str, table: object, before: list[FileState]) -> None:
    if _file_states(table) != before:
        raise DataError(
            f"{shown(title)} was changed while it was read: read it again, or read a copy that stays as it is"
        )


def _decided(columns: list[ColumnValues], wanted: dict[str, str], missing: str) -> Iterator[Column]:
    """Yield the decided columns; at the end, one error names all columns with too many values to be what was asked."""
    refused: list[str] = []
    for values in columns:
        try:
            yield column_of(values, wanted.get(values.name), missing)
        except TooManyLevelsError as error:
            refused += error.names
    if refused:
        raise TooManyLevelsError(refused, columns[0].max_levels)


def _with_few_variables(columns: tuple[Column, ...], rows: int) -> tuple[Column, ...]:
    """Take the variables from the widest columns until those left are few, and from columns of too large integers.

    The sum of the squares of an integer column must fit into 64 bits; then so do the sums of all products.
    """
    narrowed = [_without_variables(column, TOO_LARGE) if _too_large(column, rows) else column for column in columns]
    width = sum(column.width for column in narrowed)
    for k in sorted(range(len(narrowed)), key=lambda k: (-narrowed[k].width, k)):
        if width <= budgets.TABLE_VARIABLES:
            break
        width -= narrowed[k].width
        reason = TOO_WIDE.format(values=narrowed[k].width, most=budgets.TABLE_VARIABLES)
        narrowed[k] = _without_variables(narrowed[k], reason)
    return tuple(narrowed)


def _too_large(column: Column, rows: int) -> bool:
    return column.kind == "integer" and rows * max(column.lower**2, column.upper**2) >= GRAM_LIMIT


def _without_variables(column: Column, reason: str) -> Column:
    return Column(column.name, "skip", reason=reason, role=column.role, scale=column.scale, closed=column.closed)
