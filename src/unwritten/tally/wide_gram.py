"""The Gram matrix of wide 0/1 labels: counted on bits or by pairs of ones, in 32-bit integers, half the memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import IntArray


def is_wide(labels: IntArray) -> bool:
    """Whether labels are 0/1 and so many columns that their Gram matrix is counted here."""
    n, width = labels.shape
    return width >= budgets.BYTE_LABEL_COLUMNS and 0 < n < 2**31 and bool(labels.min() >= 0) and bool(labels.max() <= 1)


def wide_gram(labels: IntArray) -> IntArray:
    """The Gram matrix of [labels, 1] for 0/1 labels: how many examples have each two columns, exactly (int32)."""
    n, width = labels.shape
    ones = np.count_nonzero(labels, axis=1)
    words = width * width * n // 128  # that two columns each are compared in
    if budgets.SPARSE_PAIR_WORDS * int((ones**2).sum()) < words:
        return _sparse_gram(labels, ones)
    from unwritten.tally.bit_counts import common_counts

    counts: IntArray = common_counts(_supports(labels))
    return counts


def _sparse_gram(labels: IntArray, ones: IntArray) -> IntArray:
    """The same by pairs of ones, of which there are few where examples are sparse."""
    from scipy.sparse import csr_array

    n, width = labels.shape
    step = max(1, budgets.SPARSE_CHUNK_ENTRIES // width)
    places = [np.nonzero(labels[start : start + step])[1].astype(np.int32) for start in range(0, n, step)]
    columns, starts = np.concatenate(places), np.concatenate([[0], np.cumsum(ones)])
    rows = csr_array((np.ones(len(columns), np.int32), columns, starts), shape=(n, width))
    pairs = (rows.T @ rows).tocoo()
    gram = np.zeros((width + 1, width + 1), np.int32)
    gram[pairs.row, pairs.col] = pairs.data
    gram[-1, :-1] = gram[:-1, -1] = np.diag(gram)[:-1]
    gram[-1, -1] = n
    return np.asarray(gram)


def _supports(labels: IntArray) -> NDArray[np.uint64]:
    """The examples where each column, and a last one that always is, is 1: as 64-bit words (columns × words)."""
    n, width = labels.shape
    words = -(-n // 64)
    packed = np.zeros((width + 1, 8 * words), np.uint8)
    for start in range(0, width, budgets.PACKED_COLUMNS):
        bits = np.packbits(labels[:, start : start + budgets.PACKED_COLUMNS].astype(bool), axis=0, bitorder="little")
        packed[start : start + bits.shape[1], : len(bits)] = bits.T
    packed[width, : -(-n // 8)] = np.packbits(np.ones(n, bool), bitorder="little")
    return packed.view(np.uint64)
