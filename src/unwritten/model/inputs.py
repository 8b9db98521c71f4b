"""Read what a user gives to a model: labels, or rows of a table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from unwritten.data import IntArray, Variables, labels_from
from unwritten.data.frames import is_frame
from unwritten.errors import DataError
from unwritten.tables import Table, TableReader, open_table


def is_table_like(source: object) -> bool:
    """True for a table, a path, an open file, a data frame and a list of records: rows with named columns."""
    if isinstance(source, Table | TableReader | str | os.PathLike) or is_frame(source):
        return True
    return hasattr(source, "read") or _are_records(source)


def table_rows(source: object) -> Any:
    """Turn a source into a form that `open_table` reads."""
    if isinstance(source, Table):
        return source.reader
    if _are_records(source):
        import pyarrow as pa

        try:
            return pa.Table.from_pylist([dict(row) for row in source])  # type: ignore[attr-defined]
        except (pa.ArrowException, TypeError) as error:
            raise DataError(f"the rows have values of mixed types ({error}): give a data frame") from error
    return _in_memory(source)


def labels_in(source: object, variables: Variables) -> IntArray:
    """Checked labels (n × d) from an array, a frame of integers, a file of integers, or batches of any of these."""
    source = _in_memory(source)
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


def _in_memory(source: Any) -> Any:
    """Load a Dask collection into this process; return anything else unchanged."""
    dask = type(source).__module__.partition(".")[0] in ("dask", "dask_expr")
    return source.compute() if dask else source


def _are_records(source: object) -> bool:
    return isinstance(source, list) and bool(source) and all(isinstance(row, Mapping) for row in source)
