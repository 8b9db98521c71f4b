"""Choose the source that reads what the user gave."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import Examples
from unwritten.data.frames import holds_only_integers, is_dask, is_frame, to_memory
from unwritten.errors import DataError
from unwritten.options import MiningOptions
from unwritten.progress import Progress, silent
from unwritten.sources.array_source import ArraySource
from unwritten.sources.checkpoint import Checkpoint
from unwritten.sources.column_source import ColumnSource
from unwritten.sources.dask_source import DaskSource
from unwritten.sources.example_source import ExampleSource
from unwritten.sources.frame_batches import joined_table
from unwritten.sources.readers import BatchReader, TableRowReader, table_facts
from unwritten.sources.stream_source import StreamSource
from unwritten.tables import Table, open_table
from unwritten.tables.file_format import PARQUET
from unwritten.tables.frame_table import are_records, records_table
from unwritten.tables.joined_files import paths_of
from unwritten.tables.weights import weights_by_name


def open_source(
    labels: object,
    weights: object,
    options: MiningOptions,
    *,
    types: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> ExampleSource:
    """Return the source for what the user gave: an array, a table, batches, or partitions."""
    checkpoint, most_kept = Checkpoint.of(options.checkpoint), options.most_kept
    in_memory = os.fspath(options.cuts) == "memory"
    if are_records(labels):
        labels = records_table(labels)
    if is_batches(labels):
        table_in_pieces, labels = joined_table(labels)
        labels = labels if table_in_pieces is None else table_in_pieces
    if _is_table(labels, types):
        if not in_memory:
            raise DataError("cuts on disk work with batches only: leave out cuts, or give batches")
        table = labels if isinstance(labels, Table) else Table.of(labels, types, progress=progress)
        table = table if progress is silent else table.showing(progress)
        return _table_source(table, weights, options, checkpoint, most_kept)
    if types is not None:
        raise DataError("types describe the columns of a table: give a file or a data frame, or leave out types")
    if is_batches(labels):
        if weights is not None:
            raise DataError("batches bring their own weights: give tuples (labels, weights) as batches")
        _refuse_noise(options, "batches")
        if options.symmetries and not in_memory:
            raise DataError("symmetries need all cuts in memory: use cuts='memory', or leave out symmetries")
        reader = BatchReader(labels, progress)  # type: ignore[arg-type]
        most = budgets.KEPT_LABEL_ENTRIES if most_kept is None else most_kept
        return StreamSource(reader, options, checkpoint, None if in_memory else Path(options.cuts), most)
    if checkpoint is not None or not in_memory or most_kept is not None:
        raise DataError("checkpoint, cuts and most_kept are for tables and batches: give labels as batches")
    if _stays_on_cluster(labels, weights, options):
        return DaskSource(labels, weights, options)
    examples = Examples.of(
        _to_memory(labels), _to_memory(weights), sense=options.sense, names=options.names, bounds=options.bounds,
        layout=options.layout,
    )  # fmt: skip
    return ArraySource(examples)


def _is_table(labels: object, types: Mapping[str, str] | None) -> bool:
    """True for a table, paths, an open file, and a data frame that labels cannot be read from directly."""
    if is_dask(labels) or is_batches(labels):
        return False
    if isinstance(labels, list | tuple) and paths_of(labels):
        return types is not None or not _are_parquet_files(labels)
    if isinstance(labels, Table | str | os.PathLike) or (hasattr(labels, "read") and not is_frame(labels)):
        return True
    return is_frame(labels) and (types is not None or not holds_only_integers(labels))


def _table_source(
    table: Table, weights: object, options: MiningOptions, checkpoint: Checkpoint | None, most_kept: int | None
) -> ExampleSource:
    """Return a source that reads a table block by block; with weights or noise, one that reads it into memory."""
    if options.names is not None or options.bounds is not None:
        raise DataError(
            "a table has names and bounds of its own (a data frame with text, dates or missing values is a table): "
            "give types of its columns instead, or fill in missing values"
        )
    if options.axes is not None:
        raise DataError("a table has columns of its own, and no axes: leave out axes, or give labels as integers")
    if not table.schema.used:
        if weights is not None:
            raise DataError("no column of the table has variables that weights could be for: give types of its columns")
        return ColumnSource(table)
    if weights is None and options.noise_rate == 0:
        most = budgets.KEPT_LABEL_ENTRIES if most_kept is None else most_kept
        return StreamSource(TableRowReader(table), options, checkpoint, None, most)
    if checkpoint is not None:
        raise DataError("a table with weights or noise is mined in memory: leave out the checkpoint")
    variables = table.schema.variables
    if isinstance(weights, str | os.PathLike):
        weights = weights_by_name(open_table(weights), variables.names)
    examples = Examples.of(table.labels(), weights, sense=options.sense, variables=variables)
    about, notes = table_facts(table)
    return ArraySource(examples, table.schema, about, notes, table)


def is_batches(labels: object) -> bool:
    """True for an iterator, a function, and a list of blocks (arrays, matrices, frames, or tuples with weights)."""
    if is_dask(labels) or hasattr(labels, "readline"):  # an open file is a table, though it iterates over its lines
        return False
    if isinstance(labels, Iterator):  # before frames, so that a generator does not load the library for them
        return True
    if callable(labels):
        return not is_frame(labels)
    return isinstance(labels, list | tuple) and len(labels) > 0 and _is_block(labels[0])


def _is_block(part: object) -> bool:
    """True for labels of several examples, or a tuple (labels, weights)."""
    if isinstance(part, np.ndarray):
        return part.ndim == 2
    if isinstance(part, tuple) and part and _is_block(part[0]):
        return True
    if isinstance(part, list | tuple):
        return bool(part) and isinstance(part[0], list | tuple | np.ndarray) and np.ndim(part[0]) == 1
    return is_frame(part) or hasattr(part, "tocsr")


def _stays_on_cluster(labels: object, weights: object, options: MiningOptions) -> bool:
    """True if the labels, and any weights, can be counted and searched in their partitions."""
    if options.noise_rate != 0:
        return False
    if weights is None:
        return is_dask(labels) or _are_parquet_files(labels)
    return is_dask(labels) and is_dask(weights) and not options.symmetries


def _are_parquet_files(labels: object) -> bool:
    return (
        isinstance(labels, list | tuple)
        and len(labels) > 0
        and all(isinstance(path, str | os.PathLike) and Path(path).suffix.lower() in PARQUET for path in labels)
    )


def _to_memory(collection: object) -> Any:
    """Load a Dask collection into this process; return anything else unchanged."""
    if _are_parquet_files(collection):
        raise DataError("files of labels are mined without weights or noise: read them first, or give batches")
    return to_memory(collection)


def _refuse_noise(options: MiningOptions, what: str) -> None:
    if options.noise_rate != 0:
        raise DataError(
            f"{what} cannot be mined with noise, because wrong rows are found among all rows in memory: use noise=0"
        )
