"""Connected regions of the cells of a square grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator


def regions(size: int, sizes: Sequence[int], rng: Generator) -> list[list[int]]:
    """Draw regions of these sizes that do not overlap, each grown cell by cell; begin again if one cannot grow.

    A region begins at the first free cell if all regions together fill the grid, and anywhere if not.
    """
    full = sum(sizes) == size * size
    while True:
        free, drawn = set(range(size * size)), []
        for wanted in sizes:
            region = _grown(size, wanted, free, min(free) if full else int(rng.choice(sorted(free))), rng)
            free -= set(region)
            drawn.append(sorted(region))
        if [len(region) for region in drawn] == list(sizes):
            return drawn


def _grown(size: int, wanted: int, free: set[int], start: int, rng: Generator) -> list[int]:
    region = [start]
    while len(region) < wanted:
        border = sorted({near for cell in region for near in _near(cell, size)} & free - set(region))
        if not border:
            break
        region.append(int(rng.choice(np.array(border))))
    return region


def _near(cell: int, size: int) -> list[int]:
    """The cells above, below, left and right."""
    i, j = divmod(cell, size)
    places = ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
    return [size * a + b for a, b in places if 0 <= a < size and 0 <= b < size]
