"""Read what a user gives to a model: labels, or rows of a table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from unwritten.data import IntArray, Variables, labels_from
from unwritten.data.frames import is_frame, to_memory
from unwritten.errors import DataError
from unwritten.tables import Table, TableReader, open_table
from unwritten.tables.frame_table import are_records, concatenated_frames, records_table
from unwritten.tables.joined_files import paths_of
from unwritten.tables.quoting import quoted, shown


def is_table_like(source: object) -> bool:
    """True for a table, paths, an open file, a data frame, records, and batches of frames: rows with named columns."""
    if isinstance(source, Table | TableReader | str | os.PathLike) or is_frame(source):
        return True
    if isinstance(source, list | tuple) and len(source) > 0 and (is_frame(source[0]) or paths_of(source)):
        return True
    return hasattr(source, "readline") or isinstance(source, Iterator) or are_records(source)


def table_rows(source: Any) -> Any:
    """Turn a source into a form that `open_table` reads."""
    if isinstance(source, Table):
        return source.reader
    in_pieces = isinstance(source, list | tuple) and not are_records(source) and not paths_of(source)
    if in_pieces or (isinstance(source, Iterator) and not hasattr(source, "readline")):
        return concatenated_frames(source)
    return to_memory(source)


def refuse_unnamed_rows(source: object, columns: Iterable[str]) -> None:
    """Raise if a table is given as one row, or as rows of text that have no column names."""
    if isinstance(source, Mapping) or hasattr(source, "to_list"):
        raise DataError("one row is not a table: use model.explain(row), or model.check([row]) with a dict")
    first = source
    while isinstance(first, list | tuple) and first:
        first = first[0]
    if isinstance(first, str) or (isinstance(first, np.ndarray) and first.dtype.kind in "OUS"):
        names = ", ".join(quoted(name) for name in columns)
        raise DataError(f"the rows have no column names: give a data frame with the columns {shown(names)[:200]}")


def labels_in(source: object, variables: Variables) -> IntArray:
    """Checked labels (n × d) from an array, a frame of integers, a file of integers, or batches of any of these."""
    source = records_table(source) if are_records(source) else to_memory(source)
    if isinstance(source, str | os.PathLike):
        source = _arrow(open_table(source))
    if isinstance(source, Iterator) or (isinstance(source, list) and source and np.ndim(source[0]) == 2):
        batches: Iterable[Any] = source
        return np.concatenate([_one_block(batch, variables) for batch in batches])
    return _one_block(source, variables)


def _one_block(source: object, variables: Variables) -> IntArray:
    labels, _ = labels_from(source, order=variables.names)
    if labels.shape[1] != len(variables):
        raise DataError(
            f"labels have {labels.shape[1]} columns but the model has {len(variables)} variables: "
            "give the columns it was mined from, in that order"
        )
    return labels


def _arrow(reader: TableReader) -> Any:
    import pyarrow as pa

    return pa.Table.from_batches([batch for batch, _ in reader.batches()])
