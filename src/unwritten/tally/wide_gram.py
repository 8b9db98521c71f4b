"""The Gram matrix of wide 0/1 labels in 32-bit integers, counted on bits or by pairs of ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.data.bitmasks import column_words
from unwritten.native import kernels


def counts_bits(labels: NDArray[Any]) -> bool:
    """True if labels are 0/1 and have enough columns for their Gram matrix to be counted by `gram_of_wide`."""
    n, width = labels.shape
    wide = width >= budgets.BYTE_LABEL_COLUMNS and 0 < n < 2**31
    return wide and bool(labels.min() >= 0) and bool(labels.max() <= 1)


def gram_of_wide(labels: NDArray[Any]) -> IntArray:
    """The Gram matrix of [labels, 1] for 0/1 labels: how many examples have both columns of each pair (int32)."""
    n, width = labels.shape
    ones = np.count_nonzero(labels, axis=1)
    words = width * width * n // 128  # 64-bit words that a comparison of all pairs of columns reads
    if budgets.SPARSE_PAIR_WORDS * int((ones**2).sum()) < words:
        return _gram_of_sparse(labels, ones)
    counts: NDArray[Any] = kernels.common_counts(_supports(labels))
    return counts


def _gram_of_sparse(labels: NDArray[Any], ones: IntArray) -> IntArray:
    """The Gram matrix, counted by the pairs of ones in each label; sparse labels have few such pairs."""
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


def _supports(labels: NDArray[Any]) -> NDArray[np.uint64]:
    """The examples in which each column is 1, and a last column that always is, as 64-bit words (columns × words)."""
    n, width = labels.shape
    always = column_words(np.ones((n, 1), bool))
    supports = np.empty((width + 1, always.shape[1]), np.uint64)
    for start in range(0, width, budgets.PACKED_COLUMNS):
        block = slice(start, min(start + budgets.PACKED_COLUMNS, width))
        supports[block] = column_words(labels[:, block] != 0)
    supports[width] = always
    return supports
