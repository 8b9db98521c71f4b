"""Distinct labels: rows compared through byte keys, counted and fingerprinted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data.arrays import BoolArray, IntArray, LabelArray, frozen


def distinct(labels: LabelArray, counts: IntArray) -> tuple[LabelArray, IntArray]:
    """Return the distinct rows in lexicographic order, in the labels' own integer type, with their counts added up."""
    _, first, inverse = np.unique(_keys(labels), return_index=True, return_inverse=True)
    totals = np.zeros(len(first), np.int64)
    np.add.at(totals, inverse, counts)
    return frozen(labels[first]), frozen(totals)


def fingerprints(labels: LabelArray) -> NDArray[np.uint64]:
    """Return one number per row that depends on the row alone and spreads evenly over 64 bits."""
    factors = _factors(labels.shape[1])
    mixed = _binary_product(labels, factors) if _is_binary(labels) else labels.astype(np.uint64) @ factors
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53), (33, 1)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed)


def _binary_product(labels: LabelArray, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return labels @ numbers modulo 2⁶⁴ for 0/1 labels, through BLAS.

    The numbers are cut into pieces of so few bits that every sum of pieces is exact in 32-bit floats.
    """
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


def among(labels: LabelArray, others: LabelArray) -> BoolArray:
    """Return a mask of the rows of `labels` that are also rows of `others`."""
    both = _keys(np.concatenate([labels, others]))
    return np.isin(both[: len(labels)], both[len(labels) :])


def unique_rows(array: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Return the first place of each distinct row, and for every row the number of its distinct row.

    Rows are distinct if their bytes are. Their entries have 64 bits. If all rows are distinct, they keep their order.
    """
    rows = np.ascontiguousarray(array)
    places = np.arange(len(rows))
    if len(rows) == 1 or len(np.unique(rows.view(np.uint64) @ _factors(rows.shape[1]))) == len(rows):
        return places, places
    keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return (places, places) if len(first) == len(rows) else (first, inverse)


def _factors(width: int) -> NDArray[np.uint64]:
    """Return odd random numbers of 64 bits, always the same."""
    return np.random.default_rng(0).integers(0, 2**63, width, np.uint64) * np.uint64(2) + np.uint64(1)


def _is_binary(labels: LabelArray) -> bool:
    return bool(labels.size == 0 or (labels.min() >= 0 and labels.max() <= 1))


def _keys(labels: LabelArray) -> NDArray[Any]:
    """Return one byte string per row; the strings sort as the rows do.

    0/1 labels take one bit per entry, other labels as many bytes per column as its range needs.
    """
    if _is_binary(labels):
        packed = np.packbits(labels if labels.itemsize == 1 else labels.astype(bool), axis=1)
    else:
        labels = labels.astype(np.int64, copy=False)
        low = labels.min(axis=0)
        span = labels.max(axis=0) - low
        widths = np.where(span < 2**8, 1, np.where(span < 2**16, 2, 8))
        ends = np.cumsum(widths)
        packed = np.zeros((len(labels), int(ends[-1])), np.uint8)
        for width, dtype in ((1, ">u1"), (2, ">u2"), (8, ">u8")):
            columns = np.flatnonzero(widths == width)
            parts = (labels[:, columns] - low[columns]).astype(dtype, order="C").view(np.uint8)
            places = (ends[columns] - width)[:, None] + np.arange(width)
            packed[:, places.ravel()] = parts.reshape(len(labels), -1)
    return np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
