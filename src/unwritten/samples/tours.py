"""Tours: what each thing was worth on a tour, and what was packed under a weight that nobody wrote down."""

from __future__ import annotations

from itertools import product

import numpy as np

from unwritten.data import FloatArray, IntArray

THINGS = {"tent": 3, "stove": 5, "rope": 2, "boat": 7, "pan": 4, "bag": 6, "map": 1, "axe": 5}
MOST_WEIGHT = 14


def names() -> list[str]:
    """Return the names of the things, in the order of the variables."""
    return list(THINGS)


def sample(n: int, seed: int = 0) -> tuple[FloatArray, IntArray]:
    """Draw what things are worth on `n` tours (n × 8), and return it with the best choice that can be carried.

    >>> worth, packed = sample(3)
    >>> packed @ list(THINGS.values()) <= MOST_WEIGHT
    array([ True,  True,  True])
    """
    every = np.array(list(product([0, 1], repeat=len(THINGS))), np.int64)
    possible = every[every @ np.array(list(THINGS.values())) <= MOST_WEIGHT]
    worth = np.random.default_rng(seed).uniform(0, 1, (n, len(THINGS)))
    return worth, possible[(worth @ possible.T).argmax(axis=1)]
