"""The arrays of a saved model: each is checked when it is taken, and each must be taken."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import FormatError
from unwritten.tables.quoting import shown


class SavedArrays:
    """The arrays of a file, each of which is checked when it is taken."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._arrays, self._left = arrays, set(arrays)

    def length(self, name: str) -> int:
        """The number of rows of an array."""
        return len(self._present(name, 1))

    def columns(self, name: str) -> int:
        """The number of columns of an array."""
        return int(self._present(name, 2).shape[1])

    def integers(self, name: str, *shape: int) -> IntArray:
        """The integers of an array; none is the one integer whose negative does not fit into 64 bits."""
        array = self._typed(name, np.int64, shape)
        if (array == -(2**63)).any():
            raise FormatError(f"the file's array {name} has an impossible number: save the model again")
        return array

    def flags(self, name: str, *shape: int) -> BoolArray:
        """The truth values of an array."""
        return self._typed(name, np.bool_, shape)

    def numbers(self, name: str, *shape: int, largest: float) -> FloatArray:
        """The numbers of an array, which are finite and at most `largest` on both sides of 0."""
        array = self._typed(name, np.float64, shape)
        if not (np.abs(array) <= largest).all():
            raise FormatError(f"the file's array {name} has numbers that are too large: save the model again")
        return array

    def require_all_used(self) -> None:
        """Refuse arrays that no part of the model has taken."""
        if self._left:
            raise FormatError(f"the file has an array {shown(min(self._left))} of no use: save the model again")

    def _present(self, name: str, dimensions: int) -> NDArray[Any]:
        if name not in self._arrays or self._arrays[name].ndim < dimensions:
            raise FormatError(f"the file lacks the array {name}, or it has too few dimensions: save the model again")
        return self._arrays[name]

    def _typed(self, name: str, dtype: type[np.generic], shape: tuple[int, ...]) -> NDArray[Any]:
        array = self._present(name, len(shape))
        if array.dtype != dtype or array.shape != shape:
            raise FormatError(f"the file's array {name} has a wrong type or shape: save the model again")
        self._left.discard(name)
        return array
