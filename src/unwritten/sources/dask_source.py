"""Mining where the labels are: Dask arrays and data frames, and lists of Parquet files.

Every partition is tallied on the machine that it is on, and tallies are merged as a tree; only tallies travel. Whatever
scheduler is active does it (threads, processes, a cluster), and a worker that is lost costs its tasks again.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from math import isnan
from pathlib import Path
from typing import Any

from unwritten import budgets
from unwritten.data import Examples, sense_of
from unwritten.errors import DataError, MissingPackageError
from unwritten.model import Model
from unwritten.sources.assemble import mine_tally
from unwritten.sources.blocks import Block, named
from unwritten.sources.dask_cuts import dask_cuts, paired_partitions
from unwritten.sources.gather import Bounds, Gathered, Gathering
from unwritten.sources.verify import Found, Test, verified

PARQUET = (".parquet", ".pq")


def mine_distributed(
    labels: object,
    weights: object,
    sense: str,
    names: Sequence[str] | None,
    bounds: Bounds | None,
    options: dict[str, Any],
) -> Model:
    """The model of all partitions, the same as of all labels in one place; cuts stay in their partitions."""
    turned = sense_of(sense)
    parts = _partitions(labels)
    found = _mapped(_Tallier(names, bounds, budgets.KEPT_LABEL_ENTRIES), parts, Gathered.merged)
    if found is None:
        raise DataError("labels are empty: give at least one example")
    variables, kept = found.variables(names, bounds), found.tally.minable()
    if weights is None:
        model = mine_tally(Examples.of(kept.seen, sense=sense, variables=variables), kept, **options)
    else:
        pairs = paired_partitions(parts, _partitions(_aligned(weights, labels)))
        made, first = dask_cuts(_dask(), pairs, found.tally.n, variables, turned, kept.seen, options["slack"])
        model = mine_tally(first, kept, **options, cuts=made)
    if found.tally.thinned:
        model = verified(model, found.tally, lambda test: _scan(test, parts), options["slack"])
    return model


def _scan(test: Test, parts: list[Any]) -> list[Found]:
    """What all partitions say; where there are cuts, labels are brought here and cuts are asked where they are."""
    if not len(test.cuts):
        return [found for found in [_mapped(_Tester(test), parts, _added)] if found]
    blocks = (_dask().compute(part)[0] for part in parts)
    return [test(Block.of(block).labels) for block in blocks]


def _aligned(weights: Any, labels: Any) -> Any:
    """Weights in the partitions of the labels, where these are arrays of known chunks."""
    if not hasattr(weights, "rechunk") or not hasattr(labels, "chunks"):
        return weights
    sizes = labels.chunks[0]
    known = not any(isnan(size) for size in (*sizes, *weights.chunks[0]))
    return weights.rechunk({0: sizes}) if known and sum(sizes) == len(weights) else weights


def stays_apart(labels: object, weights: object, options: dict[str, Any]) -> bool:
    """Whether labels, and weights if there are any, are tallied and searched in their partitions."""
    if weights is None:
        return _is_dask(labels) or _are_files(labels)
    return _is_dask(labels) and _is_dask(weights) and not options["symmetries"]


def computed(collection: object) -> Any:
    """All of a Dask collection, in this process; anything else as it is."""
    if _are_files(collection):
        raise DataError("files of labels are mined without weights or noise: read them first, or use mine_stream")
    return collection.compute() if _is_dask(collection) else collection  # type: ignore[attr-defined]


@dataclass(frozen=True)
class _Tallier:
    """The tally of one partition."""

    names: Sequence[str] | None
    bounds: Bounds | None
    most: int | None

    def __call__(self, k: int, part: object) -> Gathered | None:
        work = Gathering(self.names, self.bounds, self.most)
        for block in _blocks(part):
            named("partition", k, work.add, named("partition", k, Block.of, block))
        return None if work.empty else work.total()


@dataclass(frozen=True)
class _Tester:
    """What one partition says of rules."""

    test: Test

    def __call__(self, k: int, part: object) -> Found | None:
        return _added([self.test(named("partition", k, Block.of, block).labels) for block in _blocks(part)])


def _mapped(run: Any, parts: list[Any], merge: Any) -> Any:
    """What a function says of all partitions, merged as a tree; nothing is said of empty ones."""
    dask = _dask()
    level = [dask.delayed(run)(k, part) for k, part in enumerate(parts)]
    while len(level) > 1:
        level = [
            dask.delayed(_some)(merge, level[start : start + budgets.MERGED_TALLIES])
            for start in range(0, len(level), budgets.MERGED_TALLIES)
        ]
    return dask.compute(*level)[0] if level else None


def _some(merge: Any, parts: list[Any]) -> Any:
    there = [part for part in parts if part is not None]
    return merge(there) if there else None


def _added(parts: list[Found]) -> Found | None:
    return reduce(operator.add, parts) if parts else None


def _blocks(part: object) -> Iterator[Any]:
    """The blocks of a partition: itself, or some rows of its file at a time."""
    if not isinstance(part, Path):
        yield part
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(part) as file:
            for batch in file.iter_batches(budgets.PARQUET_BATCH_ROWS):
                yield pa.table(batch)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"cannot read {part.name} ({type(error).__name__}): check that it is a Parquet file") from error


def _partitions(labels: object) -> list[Any]:
    if _are_files(labels):
        return [Path(path).absolute() for path in labels]  # type: ignore[attr-defined]
    if not hasattr(type(labels), "to_delayed") or getattr(labels, "ndim", 0) != 2:  # of the type: a Delayed has all
        raise DataError(
            f"labels are a Dask {type(labels).__name__}: give a Dask array or data frame with two dimensions"
        )
    whole: Any = labels
    delayed = (whole.rechunk({1: -1}) if hasattr(whole, "rechunk") else whole).to_delayed()
    return list(delayed.ravel()) if hasattr(delayed, "ravel") else list(delayed)


def _is_dask(labels: object) -> bool:
    return type(labels).__module__.partition(".")[0] in ("dask", "dask_expr")


def _are_files(labels: object) -> bool:
    return (
        isinstance(labels, list | tuple)
        and len(labels) > 0
        and all(isinstance(path, str | os.PathLike) and Path(path).suffix.lower() in PARQUET for path in labels)
    )


def _dask() -> Any:
    try:
        import dask
    except ImportError as error:
        raise MissingPackageError("dask", "dask", "mining partitions") from error
    return dask
