"""The integer Gram matrix of [labels, 1], computed with floats if they provably hold every sum exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets, linalg
from unwritten.data import IntArray


def gram_of(labels: NDArray[Any]) -> IntArray:
    """The integer Gram matrix of [labels, 1].

    0/1 columns, which are the most common ones, are multiplied as 32-bit floats; other columns may need 64 bits.
    """
    if not labels.size or (labels.min() >= 0 and labels.max() <= 1):
        return _gram_of_bits(labels)
    bordered = np.column_stack([labels, np.ones(len(labels), np.int64)])
    span = np.maximum(np.abs(bordered.max(axis=0)), np.abs(bordered.min(axis=0)))
    integers = np.flatnonzero(span > 1)
    if len(integers) > len(span) // 2 or len(labels) >= 2**24:
        return linalg.product(bordered.T, bordered)
    binary = np.flatnonzero(span <= 1)
    gram = np.zeros((len(span), len(span)), np.int64)
    floats = bordered[:, binary].astype(np.float32)
    gram[np.ix_(binary, binary)] = (floats.T @ floats).astype(np.int64)  # exact: fewer than 2²⁴ rows
    rest = linalg.product(bordered[:, integers].T, bordered)
    gram[integers], gram[:, integers] = rest, rest.T
    return gram


def gram_of_counted(seen: IntArray, counts: IntArray) -> IntArray:
    """The Gram matrix of labels that are repeated by their counts."""
    bordered = np.column_stack([seen, np.ones(len(seen), np.int64)])
    return linalg.product((bordered * counts[:, None]).T, bordered)


def _gram_of_bits(labels: NDArray[Any]) -> IntArray:
    """The Gram matrix of 0/1 labels, in chunks of rows that are small enough for a 32-bit float to count exactly.

    The counts of the chunks are added as 64-bit integers.
    """
    width = labels.shape[1] + 1
    step = max(1, budgets.GRAM_CHUNK_ENTRIES // width)
    gram = np.zeros((width, width), np.int64)
    floats, counts = np.ones((min(step, len(labels)), width), np.float32), np.empty((width, width), np.float32)
    for start in range(0, len(labels), step):  # reuses the same memory: fresh pages cost a tenth of the time
        part = floats[: len(labels) - start]
        part[:, :-1] = labels[start : start + step]
        np.add(gram, np.matmul(part.T, part, out=counts), out=gram, casting="unsafe")
    return gram
