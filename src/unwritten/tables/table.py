"""Table: a source and its schema; what mining and checking read, block by block."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.tables.cells import texts_of
from unwritten.tables.column import Column
from unwritten.tables.quoting import shown
from unwritten.tables.schema import Encoded, Schema
from unwritten.tables.source import Source, source_of
from unwritten.tables.types import TooManyLevelsError, Values, checked_types, column_of

if TYPE_CHECKING:
    import pyarrow as pa

MISSING_IS = ("category", "error")

Batches = Iterator[tuple["pa.RecordBatch", int]]
Opened = Callable[[], Batches]
Progress = Callable[[str, int, int], None]  # what is done, units done, units in all (0: unknown)


def silent(what: str, done: int, size: int) -> None:
    """Say nothing."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table of `rows` rows, with the kind of each column decided.

    >>> import pyarrow as pa
    >>> table = Table.of(pa.table({"trim": ["sport", "base", "base"], "doors": [3, 5, 5], "price": [1.5, 2.5, 2.5]}))
    >>> [(column.name, column.kind, column.levels) for column in table.schema.columns]
    [('trim', 'category', ('base', 'sport')), ('doors', 'category', ('3', '5')), ('price', 'skip', ())]
    """

    source: Source
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
        """Inspect a file or a data frame: one pass over it.

        Parameters
        ----------
        table
            A path to a CSV, Parquet or Arrow file, an open binary file, or a pandas, polars or pyarrow frame.
        types
            Kinds of columns by name where inspection should not decide: "category", "boolean", "integer", "skip",
            "bins:4" (four bins of about equal size) or "bins:10|20" (between these edges).
        missing
            "category": a missing value is a value of its own; "error": refuse them.
        delimiter, encoding, missing_words
            Of CSV files: found by inspection unless given; words that stand for a missing value besides the empty one.
        max_levels
            The most values that a category may have.
        """
        if isinstance(table, Table):
            return table
        if missing not in MISSING_IS:
            raise DataError(f"missing is {missing!r}: use 'category' or 'error'")
        before = _state(table)
        source = source_of(table, delimiter=delimiter, encoding=encoding, missing_words=missing_words)
        source = replace(source, open=partial(_steady, source.open, source.title, table, before))
        wanted = checked_types(types, source.names)
        found = [Values(name, max_levels, binned=wanted.get(name, "").startswith("bins")) for name in source.names]
        rows = 0
        for batch, done in source.open():
            rows += batch.num_rows
            for k, values in enumerate(found):
                if wanted.get(values.name) != "skip" and not values.settled:
                    values.add(*texts_of(batch.column(k), values.name))
            progress("inspecting", done, source.size)
        if not rows:
            raise DataError(f"{source.title} has no rows: give at least two below the column names")
        schema = Schema(tuple(_columns(found, wanted, missing)))
        width = sum(column.width for column in schema.used)
        if width > budgets.TABLE_VARIABLES:
            widest = sorted(schema.used, key=lambda column: -column.width)[:3]
            raise DataError(
                f"the values of {source.title} make {width:,} variables, more than {budgets.TABLE_VARIABLES:,}: leave "
                f"out or bin the columns with most values ({', '.join(shown(column.name) for column in widest)})"
            )
        return cls(source, schema, rows, progress)

    def showing(self, progress: Progress) -> Table:
        """The same table, telling its progress."""
        return replace(self, progress=progress)

    def blocks(self, what: str = "reading") -> Iterator[Encoded]:
        """All rows as labels, some at a time."""
        return (block for _, block in encoded_batches(self.source, self.schema, self.progress, what))

    def labels(self) -> IntArray:
        """All rows as labels at once (n × d)."""
        return np.concatenate([block.labels for block in self.blocks()])


def _state(table: object) -> tuple[int, ...] | None:
    """What tells whether a file was changed; None of what is no file."""
    if not isinstance(table, str | os.PathLike):
        return None
    try:
        now = os.stat(table)
    except (OSError, ValueError):
        return ()
    return (now.st_ino, now.st_size, now.st_mtime_ns) if stat.S_ISREG(now.st_mode) else None


def _steady(once: Opened, title: str, table: object, before: tuple[int, ...] | None) -> Batches:
    """One pass, refused if the file is another by the end of it: later passes rely on what earlier ones saw."""
    _require_same(title, table, before)
    yield from once()
    _require_same(title, table, before)


def _require_same(title: str, table: object, before: tuple[int, ...] | None) -> None:
    if before is not None and _state(table) != before:
        raise DataError(f"{shown(title)} was changed while it was read: read it again, or a copy that stays as it is")


def encoded_batches(
    source: Source, schema: Schema, progress: Progress, what: str
) -> Iterator[tuple[pa.RecordBatch, Encoded]]:
    """The rows of any source under a schema that need not have been made from it, as they are and as labels."""
    step = max(1, budgets.TABLE_BLOCK_ENTRIES // len(schema.variables))
    for batch, done in source.open():
        for start in range(0, batch.num_rows, step):
            part = batch.slice(start, step)
            yield part, schema.encode(part)
        progress(what, done, source.size)


def _columns(found: list[Values], wanted: dict[str, str], missing: str) -> Iterator[Column]:
    wide: list[TooManyLevelsError] = []
    for values in found:
        try:
            yield column_of(values, wanted.get(values.name), missing)
        except TooManyLevelsError as error:
            wide.append(error)
    if len(wide) == 1:
        raise wide[0]
    if wide:
        names = [shown(error.name) for error in wide]
        raise DataError(
            f"columns {', '.join(names)} have more than {found[0].most:,} different values: leave them out with "
            f"--types {','.join(f'{name}=skip' for name in names)}, or allow more with --max-levels"
        )
