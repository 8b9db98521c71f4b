"""Cuts of examples in Dask partitions: each partition's cuts stay on the worker that made them and are tested there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import Examples, FloatArray, IntArray, Sense, Variables
from unwritten.data.examples import given_slack
from unwritten.data.products import row_values
from unwritten.errors import DataError, SolverError, UnwrittenError
from unwritten.mining import Cuts
from unwritten.mining.cuts import Judgement, judge, refuse_too_little_slack
from unwritten.mining.sets.set_labels import examples_for_matroids
from unwritten.sources.blocks import Block, naming_errors


class DaskRows:
    """Rows of floats in partitions that a Dask scheduler holds (see `data.halfspaces`).

    Indexing fetches rows; `map_blocks` sends a function to the partitions instead.
    """

    ndim = 2
    dtype = np.dtype(np.float64)

    def __init__(self, dask: Any, partitions: list[Any], sizes: IntArray, width: int) -> None:
        self._dask, self._partitions, self._ends = dask, partitions, np.cumsum(sizes)
        self.shape = (int(sizes.sum()), width)

    def __len__(self) -> int:
        return self.shape[0]

    def map_blocks(self, run: Callable[..., Any], *aligned: FloatArray) -> list[Any]:
        """Call `run(rows, …)` on each partition where it is, with the same rows of the `aligned` arrays."""
        pieces = [np.split(array, self._ends[:-1]) for array in aligned]
        delayed = self._dask.delayed(run)
        tasks = [delayed(rows, *(piece[k] for piece in pieces)) for k, rows in enumerate(self._partitions)]
        return self._results(tasks)

    def __getitem__(self, which: Any) -> FloatArray:
        wanted = np.arange(len(self))[which]
        places = np.atleast_1d(wanted)
        owner = np.searchsorted(self._ends, places, side="right")
        starts = np.concatenate([[0], self._ends[:-1]])
        owners = np.unique(owner).tolist()
        take = self._dask.delayed(np.take)
        tasks = [take(self._partitions[k], places[owner == k] - starts[k], axis=0) for k in owners]
        rows = np.zeros((len(places), self.shape[1]))
        for k, fetched in zip(owners, self._results(tasks), strict=True):
            rows[owner == k] = fetched
        return rows if np.ndim(wanted) else rows[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self[:].astype(dtype or np.float64, copy=False)

    def _results(self, tasks: list[Any]) -> list[Any]:
        try:
            return list(self._dask.compute(*tasks))
        except UnwrittenError:
            raise
        except Exception as error:  # a scheduler, a worker or the network may raise anything
            raise SolverError(
                f"the cuts are in the partitions of a cluster, which failed ({type(error).__name__}): ask while the "
                "cluster runs, or save the model there and load it here"
            ) from error


@dataclass(frozen=True, eq=False)
class _JudgedPartition:
    """The weights of a partition's cuts, and the values and judgements of all its examples."""

    weights: FloatArray
    values: FloatArray
    judgement: Judgement


@dataclass(frozen=True, eq=False)
class _PartitionJudge:
    """Judges the examples of a partition on its worker; `sign` is −1 if the weights are minimised."""

    variables: Variables
    sign: float
    seen: IntArray

    def __call__(self, k: int, labels: object, weights: object, slack: FloatArray | None) -> _JudgedPartition:
        block = naming_errors("partition", k, Block.of, (labels, weights))
        signed = self.sign * np.asarray(block.weights)
        values = row_values(signed, block.labels)
        judgement = judge(signed, values, self.variables, self.seen, slack)
        return _JudgedPartition(signed[judgement.binding], values, judgement)


def dask_cuts(
    dask: Any, pairs: list[tuple[Any, Any]], n: int, variables: Variables, sense: Sense, seen: IntArray, slack: object
) -> Cuts:
    """The cuts of n examples in partitions of (labels, weights)."""
    given = given_slack(slack, n)
    slacks: list[FloatArray | None] = [None] * len(pairs)
    if given is not None:
        lengths = dask.compute(*(dask.delayed(len)(labels) for labels, _ in pairs))
        slacks = list(np.split(given, np.cumsum(lengths)[:-1]))
    judge_one = dask.delayed(_PartitionJudge(variables, 1.0 if sense == "max" else -1.0, seen))
    tasks = [judge_one(k, *pair, own) for k, (pair, own) in enumerate(zip(pairs, slacks, strict=True))]
    partitions = list(dask.persist(*tasks))
    summaries = dask.compute(*(dask.delayed(_without_weights)(partition) for partition in partitions))
    values = np.concatenate([values for values, _ in summaries])
    judgement = Judgement.joined(judgement for _, judgement in summaries)
    refuse_too_little_slack(np.flatnonzero(judgement.too_little), n, sense)
    sizes = np.array([int(one.binding.sum()) for _, one in summaries], np.int64)
    rows = DaskRows(dask, list(dask.persist(*(partition.weights for partition in partitions))), sizes, len(variables))
    weights: Any = rows if len(rows) else np.zeros(rows.shape)
    binding = judgement.binding
    return Cuts(weights, values[binding], judgement.slack[binding], exact=not judgement.slack.any())


def _without_weights(partition: _JudgedPartition) -> tuple[FloatArray, Judgement]:
    return partition.values, partition.judgement


def first_examples(dask: Any, pairs: list[tuple[Any, Any]], variables: Variables, sense: Sense) -> Examples:
    """As many examples as the search for a matroid uses, from the first partitions."""
    most = examples_for_matroids(len(variables))
    labels, weights = np.zeros((0, len(variables)), np.int64), np.zeros((0, len(variables)))
    for pair in pairs:
        block = Block.of(dask.compute(dask.delayed(partial(_head, most=most - len(labels)))(*pair))[0])
        labels = np.concatenate([labels, block.labels])
        weights = np.concatenate([weights, np.asarray(block.weights)])
        if len(labels) >= most:
            break
    return Examples.of(labels, weights, sense=sense, variables=variables)


def _head(labels: Any, weights: Any, most: int) -> tuple[Any, Any]:
    return labels[:most], weights[:most]


def paired_partitions(labels: list[Any], weights: list[Any]) -> list[tuple[Any, Any]]:
    """Each partition of the labels with the partition of its weights."""
    if len(labels) != len(weights):
        raise DataError(
            f"labels have {len(labels)} partitions and weights {len(weights)}: give both in the same partitions"
        )
    return list(zip(labels, weights, strict=True))
