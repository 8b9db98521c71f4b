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


def fingerprints(labels: IntArray) -> NDArray[np.uint64]:
    """A number per row that depends on the row alone and spreads evenly over 64 bits."""
    odd = np.random.default_rng(0).integers(0, 2**63, labels.shape[1], np.uint64) * np.uint64(2) + np.uint64(1)
    mixed = labels.astype(np.uint64) @ odd
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53), (33, 1)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed)


def among(labels: IntArray, others: IntArray) -> BoolArray:
    """Which rows of `labels` are also rows of `others`."""
    both = _keys(np.concatenate([labels, others]))
    return np.isin(both[: len(labels)], both[len(labels) :])


def _keys(labels: IntArray) -> NDArray[Any]:
    """One byte string per row that compares as the row does: bits for 0/1 labels, else as many bytes as values need."""
    if labels.size == 0 or (labels.min() >= 0 and labels.max() <= 1):
        packed = np.packbits(labels.astype(bool), axis=1)
    else:
        low = labels.min(axis=0)
        span = labels.max(axis=0) - low
        widths = np.where(span < 2**8, 1, np.where(span < 2**16, 2, 8))
        ends = np.cumsum(widths)
        packed = np.zeros((len(labels), int(ends[-1])), np.uint8)
        for width, kind in ((1, ">u1"), (2, ">u2"), (8, ">u8")):
            chosen = np.flatnonzero(widths == width)
            parts = (labels[:, chosen] - low[chosen]).astype(kind, order="C").view(np.uint8)
            places = (ends[chosen] - width)[:, None] + np.arange(width)
            packed[:, places.ravel()] = parts.reshape(len(labels), -1)
    return np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
