"""Consequences: which rows follow from a system of equalities, decided exactly.

A row `[a, −b]` follows from equalities iff it annihilates every vector `[y, t]` that they annihilate (linear algebra
over the rationals; inequalities and bounds are not used).
"""

from __future__ import annotations

import numpy as np

from unwritten import linalg
from unwritten.data import BoolArray, IntArray


class Consequences:
    """The consequences of equalities, given as rows `[a, −b]`.

    >>> consequences = Consequences(np.array([[1, 1, -1]]))  # y0 + y1 = 1
    >>> consequences.include_equalities(np.array([[2, 2, -2], [1, 0, -1]]))
    array([ True, False])
    >>> consequences.include_inequality(np.array([1, 1, -3]))  # y0 + y1 ≤ 3
    True
    """

    def __init__(self, equalities: IntArray) -> None:
        self._solutions = linalg.kernel(equalities)  # rows that span all [y, t] that the equalities annihilate

    def include_equalities(self, rows: IntArray) -> BoolArray:
        """Which of the equalities `[a, −b]` follow."""
        return np.asarray(~(linalg.exact_product(rows, self._solutions.T) != 0).any(axis=1))

    def include_inequality(self, row: IntArray) -> bool:
        """True if `a·y <= b` follows for the row `[a, −b]`: the equalities fix `a·y` at a value of at most `b`."""
        residual = linalg.exact_product(row[None], self._solutions.T)[0]
        times = self._solutions[:, -1]
        scaled = np.flatnonzero(times)
        if not scaled.size:
            return not (residual != 0).any()
        # Along every solution [y, t] with t > 0, a·y − b·t must be the same non-positive multiple of t.
        k = int(scaled[0])
        proportional = all(
            int(r) * int(times[k]) == int(residual[k]) * int(t) for r, t in zip(residual, times, strict=True)
        )
        return proportional and int(residual[k]) * int(np.sign(times[k])) <= 0
