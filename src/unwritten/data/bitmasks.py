"""Sets as the bits of Python integers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unwritten.data.arrays import BoolArray


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
