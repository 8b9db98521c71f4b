"""Compiled linear algebra over GF(2). Importing it loads numba, so import it where it is used."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from unwritten.data import IntArray

WORD = 64


def packed(rows: IntArray) -> Any:
    """For each column the bits of its rows, in words: (r × d) 0/1 becomes d × ⌈r/64⌉ (at least one word)."""
    words = np.zeros((rows.shape[1], max(1, -(-len(rows) // WORD))), np.uint64)
    for r, row in enumerate(rows):
        words[row != 0, r // WORD] |= np.uint64(1 << (r % WORD))
    return words


@njit(cache=True, nogil=True)
def _grows(vector: Any, basis: Any, used: Any) -> bool:
    """Whether a vector over GF(2) is independent of a basis, which then takes it in; `vector` is overwritten."""
    for word in range(len(vector)):
        while vector[word]:
            low = vector[word] & (~vector[word] + np.uint64(1))
            pivot = word * 64
            rest = low
            while rest > np.uint64(1):
                rest >>= np.uint64(1)
                pivot += 1
            if not used[pivot]:
                basis[pivot] = vector
                used[pivot] = True
                return True
            for k in range(word, len(vector)):
                vector[k] ^= basis[pivot, k]
    return False


@njit(cache=True, nogil=True)
def take(codes: Any, order: Any, most: int) -> Any:
    """For each row of column numbers (−1 ends it), take columns in turn while the rank grows, up to `most` of them."""
    bits = codes.shape[1] * 64
    taken = np.zeros((len(order), len(codes)), np.int64)
    basis = np.empty((bits, codes.shape[1]), np.uint64)
    used = np.zeros(bits, np.bool_)
    vector = np.empty(codes.shape[1], np.uint64)
    for i in range(len(order)):
        used[:] = False
        rank = 0
        for j in order[i]:
            if j < 0 or rank == most:
                break
            vector[:] = codes[j]
            if _grows(vector, basis, used):
                taken[i, j] = 1
                rank += 1
    return taken


@njit(cache=True, nogil=True)
def least_rank(codes: Any, starts: Any, columns: Any, enough: int) -> int:
    """The least rank of the columns of any label (label i has columns[starts[i]:starts[i + 1]]), or `enough`.

    It stops at the first label below `enough`, whose rank is returned.
    """
    bits = codes.shape[1] * 64
    basis = np.empty((bits, codes.shape[1]), np.uint64)
    used = np.zeros(bits, np.bool_)
    vector = np.empty(codes.shape[1], np.uint64)
    for i in range(len(starts) - 1):
        used[:] = False
        rank = 0
        for place in range(starts[i], starts[i + 1]):
            vector[:] = codes[columns[place]]
            if _grows(vector, basis, used):
                rank += 1
                if rank == enough:
                    break
        if rank < enough:
            return rank
    return enough
