"""Sets of label rows: byte keys that sort as the rows do, and distinct rows with counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.data.arrays import BoolArray, IntArray, frozen


def distinct(labels: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    """The distinct rows in lexicographic order, with their counts added up."""
    _, first, inverse = np.unique(_keys(labels), return_index=True, return_inverse=True)
    totals = np.zeros(len(first), np.int64)
    np.add.at(totals, inverse, counts)
    return frozen(labels[first]), frozen(totals)


def among(labels: IntArray, others: IntArray) -> BoolArray:
    """Which rows of `labels` are also rows of `others`."""
    both = _keys(np.concatenate([labels, others]))
    return np.isin(both[: len(labels)], both[len(labels) :])


def _keys(labels: IntArray) -> NDArray[Any]:
    """One byte string per row that compares as the row does: bits for 0/1 labels, else big-endian words."""
    if labels.size == 0 or (labels.min() >= 0 and labels.max() <= 1):
        packed = np.packbits(labels.astype(bool), axis=1)
    else:
        packed = (labels ^ np.int64(-(2**63))).astype(">i8").view(np.uint8)
    return np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
