"""Examples in partitions: Dask arrays and data frames, and lists of Parquet files of labels.

Every partition is counted on the machine that holds it, and the tallies are merged as a tree, so that only tallies
travel. The active Dask scheduler does the work (threads, processes or a cluster); the tasks of a lost worker are run
again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from math import isnan
from pathlib import Path
from typing import Any

from unwritten import budgets
from unwritten.data import Examples
from unwritten.errors import DataError, MissingPackageError
from unwritten.options import MiningOptions
from unwritten.sources.blocks import Block, naming_errors
from unwritten.sources.dask_cuts import paired_partitions
from unwritten.sources.dask_weights import DaskWeights
from unwritten.sources.example_source import Gathered
from unwritten.sources.label_counter import CountedLabels, LabelCounter
from unwritten.sources.label_test import LabelTest, LabelTestResult
from unwritten.tables import Table


class DaskSource:
    """Counts partitions where they are; with weights, the cuts stay in their partitions too."""

    table: Table | None = None

    def __init__(self, labels: object, weights: object, options: MiningOptions) -> None:
        self._options, self._weights = options, weights
        self._labels = labels
        self._partitions = _partitions(labels)

    def gather(self) -> Gathered:
        """Count all partitions."""
        options = self._options
        declared = MiningOptions(names=options.names, bounds=options.bounds, axes=options.axes)  # others may not travel
        count = _Count(declared, budgets.KEPT_LABEL_ENTRIES)
        counted: CountedLabels | None = _over_partitions(count, self._partitions, CountedLabels.merged)
        if counted is None:
            raise DataError("labels are empty: give at least one example")
        variables, tally = counted.variables(options), counted.tally.minable()
        if self._weights is None:
            examples = Examples.of(tally.seen, sense=options.sense, variables=variables)
            return Gathered(tally, examples, counted.tally)
        pairs = paired_partitions(self._partitions, _partitions(_in_chunks_of(self._weights, self._labels)))
        stored = DaskWeights(_dask(), pairs, counted.tally.n)
        return Gathered(tally, stored.examples(variables, options.sense), counted.tally, stored)

    def scan(self, test: LabelTest) -> Iterable[LabelTestResult]:
        """Test the labels of all partitions.

        If there are cuts, the labels are fetched into this process, because each partition tests its own cuts.
        """
        if not len(test.cuts):
            result = _over_partitions(_Test(test), self._partitions, _added)
            return [] if result is None else [result]
        blocks = (_dask().compute(part)[0] for part in self._partitions)
        return [test(Block.of(block).labels) for block in blocks]

    def close(self, *, finished: bool) -> None:
        """Do nothing: the partitions belong to the user."""


@dataclass(frozen=True)
class _Count:
    """Counts the labels of one partition."""

    options: MiningOptions
    most: int | None

    def __call__(self, k: int, part: object) -> CountedLabels | None:
        counter = LabelCounter(self.options, self.most)
        for block in _blocks(part):
            naming_errors("partition", k, counter.add, naming_errors("partition", k, Block.of, block))
        return None if counter.empty else counter.total()


@dataclass(frozen=True)
class _Test:
    """Tests the labels of one partition."""

    test: LabelTest

    def __call__(self, k: int, part: object) -> LabelTestResult | None:
        return _added([self.test(naming_errors("partition", k, Block.of, block).labels) for block in _blocks(part)])


def _over_partitions(run: Any, parts: list[Any], merge: Callable[[list[Any]], Any]) -> Any:
    """Run a function on all partitions and merge the results as a tree; None if all partitions are empty."""
    dask = _dask()
    level = [dask.delayed(run)(k, part) for k, part in enumerate(parts)]
    fan = budgets.MERGED_TALLIES
    while len(level) > 1:
        level = [dask.delayed(_merged)(merge, level[start : start + fan]) for start in range(0, len(level), fan)]
    return dask.compute(*level)[0] if level else None


def _merged(merge: Callable[[list[Any]], Any], results: list[Any]) -> Any:
    present = [result for result in results if result is not None]
    return merge(present) if present else None


def _added(results: list[LabelTestResult]) -> LabelTestResult | None:
    return reduce(operator.add, results) if results else None


def _blocks(part: object) -> Iterator[Any]:
    """The blocks of a partition: the partition itself, or batches of rows if it is a Parquet file."""
    if not isinstance(part, Path):
        yield part
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(part) as file:
            for batch in file.iter_batches(budgets.PARQUET_BATCH_ROWS):
                yield pa.table(batch)
    except MemoryError:  # also ArrowMemoryError, which says nothing of the file
        raise
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"cannot read {part.name} ({type(error).__name__}): check that it is a Parquet file") from error


def _partitions(labels: object) -> list[Any]:
    if isinstance(labels, list | tuple):
        return [Path(path).absolute() for path in labels]
    # look at the type: a Delayed object claims to have every attribute
    if not hasattr(type(labels), "to_delayed") or getattr(labels, "ndim", 0) != 2:
        raise DataError(
            f"labels are a Dask {type(labels).__name__}: give a Dask array or data frame with two dimensions"
        )
    whole: Any = labels
    delayed = (whole.rechunk({1: -1}) if hasattr(whole, "rechunk") else whole).to_delayed()
    return list(delayed.ravel()) if hasattr(delayed, "ravel") else list(delayed)


def _in_chunks_of(weights: Any, labels: Any) -> Any:
    """The weights in the chunks of the labels, if both are arrays of known chunks."""
    if not hasattr(weights, "rechunk") or not hasattr(labels, "chunks"):
        return weights
    sizes = labels.chunks[0]
    known = not any(isnan(size) for size in (*sizes, *weights.chunks[0]))
    return weights.rechunk({0: sizes}) if known and sum(sizes) == len(weights) else weights


def _dask() -> Any:
    try:
        import dask
    except ImportError as error:
        raise MissingPackageError("dask", "dask", "mining partitions") from error
    return dask
