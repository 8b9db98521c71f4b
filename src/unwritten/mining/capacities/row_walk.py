"""A walk over rows: it visits a row as often as it is likely, given the labels and what pseudo-labels show.

If labels are pseudo-labels of which only those that obey a·y ≤ b are kept, then n labels which all obey it have the
likelihood 1/p^n, where p is the share of pseudo-labels that obey it. So a row is the likelier the fewer pseudo-labels
it allows, and for its coefficients the least right-hand side is the likeliest. No single row is certain: the walk shows
which rows are as good as the best one (Metropolis).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, IntArray
from unwritten.native import kernels

SCALE = 300  # the largest coefficient of a row in a walk
STEPS = 5  # the largest step of one coefficient
GRID = 2.0**40  # factors are rounded to it, so that every CPU walks the same way
TWO = 0.6  # share of the steps of a walk that change two coefficients


@dataclass(frozen=True, eq=False)
class Walk:
    """Rows `[a, b]` that a walk visited (one line each), and the row where it ended."""

    visited: IntArray
    last: IntArray

    @property
    def second_half(self) -> IntArray:
        """The rows of the second half, which hardly depend on where the walk began."""
        return self.visited[len(self.visited) // 2 :]


def walk(
    row: FloatArray | IntArray, columns: IntArray, labels: IntArray, pseudo: IntArray, trials: float, steps: int,
    kept: int, seed: int,
) -> Walk:  # fmt: skip
    """Walk from a row (coefficients of some columns) for so many steps, and keep evenly spaced rows.

    `trials` is the number of labels that count as evidence. The values of a column span less than 256.
    """
    rng = np.random.default_rng(seed)
    changes = rng.integers(-STEPS, STEPS + 1, size=(steps, 2), dtype=np.int32)
    changes[:, 1] *= rng.random(steps) < TWO
    luck = -np.log(1 - rng.random(steps)) / trials
    labels, pseudo = labels[:, columns], pseudo[:, columns]
    least = np.minimum(labels.min(axis=0), pseudo.min(axis=0))
    visited = kernels.walked_rows(
        scaled(row, SCALE),
        np.ascontiguousarray((labels - least).T, np.uint8),
        np.ascontiguousarray((pseudo - least).T, np.uint8),
        rng.integers(len(columns), size=(steps, 2), dtype=np.int32),
        changes,
        np.rint(np.exp(luck) * GRID) / GRID,
        every=max(1, steps // kept),
    )
    visited[:, -1] += visited[:, :-1] @ least
    return Walk(visited, visited[-1])


def scaled(row: FloatArray | IntArray, scale: int) -> NDArray[np.int32]:
    """The coefficients as integers, the largest of which is `scale`."""
    largest = np.abs(row).max(initial=0)
    return np.rint(np.asarray(row, np.float64) * (scale / largest if largest else 0.0)).astype(np.int32)
