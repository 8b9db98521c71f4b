"""Exact products of integer matrices, and conversions between numpy and FLINT."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from unwritten.data import IntArray
from unwritten.errors import RangeError

Integers = NDArray[Any]
"""Integers of any numpy type, or Python integers of any size in an array of objects."""


def largest(array: NDArray[Any]) -> int:
    """Return the largest absolute value as a Python integer, 0 for an empty array."""
    if array.size == 0:
        return 0
    return max(abs(int(array.max())), abs(int(array.min())))


def exact_product(left: Integers, right: Integers) -> Integers:
    """Return `left @ right`, exactly: through BLAS if all sums surely fit a float, else in integers of any size."""
    bound = left.shape[-1] * max(1, largest(left)) * max(1, largest(right))
    if bound < 2**24:
        return (left.astype(np.float32) @ right.astype(np.float32)).astype(np.int64)
    if bound < 2**53:
        return (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64)
    if bound < 2**63:
        return left.astype(np.int64) @ right.astype(np.int64)
    return np.asarray(left.astype(object) @ right.astype(object))


def product(left: Integers, right: Integers) -> IntArray:
    """Return `left @ right` as int64, or raise a RangeError if an entry does not fit.

    >>> product(np.array([[2**40, 1]]), np.array([[2**20], [1]]))
    array([[1152921504606846977]])
    """
    return to_int64(exact_product(left, right))


def to_int64(array: Integers) -> IntArray:
    """Return the same integers as int64, or raise a RangeError if one does not fit; no value ever wraps around."""
    if largest(array) >= 2**63:
        raise RangeError(
            "an exact integer does not fit into 64 bits: rescale the labels, or give more examples than variables"
        )
    return array.astype(np.int64, copy=False)


def annihilates(matrix: IntArray, rows: IntArray) -> bool:
    """Return whether matrix · x = 0, exactly, for each row x of `rows`."""
    if matrix.shape[1] * largest(matrix) * largest(rows) < 2**63:
        return not product(matrix, rows.T).any()
    return not largest(to_numpy(to_flint(matrix) * to_flint(rows).transpose()))


def to_flint(array: Integers) -> fmpz_mat:
    """Return the same matrix in FLINT."""
    return fmpz_mat(*array.shape, array.ravel().tolist())


def to_numpy(matrix: fmpz_mat) -> Integers:
    """Return the same matrix in numpy, as int64 if every entry fits, else as Python integers."""
    entries = [int(x) for x in matrix.entries()]
    fits = max(map(abs, entries), default=0) < 2**63
    return np.array(entries, np.int64 if fits else object).reshape(matrix.nrows(), matrix.ncols())
