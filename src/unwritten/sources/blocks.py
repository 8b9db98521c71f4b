"""Batches: blocks of labels, with weights or without, from wherever they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, labels_from, weights_from
from unwritten.errors import DataError

Batches = Iterable[Any] | Callable[[], Iterable[Any]]
T = TypeVar("T")

NARROW = 2  # bytes of integers that are taken as they are: no value of theirs is out of range


@dataclass(frozen=True, eq=False)
class Block:
    """Checked labels (integers of any width), the names of their columns and their weights, where there are any."""

    labels: NDArray[Any]
    names: tuple[str, ...] | None = None
    weights: FloatArray | None = None

    @classmethod
    def of(cls, batch: object) -> Block:
        """Read labels, or a tuple (labels, weights); arrays of narrow integers are not copied."""
        source, weights = batch, None
        if isinstance(batch, tuple):
            if len(batch) != 2:
                raise DataError("a batch is a block of labels, or a tuple (labels, weights): give one of these")
            source, weights = batch
        labels, names = _labels(source)
        if weights is None:
            return cls(labels, names)
        checked = weights_from(weights, labels.shape[1], order=names)
        if len(checked) != len(labels):
            raise DataError(
                f"there are {len(labels)} labels but {len(checked)} rows of weights: give one row of weights per label"
            )
        return cls(labels, names, checked)


def _labels(source: object) -> tuple[NDArray[Any], tuple[str, ...] | None]:
    if type(source) is np.ndarray and source.ndim == 2 and source.shape[1] > 0:
        kind = source.dtype
        if kind.kind == "b" or (kind.kind in "iu" and kind.itemsize <= NARROW):
            return source, None
    labels, names = labels_from(source)
    return labels, None if names is None else tuple(names)


def opened(batches: Batches) -> Iterator[Any]:
    """A pass over the batches."""
    found = batches() if callable(batches) else batches
    if isinstance(found, str | bytes) or not isinstance(found, Iterable):
        raise DataError(f"batches are of type {type(found).__name__}: give blocks of labels, one after the other")
    return iter(found)


def named(what: str, k: int, run: Callable[..., T], *arguments: Any) -> T:
    """What a function returns; its complaints say of which batch."""
    try:
        return run(*arguments)
    except DataError as error:
        raise DataError(f"{what} {k}: {error}") from error
