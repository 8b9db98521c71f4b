"""The kernels of one mining run: what was computed from all labels is not computed again without a few of them.

The near-rules of the gate are what a miner finds without one fold of the labels. Fewer labels obey at least as many
equalities as all of them, and mostly the same ones. Rows that span a kernel of the same dimension, and that hold on the
labels at hand, span the kernel of these labels too.
"""

from __future__ import annotations

from collections.abc import Callable

from unwritten.data import IntArray
from unwritten.linalg.exact import annihilates


class KernelMemory:
    """Remembers, for columns and the rows known of them, the rows that together with these span a kernel."""

    def __init__(self) -> None:
        self._spanning: dict[tuple[bytes, bytes], list[IntArray]] = {}

    def rows(
        self, columns: IntArray, gram: IntArray, known: IntArray, missing: int, make: Callable[[], IntArray]
    ) -> IntArray:
        """Return `missing` rows that span the kernel of `gram` with the known ones; `make` makes them if need be.

        `gram` is the Gram matrix of these columns and of the constant 1.
        """
        remembered = self._spanning.setdefault((columns.tobytes(), known.tobytes()), [])
        for rows in remembered:
            if len(rows) == missing and annihilates(gram, rows):
                return rows
        remembered.append(make())
        return remembered[-1]
