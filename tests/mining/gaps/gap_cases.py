"""Labels whose differences have gaps, drawn at random."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from unwritten.data import IntArray

EDGES = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 4), (3, 5), (4, 5), (0, 6), (3, 6), (6, 7)]
TIMES = (3, 4, 2)


def colourings(n: int, seed: int = 0, colours: int = 4) -> IntArray:
    """Colours of the vertices of a graph, different at both ends of every edge."""
    drawn = np.random.default_rng(seed).integers(0, colours, (400 * n, 8))
    fine = np.all([drawn[:, i] != drawn[:, j] for i, j in EDGES], axis=0)
    return drawn[fine][:n]


def queens(size: int = 8) -> IntArray:
    """The columns of queens that do not attack each other: all solutions."""
    rows = range(size)
    return np.array(
        [
            place
            for place in permutations(rows)
            if len({place[i] + i for i in rows}) == len({place[i] - i for i in rows}) == size
        ]
    )


def machine(n: int, seed: int = 0, horizon: int = 16) -> IntArray:
    """Start times of three tasks on one machine, which last 3, 4 and 2."""
    drawn = np.random.default_rng(seed).integers(0, horizon, (60 * n, 3))
    fine = np.ones(len(drawn), bool)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        fine &= (drawn[:, i] + TIMES[i] <= drawn[:, j]) | (drawn[:, j] + TIMES[j] <= drawn[:, i])
    return drawn[fine][:n]


def distances(n: int, seed: int = 0) -> IntArray:
    """Two numbers that are never 2 apart, and a third that is free."""
    drawn = np.random.default_rng(seed).integers(0, 7, (4 * n, 3))
    return drawn[np.abs(drawn[:, 0] - drawn[:, 1]) != 2][:n]
