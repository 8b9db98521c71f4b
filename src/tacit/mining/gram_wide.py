"""The Gram matrix of wide 0/1 labels: counted on bits, in 32-bit integers, half the memory of the usual one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.data import IntArray

WIDE = 8_192  # columns; below, the product of floats is as fast and 64-bit integers are no burden
BLOCK = 1_024  # columns packed at once


def is_wide(labels: IntArray) -> bool:
    """Whether labels are 0/1 and so many columns that their Gram matrix is counted here."""
    n, width = labels.shape
    return width >= WIDE and 0 < n < 2**31 and bool(labels.min() >= 0) and bool(labels.max() <= 1)


def wide_gram(labels: IntArray) -> IntArray:
    """The Gram matrix of [labels, 1] for 0/1 labels: how many examples have each two columns, exactly (int32)."""
    from tacit.mining.bit_counts import common_counts

    counts: IntArray = common_counts(_supports(labels))
    return counts


def _supports(labels: IntArray) -> NDArray[np.uint64]:
    """The examples where each column, and a last one that always is, is 1: as 64-bit words (columns × words)."""
    n, width = labels.shape
    words = -(-n // 64)
    packed = np.zeros((width + 1, 8 * words), np.uint8)
    for start in range(0, width, BLOCK):
        bits = np.packbits(labels[:, start : start + BLOCK].astype(bool), axis=0, bitorder="little")
        packed[start : start + bits.shape[1], : len(bits)] = bits.T
    packed[width, : -(-n // 8)] = np.packbits(np.ones(n, bool), bitorder="little")
    return packed.view(np.uint64)
