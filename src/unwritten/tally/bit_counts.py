"""Compiled: for each pair of rows of words, the number of bits that are 1 in both."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

TILE = 64  # rows of words that fit in the cache together


@intrinsic
def _ones(typing: Any, word: Any) -> Any:
    """The number of ones in a 64-bit word, by the machine's own instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@njit(cache=True, nogil=True)
def common_counts(supports: Any) -> Any:
    """Entry (i, j) counts the bits that are 1 in both row i and row j (int32)."""
    width, words = supports.shape
    counts = np.empty((width, width), np.int32)
    for top in range(0, width, TILE):
        for left in range(0, top + 1, TILE):
            for i in range(top, min(top + TILE, width)):
                for j in range(left, min(left + TILE, i + 1)):
                    total = np.uint64(0)
                    for w in range(words):
                        total += _ones(supports[i, w] & supports[j, w])
                    counts[i, j] = total
                    counts[j, i] = total
    return counts
