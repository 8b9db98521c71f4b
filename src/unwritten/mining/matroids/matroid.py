"""Binary matroids: the sets of columns that are independent in a 0/1 matrix over GF(2).

The greedy algorithm finds the best basis for every query: take columns by weight while the rank grows. On spanning
trees the matrix has a row for every node but one, its star of edges, and greedy is Kruskal's algorithm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.data.bitmasks import column_words
from unwritten.native import kernels


@dataclass(frozen=True, eq=False, repr=False)
class Matroid:
    """A binary matroid. The rows of its matrix are `cocircuits` (R × d): every basis has a column of each of them."""

    cocircuits: IntArray
    rank: int

    @cached_property
    def _codes(self) -> NDArray[np.uint64]:
        """The columns of the matrix as bits in words."""
        return column_words(self.cocircuits != 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matroid) and np.array_equal(self.cocircuits, other.cocircuits)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Matroid({self.text})"

    @property
    def text(self) -> str:
        """The structure in words."""
        return f"every label is a spanning set of {self.rank} cuts, with no redundant element (a basis of a matroid)"

    def _take(self, order: IntArray, most: int) -> IntArray:
        """For each row of columns, take columns in turn while the rank grows, up to `most` of them (m × d, 0/1)."""
        return kernels.take(self._codes, np.ascontiguousarray(order, np.int64), most)

    def rank_of(self, columns: IntArray) -> int:
        """The rank of a set of columns: the size of its largest independent subset."""
        return int(self._take(np.atleast_2d(columns), self.rank).sum())

    def independent(self, columns: IntArray) -> bool:
        """True if the columns are independent: their rank is their number."""
        return self.rank_of(columns) == len(columns)

    def is_basis(self, labels: IntArray) -> BoolArray:
        """Which labels (m × d) are bases."""
        result: BoolArray = ((labels == 0) | (labels == 1)).all(axis=1) & (labels.sum(axis=1) == self.rank)
        chosen = np.nonzero(labels[result])[1].reshape(-1, self.rank)
        result[result] = self._take(chosen, self.rank).sum(axis=1) == self.rank
        return result

    def greedy(self, weights: FloatArray) -> IntArray:
        """The basis of greatest weight for each row of weights (m × d)."""
        return self._take(np.argsort(-weights, axis=1, kind="stable"), self.rank)

    def closure(self, columns: IntArray) -> IntArray:
        """All columns that do not raise the rank of the given columns."""
        rank = self.rank_of(columns)
        width = self.cocircuits.shape[1]
        order = np.column_stack([np.tile(columns, (width, 1)), np.arange(width)])
        return np.flatnonzero(self._take(order, self.rank + 1).sum(axis=1) == rank)

    def violated(self, label: IntArray) -> list[tuple[IntArray, int]]:
        """Rows Σ y_S ≤ r(S) that a 0/1 label breaks, as (S, r(S)), the shortest first: closed circuits of the label.

        An independent label breaks no such row; `missed` finds what an independent label that is too small lacks.
        """
        columns = np.flatnonzero(label)
        rows: dict[bytes, tuple[IntArray, int]] = {}
        for shift in range(0, len(columns), max(1, len(columns) // budgets.MATROID_ROTATIONS)):
            for circuit in self._circuits(np.roll(columns, -shift)):
                closed = self.closure(circuit)
                rows[closed.tobytes()] = closed, len(circuit) - 1
        return sorted(rows.values(), key=lambda row: (len(row[0]), row[0].tolist()))

    def _circuits(self, columns: IntArray) -> Iterator[IntArray]:
        """For each column that depends on the columns before it, the circuit that it closes."""
        in_basis = self._take(columns[None], self.rank)[0]
        basis = columns[in_basis[columns] == 1]
        for column in columns[in_basis[columns] == 0]:
            # a member of the basis is in the circuit if the other members, with the column, still have full rank
            order = np.array([[*np.delete(basis, k), column] for k in range(len(basis))], np.int64)
            ranks = self._take(order.reshape(len(basis), len(basis)), self.rank).sum(axis=1)
            yield np.append(basis[ranks == len(basis)], column)

    def missed(self, label: IntArray) -> list[IntArray]:
        """Covers in which a 0/1 label of too low a rank has no column; the shortest first."""
        columns = np.flatnonzero(label)
        absent = np.flatnonzero(label == 0)
        rows: dict[bytes, IntArray] = {}
        if self.rank_of(columns) == self.rank:
            return []
        for shift in range(0, len(absent), max(1, len(absent) // budgets.MATROID_ROTATIONS)):
            order = np.concatenate([columns, np.roll(absent, -shift)])
            hyperplane = self.closure(np.flatnonzero(self._take(order[None], self.rank - 1)[0]))
            cover = np.setdiff1d(np.arange(len(label)), hyperplane)
            rows[cover.tobytes()] = cover
        return sorted(rows.values(), key=lambda row: (len(row), row.tolist()))
