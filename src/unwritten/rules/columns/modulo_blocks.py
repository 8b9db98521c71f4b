"""The shortest form of a row, modulo "exactly one" of each one-hot block."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unwritten import linalg
from unwritten.data import IntArray


def modulo_blocks(rows: IntArray, blocks: Sequence[IntArray]) -> IntArray:
    """The rows with multiples of "exactly one of the block" subtracted, so that as few entries as possible are left.

    What a row says does not change, but the price of naming it does, and so does its evidence.
    """
    if not blocks or not len(rows):
        return rows
    short = rows.copy()
    for row in short:
        for block in blocks:
            values, counts = np.unique(row[block], return_counts=True)
            commonest = int(values[counts.argmax()])
            if counts.max() > (row[block] == 0).sum():
                row[block] -= commonest
                row[-1] += commonest
    return linalg.canonical(short)
