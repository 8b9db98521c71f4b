"""Exact products of integer matrices, and the way between numpy and FLINT."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from unwritten.data import IntArray
from unwritten.errors import RangeError

Integers = NDArray[Any]  # int64, or Python integers in an object array


def largest(array: NDArray[Any]) -> int:
    """The largest absolute value, as a Python integer (0 for an empty array)."""
    if array.size == 0:
        return 0
    return max(abs(int(array.max())), abs(int(array.min())))


def exact_product(left: Integers, right: Integers) -> Integers:
    """`left @ right`, exactly: through BLAS while the sums provably fit a float, else in integers, however large."""
    bound = left.shape[-1] * max(1, largest(left)) * max(1, largest(right))
    if bound < 2**24:
        return (left.astype(np.float32) @ right.astype(np.float32)).astype(np.int64)
    if bound < 2**53:
        return (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64)
    if bound < 2**63:
        return left.astype(np.int64) @ right.astype(np.int64)
    return np.asarray(left.astype(object) @ right.astype(object))


def product(left: Integers, right: Integers) -> IntArray:
    """`left @ right` as int64, or a RangeError.

    >>> product(np.array([[2**40, 1]]), np.array([[2**20], [1]]))
    array([[1152921504606846977]])
    """
    return to_int64(exact_product(left, right))


def to_int64(array: Integers) -> IntArray:
    """The same integers as int64, or a RangeError: never a wrapped value."""
    if largest(array) >= 2**63:
        raise RangeError("an exact integer passes 64 bits: rescale the labels, or give more examples than variables")
    return array.astype(np.int64, copy=False)


def annihilates(matrix: IntArray, rows: IntArray) -> bool:
    """Whether matrix · x = 0 for each of the rows x, exactly."""
    if matrix.shape[1] * largest(matrix) * largest(rows) < 2**63:
        return not product(matrix, rows.T).any()
    return not largest(to_numpy(to_flint(matrix) * to_flint(rows).transpose()))


def to_flint(array: Integers) -> fmpz_mat:
    """The same matrix in FLINT."""
    return fmpz_mat(*array.shape, array.ravel().tolist())


def to_numpy(matrix: fmpz_mat) -> Integers:
    """The same matrix in numpy: int64 where it fits, else Python integers."""
    entries = [int(x) for x in matrix.entries()]
    fits = max(map(abs, entries), default=0) < 2**63
    return np.array(entries, np.int64 if fits else object).reshape(matrix.nrows(), matrix.ncols())
