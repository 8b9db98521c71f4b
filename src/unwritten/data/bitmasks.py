"""Sets as the bits of Python integers, or of 64-bit words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from unwritten.data.arrays import BoolArray

WORD_BITS = 64


def bits(mask: int) -> Iterator[int]:
    """The places of the ones of a mask, the lowest first.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(members: BoolArray) -> int:
    """The mask whose bit k is members[k].

    >>> mask_of(np.array([False, True, False, True]))
    10
    """
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")


def column_words(ones: BoolArray) -> NDArray[np.uint64]:
    """Pack each column of a matrix (n × d) into 64-bit words: d × ⌈n/64⌉, at least one word.

    >>> column_words(np.array([[True, False], [True, True]])).tolist()
    [[3], [2]]
    """
    n, d = ones.shape
    padded = np.zeros((d, max(1, -(-n // WORD_BITS)) * WORD_BITS), bool)
    padded[:, :n] = ones.T
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
