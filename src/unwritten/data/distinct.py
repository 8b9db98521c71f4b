"""Sets of label rows: byte keys that sort as the rows do, and distinct rows with counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data.arrays import BoolArray, IntArray, frozen


def distinct(labels: NDArray[Any], counts: IntArray) -> tuple[NDArray[Any], IntArray]:
    """The distinct rows in lexicographic order, as wide as they came, with their counts added up."""
    _, first, inverse = np.unique(_keys(labels), return_index=True, return_inverse=True)
    totals = np.zeros(len(first), np.int64)
    np.add.at(totals, inverse, counts)
    return frozen(labels[first]), frozen(totals)


def fingerprints(labels: NDArray[Any]) -> NDArray[np.uint64]:
    """A number per row that depends on the row alone and spreads evenly over 64 bits."""
    odd = np.random.default_rng(0).integers(0, 2**63, labels.shape[1], np.uint64) * np.uint64(2) + np.uint64(1)
    mixed = _bit_sums(labels, odd) if _bits(labels) else labels.astype(np.uint64) @ odd
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53), (33, 1)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed)


def _bit_sums(labels: NDArray[Any], numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """labels @ numbers modulo 2⁶⁴ for 0/1 labels: in pieces of the numbers whose sums are exact floats."""
    width = 24 - labels.shape[1].bit_length()  # bits of a piece
    if width < 1:
        return np.asarray(labels.astype(np.uint64) @ numbers)
    shifts = np.arange(0, 64, width, dtype=np.uint64)
    pieces = ((numbers[:, None] >> shifts) & np.uint64(2**width - 1)).astype(np.float32)
    sums = np.zeros(len(labels), np.uint64)
    step = max(1, budgets.FINGERPRINT_ENTRIES // labels.shape[1])
    floats = np.empty((min(step, len(labels)), labels.shape[1]), np.float32)
    for start in range(0, len(labels), step):
        part = floats[: len(labels) - start]
        part[:] = labels[start : start + step]
        sums[start : start + step] = ((part @ pieces).astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64)
    return sums


def among(labels: IntArray, others: IntArray) -> BoolArray:
    """Which rows of `labels` are also rows of `others`."""
    both = _keys(np.concatenate([labels, others]))
    return np.isin(both[: len(labels)], both[len(labels) :])


def _bits(labels: NDArray[Any]) -> bool:
    """Whether all entries are 0 or 1."""
    return bool(labels.size == 0 or (labels.min() >= 0 and labels.max() <= 1))


def _keys(labels: NDArray[Any]) -> NDArray[Any]:
    """One byte string per row that compares as the row does: bits for 0/1 labels, else as many bytes as values need."""
    if _bits(labels):
        packed = np.packbits(labels if labels.itemsize == 1 else labels.astype(bool), axis=1)
    else:
        labels = labels.astype(np.int64, copy=False)
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
