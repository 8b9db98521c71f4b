"""One row that keeps seen labels and excludes others, with the widest margin: a support vector machine.

The squared hinge is minimised by Newton steps. The sums over labels are sums of integers, and a row is rounded to a
fine grid after every step, so that all products are exact: the result has the same bits on every machine.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import FloatArray

GRID = 2.0**30
HALVINGS = 12


def separated(row: FloatArray, points: FloatArray, costs: FloatArray, regular: FloatArray, steps: int) -> FloatArray:
    """Minimise ½ Σ regular·x² + ½ Σ costs·max(0, 1 − points·x)² over rows x, by at most so many steps from `row`.

    `points` are bordered labels with their signs: a point is on its side if the product is at least 1.
    """
    value, short = _value(row, points, costs, regular)
    for _ in range(steps):
        active = short > 0
        own, weighted = points[active], points[active] * costs[active, None]
        target = solved(own.T @ weighted + np.diag(regular), weighted.sum(axis=0))
        step = 1.0
        for _ in range(HALVINGS):
            new = np.rint((row + step * (target - row)) * GRID) / GRID
            new_value, new_short = _value(new, points, costs, regular)
            if new_value < value:
                break
            step /= 2
        if not new_value < value * (1 - 1e-7):
            break
        row, value, short = new, new_value, new_short
    return row


def _value(row: FloatArray, points: FloatArray, costs: FloatArray, regular: FloatArray) -> tuple[float, FloatArray]:
    short = np.maximum(0.0, 1.0 - points @ row)
    return float((regular * row * row).sum() + (costs * short * short).sum()), short


def solved(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """Solve a positive definite system by elimination, in an order of operations that no library changes."""
    system = np.column_stack([matrix, right])
    for k in range(len(matrix)):
        pivot = system[k] / system[k, k]
        system -= system[:, k, None] * pivot
        system[k] = pivot
    return system[:, -1]
