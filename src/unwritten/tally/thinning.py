"""Thinning: a fair sample of the distinct labels, chosen by a hash of each label.

Level t keeps the labels whose hash begins with t zero bits: one in 2^t. So the sample does not depend on the order of
the data or its division into blocks, and samples of parts can be merged.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import BoolArray, fingerprints

HIGHEST_LEVEL = 63  # a hash has 64 bits; at this level hardly any label is kept


def sampled(labels: NDArray[Any], most: int | None, level: int) -> tuple[BoolArray, int]:
    """Which labels to keep, and the level: `level`, or a higher one if they would hold more than `most` integers."""
    if not level and (most is None or labels.size <= most):
        return np.ones(len(labels), bool), 0
    hashes = fingerprints(labels)
    if most is not None:
        level = level_for(hashes, labels.shape[1], most, level)
    return kept_at(hashes, level), level


def level_for(hashes: NDArray[np.uint64], width: int, most: int, level: int) -> int:
    """The lowest level, from `level` up, at which the distinct labels hold at most `most` integers."""
    while level < HIGHEST_LEVEL and width * len(np.unique(hashes[kept_at(hashes, level)])) > most:
        level += 1
    return level


def kept_at(hashes: NDArray[np.uint64], level: int) -> BoolArray:
    """Which labels are kept at a level, by their hashes."""
    return np.asarray(hashes <= np.uint64(2 ** (64 - level) - 1))
