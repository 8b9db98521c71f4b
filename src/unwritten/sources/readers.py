"""Readers of blocks: a user's batches, and the rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.progress import Progress
from unwritten.sources.blocks import failures_named
from unwritten.tables import Column, Schema, Table

Batches = Iterable[Any] | Callable[[], Iterable[Any]]


def skip_blocks(blocks: Iterator[Any], skip: int, before: int = 0) -> Iterator[Any]:
    """Skip the next `skip` blocks of a pass; `before` blocks of it were read already."""
    for k in range(skip):
        if next(blocks, blocks) is blocks:
            raise DataError(
                f"the checkpoint counts {before + skip} batches but there are only {before + k}: start anew with "
                "Checkpoint(path, resume=False)"
            )
    return blocks


class BatchReader:
    """Batches of labels, or of tuples (labels, weights): a collection, a function that returns one, or an iterator."""

    what = "batch"
    schema: Schema | None = None
    table: Table | None = None

    def __init__(self, batches: Batches, progress: Progress) -> None:
        self._batches, self._progress = batches, progress
        self.rereadable = not isinstance(batches, Iterator)
        self._size = len(batches) if isinstance(batches, list | tuple) else 0

    def open(self, skip: int = 0) -> Iterator[Any]:
        """Start a pass over the batches after the first `skip` ones."""
        batches = self._batches() if callable(self._batches) else self._batches
        if isinstance(batches, str | bytes) or not isinstance(batches, Iterable):
            raise DataError(f"batches are of type {type(batches).__name__}: give blocks of labels, one after the other")
        for k, batch in enumerate(skip_blocks(failures_named(iter(batches)), skip), skip + 1):
            yield batch
            self._progress("reading", k, self._size)

    def facts(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Nothing is known about batches."""
        return {}, ()


class TableRowReader:
    """The rows of a table as blocks of labels."""

    what = "block"
    rereadable = True

    def __init__(self, table: Table) -> None:
        self.table: Table | None = table
        self._table = table
        self.schema: Schema | None = table.schema

    def open(self, skip: int = 0) -> Iterator[IntArray]:
        """Start a pass over the blocks after the first `skip` ones; skipped rows are not encoded."""
        table = self._table
        step = max(1, budgets.TABLE_BLOCK_ENTRIES // len(table.schema.variables))
        batches = (
            (batch.slice(start, step), done)
            for batch, done in table.reader.batches()
            for start in range(0, batch.num_rows, step)
        )
        for part, done in islice(batches, skip, None):
            yield table.schema.encode(part).labels
            table.progress("reading", done, table.reader.size)

    def facts(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The source and its number of rows; which columns were left out, and why."""
        return table_facts(self._table)


def table_facts(table: Table) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The source of a table and its number of rows; which columns were left out, and why."""
    skipped = tuple(note_of(column) for column in table.schema.columns if not column.width)
    return {"source": table.reader.title, "rows": table.rows, **table.reader.facts}, skipped


def note_of(column: Column) -> str:
    """Say what a column without variables is left out of, and why."""
    if column.role in ("unknown", "empty"):
        return f"column {column.name} was left out: {column.reason}"
    return f"column {column.name} ({column.role}) takes no part in rules about single values: {column.reason}"
