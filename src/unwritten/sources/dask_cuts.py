"""Far cuts: of examples in partitions, each partition's cuts stay where they are, and are searched there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import Examples, FloatArray, IntArray, Sense, Variables
from unwritten.errors import DataError, SolverError, UnwrittenError
from unwritten.mining import Cuts
from unwritten.mining.cuts import judged, refuse_short, slack_of
from unwritten.mining.sets.set_labels import examples_for_matroids
from unwritten.sources.blocks import Block, naming_errors


class FarRows:
    """Rows of floats in partitions that a Dask scheduler holds (see `data.halfspaces`)."""

    ndim = 2
    dtype = np.dtype(np.float64)

    def __init__(self, dask: Any, parts: list[Any], sizes: IntArray, width: int) -> None:
        self._dask, self._parts, self._ends = dask, parts, np.cumsum(sizes)
        self.shape = (int(sizes.sum()), width)

    def __len__(self) -> int:
        return self.shape[0]

    def over_rows(self, run: Callable[..., Any], *beside: FloatArray) -> list[Any]:
        """`run(rows, …)` of each partition, where it is."""
        pieces = [np.split(array, self._ends[:-1]) for array in beside]
        tasks = [self._dask.delayed(run)(part, *(piece[k] for piece in pieces)) for k, part in enumerate(self._parts)]
        return self._computed(tasks)

    def __getitem__(self, which: Any) -> FloatArray:
        places = np.arange(len(self))[which]
        some = np.atleast_1d(places)
        owner = np.searchsorted(self._ends, some, side="right")
        rows = np.zeros((len(some), self.shape[1]))
        starts = np.concatenate([[0], self._ends[:-1]])
        used = np.unique(owner).tolist()
        take = self._dask.delayed(np.take)
        tasks = [take(self._parts[k], some[owner == k] - starts[k], axis=0) for k in used]
        for k, found in zip(used, self._computed(tasks), strict=True):
            rows[owner == k] = found
        return rows if np.ndim(places) else rows[0]

    def _computed(self, tasks: list[Any]) -> list[Any]:
        try:
            return list(self._dask.compute(*tasks))
        except UnwrittenError:
            raise
        except Exception as error:  # whatever a scheduler, a worker or the network may raise
            raise SolverError(
                f"the cuts are in the partitions of a cluster, which failed ({type(error).__name__}): ask while the "
                "cluster runs, or save the model there and load it here"
            ) from error

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self[:].astype(dtype or np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class _Part:
    """What one partition says: the weights of its cuts, and of every example its value and what was judged of it."""

    weights: FloatArray
    values: FloatArray
    slack: FloatArray
    binding: NDArray[np.bool_]
    short: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Judge:
    variables: Variables
    sign: float
    seen: IntArray

    def __call__(self, k: int, labels: object, weights: object, slack: FloatArray | None) -> _Part:
        block = naming_errors("partition", k, Block.of, (labels, weights))
        turned = self.sign * np.asarray(block.weights)
        values = np.einsum("ij,ij->i", turned, block.labels.astype(np.float64))
        found = judged(turned, values, self.variables, self.seen, slack)
        return _Part(turned[found.binding], values, found.slack, found.binding, found.short)


def far_cuts(
    dask: Any, pairs: list[tuple[Any, Any]], n: int, variables: Variables, sense: Sense, seen: IntArray, slack: object
) -> Cuts:
    """The cuts of partitions of (labels, weights)."""
    given = slack_of(slack, n)
    slacks: list[FloatArray | None] = [None] * len(pairs)
    if given is not None:
        lengths = dask.compute(*(dask.delayed(len)(labels) for labels, _ in pairs))
        slacks = list(np.split(given, np.cumsum(lengths)[:-1]))
    judge = dask.delayed(_Judge(variables, 1.0 if sense == "max" else -1.0, seen))
    made = [judge(k, *pair, own) for k, (pair, own) in enumerate(zip(pairs, slacks, strict=True))]
    kept = list(dask.persist(*made))
    told = dask.compute(*(dask.delayed(_told)(part) for part in kept))
    values, need, binding, short = (np.concatenate(parts) for parts in zip(*told, strict=True))
    refuse_short(np.flatnonzero(short), n, sense)
    sizes = np.array([int(part[2].sum()) for part in told], np.int64)
    rows = FarRows(dask, list(dask.persist(*(part.weights for part in kept))), sizes, len(variables))
    weights: Any = rows if len(rows) else np.zeros(rows.shape)
    return Cuts(weights, values[binding], need[binding], exact=not need.any())


def _told(part: _Part) -> tuple[Any, ...]:
    return part.values, part.slack, part.binding, part.short


def first_examples(dask: Any, pairs: list[tuple[Any, Any]], variables: Variables, sense: Sense) -> Examples:
    """The first examples of the partitions, as many as the matroid miner looks at."""
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


def side_by_side(labels: list[Any], weights: list[Any]) -> list[tuple[Any, Any]]:
    """Each partition of the labels with its weights."""
    if len(labels) != len(weights):
        raise DataError(
            f"labels have {len(labels)} partitions and weights {len(weights)}: give both in the same partitions"
        )
    return list(zip(labels, weights, strict=True))
