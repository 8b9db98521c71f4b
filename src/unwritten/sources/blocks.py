"""Blocks: checked labels, with weights or without, as they come from batches and partitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, labels_from, weights_from
from unwritten.errors import DataError, UnwrittenError

T = TypeVar("T")

NARROW_BYTES = 2  # integers of at most this width are never out of range, so they are taken as they are


@dataclass(frozen=True, eq=False)
class Block:
    """Checked labels (integers of any width), the names of their columns, and their weights, if there are any."""

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
        dtype = source.dtype
        if dtype.kind == "b" or (dtype.kind in "iu" and dtype.itemsize <= NARROW_BYTES):
            return source, None
    labels, names = labels_from(source)
    return labels, None if names is None else tuple(names)


def naming_errors(what: str, k: int, run: Callable[..., T], *arguments: Any) -> T:
    """Call `run`; errors name the batch or partition that they came from."""
    try:
        return run(*arguments)
    except DataError as error:
        raise DataError(f"{what} {k}: {error}") from error


def failures_named(batches: Iterator[Any]) -> Iterator[Any]:
    """The same batches; if the user's code that yields them fails, the error says after how many."""
    k = 0
    try:
        for batch in batches:
            k += 1
            yield batch
    except UnwrittenError:
        raise
    except Exception as error:  # whatever the user's own code raises
        raise DataError(
            f"the batches failed after {k} of them ({type(error).__name__}: {error}): correct what yields them; with a "
            "checkpoint, mining goes on from there"
        ) from error
