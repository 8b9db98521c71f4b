"""Several files with the same columns, read as one table."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from pathlib import Path

from unwritten.errors import DataError
from unwritten.tables.cell_texts import without_words
from unwritten.tables.quoting import shown
from unwritten.tables.table_reader import Batches, TableReader


def paths_of(table: object) -> Sequence[str | os.PathLike[str]]:
    """Return the paths of a list of files, or of those that a pattern such as `sales/*.csv` matches, in order.

    The list is empty if the table is anything else, such as the path of one file.
    """
    if isinstance(table, list | tuple):
        return list(table) if all(isinstance(path, str | os.PathLike) for path in table) else []
    if (
        isinstance(table, str)
        and "://" not in table
        and any(sign in table for sign in "*?[")
        and not os.path.lexists(table)
    ):
        return sorted(path for path in glob.glob(table, recursive=True) if Path(path).is_file())
    return []


def joined_readers(readers: Sequence[TableReader]) -> TableReader:
    """Return one reader of all rows of these readers, with the columns in the order of the first of them."""
    first = readers[0]
    for other in readers[1:]:
        _require_same_columns(first, other)
    names = list(first.names)
    starts: list[tuple[str, int]] = []
    are_alike = len({str(_types(reader, names)) for reader in readers}) == 1

    def batches() -> Batches:
        starts.clear()
        rows = units = 0
        for reader in readers:
            starts.append((reader.title, rows))
            for batch, done in reader.batches():
                part = batch.select(names)
                yield part if are_alike else without_words(part, ()), units + done
                rows += batch.num_rows
            units += reader.size

    def place(row: int) -> tuple[str, int]:
        title, start = next(part for part in reversed(starts) if part[1] < row)
        return title, row - start

    title = f"{first.title} and {len(readers) - 1} more file{'s' if len(readers) > 2 else ''}"
    return TableReader(first.names, title, batches, sum(reader.size for reader in readers), first.facts, place)


def _types(reader: TableReader, names: Sequence[str]) -> list[object]:
    """Return the types of the columns in the first batch."""
    first = next((batch for batch, _ in reader.batches()), None)
    return [] if first is None else [first.schema.field(name).type for name in names]


def _require_same_columns(first: TableReader, other: TableReader) -> None:
    lacking = [name for name in first.names if name not in other.names]
    added = [name for name in other.names if name not in first.names]
    if lacking or added:
        reader, name = (other, lacking[0]) if lacking else (first, added[0])
        having = first if reader is other else other
        raise DataError(
            f"{having.title} has a column {shown(name)!r} and {reader.title} has none: files of one table need the "
            "same columns, so read them one by one"
        )
