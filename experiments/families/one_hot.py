"""Labels with one 0/1 column for each value of a variable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unwritten.data import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class OneHot:
    """The names of the columns of each variable, whose values go on from `lower`; one name is a 0/1 variable itself.

    >>> blocks = OneHot((("x=1", "x=2", "x=3"), ("y",)), np.array([1, 0]))
    >>> blocks.encode(np.array([[3, 1]]))
    array([[0, 0, 1, 1]])
    >>> blocks.decode(np.array([[0, 0, 1, 1], [0, 1, 1, 1]]))
    (array([[3, 1], [2, 1]]), array([ True, False]))
    """

    blocks: tuple[tuple[str, ...], ...]
    lower: IntArray

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns."""
        return tuple(name for block in self.blocks for name in block)

    @cached_property
    def _slices(self) -> list[slice]:
        ends = np.cumsum([len(block) for block in self.blocks]).tolist()
        return [slice(end - len(block), end) for end, block in zip(ends, self.blocks, strict=True)]

    def encode(self, values: IntArray) -> IntArray:
        """The labels of some values."""
        labels = np.zeros((len(values), len(self.names)), np.int64)
        for j, columns in enumerate(self._slices):
            block = labels[:, columns]
            if block.shape[1] == 1:
                block[:, 0] = values[:, j]
            else:
                block[:] = values[:, [j]] - self.lower[j] == np.arange(block.shape[1])
        return labels

    def decode(self, labels: IntArray) -> tuple[IntArray, BoolArray]:
        """The values of some labels, and which labels have 0/1 columns with exactly one 1 in each block."""
        values = np.zeros((len(labels), len(self.blocks)), np.int64)
        proper = np.asarray(((labels == 0) | (labels == 1)).all(axis=1))
        for j, columns in enumerate(self._slices):
            block = labels[:, columns]
            if block.shape[1] == 1:
                values[:, j] = block[:, 0]
            else:
                values[:, j] = self.lower[j] + block.argmax(axis=1)
                proper &= block.sum(axis=1) == 1
        return values, proper
