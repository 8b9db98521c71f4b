"""Echelon forms of large matrices modulo a prime of 31 bits, through BLAS.

Residues are stored as floats between −p/2 and p/2. A product of two matrices splits the entries of the left one into a
high and a low half and adds up at most `EXACT_TERMS` terms at a time. No sum then exceeds 2⁵³, so every float is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, IntArray

EXACT_TERMS = 128
STRIP = 256  # rows that are updated at once, so that they stay in the processor's cache
HALF = 65536.0
NARROW = 16  # columns (or rows) up to which a block is not halved further


class Echelon:
    """The echelon form of a matrix modulo `prime` (below 2³¹): its pivot columns, free columns and upper rows.

    Each pivot column is independent of the columns before it, as in a reduced echelon form; the others are free. The
    elimination is recursive (PLE: permutation, lower factor, echelon form), so that most work is matrix products.
    """

    def __init__(self, matrix: NDArray[Any], prime: int) -> None:
        self.prime, self.width = prime, matrix.shape[1]
        table = self._centred(np.remainder(matrix, prime).astype(np.float64))
        self.pivots = np.array(self._eliminate(table, 0, 0, self.width), np.int64)
        free = np.ones(self.width, bool)
        free[self.pivots] = False
        self.free = np.flatnonzero(free)
        self._upper = table[: len(self.pivots), self.pivots]
        self._rest = table[: len(self.pivots), self.free]

    def residues(self) -> IntArray:
        """Return the entries of the reduced echelon form at (pivot row, free column), from 0 to p − 1."""
        return self._positive(self._solved(self._upper, self._rest.copy(), upper=True))

    def probe(self, seed: int) -> IntArray | None:
        """Return a random element of the kernel modulo the prime, or None if the kernel is trivial."""
        if not len(self.free):
            return None
        chosen = np.random.default_rng(seed).integers(1, self.prime, len(self.free))
        right = np.zeros((len(self.pivots), 1))
        self._subtract(right, self._rest, self._centred(chosen[:, None].astype(np.float64)))
        element = np.zeros(self.width, np.int64)
        element[self.free] = chosen
        element[self.pivots] = self._positive(self._solved(self._upper, right, upper=True))[:, 0]
        return element

    def _eliminate(self, table: FloatArray, top: int, left: int, right: int) -> list[int]:
        """Eliminate the columns left..right in the rows from `top` on, and return the pivot columns.

        The multipliers of the elimination are stored below the pivots.
        """
        if top == len(table):
            return []
        if right - left <= NARROW:
            return self._eliminate_few(table, top, left, right)
        middle = (left + right) // 2
        first = self._eliminate(table, top, left, middle)
        below = top + len(first)
        if first:
            lower = table[top:, first]
            solved = self._solved(lower[: len(first)], table[top:below, middle:right], upper=False)
            table[top:below, middle:right] = solved
            self._subtract(table[below:, middle:right], lower[len(first) :], solved)
        return first + self._eliminate(table, below, middle, right)

    def _eliminate_few(self, table: FloatArray, top: int, left: int, right: int) -> list[int]:
        """Do the same for a few columns, one by one, in 64-bit integers."""
        part = table[top:, left:right].astype(np.int64) % self.prime
        pivots: list[int] = []
        order = np.arange(len(part))
        for column in range(right - left):
            row = len(pivots)
            at = np.flatnonzero(part[row:, column])
            if not len(at):
                continue
            if at[0]:
                swap = [row, row + int(at[0])]
                part[swap], order[swap] = part[swap[::-1]], order[swap[::-1]]
            pivots.append(left + column)
            inverse = pow(int(part[row, column]), -1, self.prime)
            below = part[row + 1 :]
            times = below[:, column] * inverse % self.prime
            below[:, column + 1 :] -= times[:, None] * part[row, column + 1 :] % self.prime
            below[:, column + 1 :] %= self.prime
            below[:, column] = times
        moved = np.flatnonzero(order != np.arange(len(order)))
        table[top + moved] = table[top + order[moved]]
        table[top:, left:right] = self._centred(part.astype(np.float64))
        return pivots

    def _solved(self, factor: FloatArray, right: FloatArray, *, upper: bool) -> FloatArray:
        """Return the x with factor · x = right, for a triangular factor; `right` may be overwritten.

        A lower factor has ones on its diagonal.
        """
        size = len(factor)
        if size <= NARROW:
            return self._solved_few(factor, right, upper)
        middle = size // 2
        head, tail = slice(None, middle), slice(middle, None)
        first, second = (tail, head) if upper else (head, tail)
        right[first] = self._solved(factor[first, first], right[first], upper=upper)
        self._subtract(right[second], factor[second, first], right[first])
        right[second] = self._solved(factor[second, second], right[second], upper=upper)
        return right

    def _solved_few(self, factor: FloatArray, right: FloatArray, upper: bool) -> FloatArray:
        """Do the same for a small factor, row by row, in 64-bit integers."""
        size = len(factor)
        table, out = factor.astype(np.int64) % self.prime, right.astype(np.int64) % self.prime
        for i in reversed(range(size)) if upper else range(size):
            known = slice(i + 1, None) if upper else slice(None, i)
            known_part = (table[i, known, None] * out[known] % self.prime).sum(axis=0)
            out[i] = (out[i] - known_part) % self.prime
            if upper:
                out[i] = out[i] * pow(int(table[i, i]), -1, self.prime) % self.prime
        return self._centred(out.astype(np.float64))

    def _subtract(self, target: FloatArray, left: FloatArray, right: FloatArray) -> None:
        """Subtract left · right from the target, in place."""
        for at in range(0, len(left), STRIP):
            strip = target[at : at + STRIP]
            for start in range(0, left.shape[1], EXACT_TERMS):
                piece, rows = left[at : at + STRIP, start : start + EXACT_TERMS], right[start : start + EXACT_TERMS]
                high = np.rint(piece / HALF)
                products = self._centred(high @ rows)
                products *= HALF
                products += (piece - HALF * high) @ rows
                strip -= products
                self._centred(strip)

    def _centred(self, array: FloatArray) -> FloatArray:
        """Reduce to residues of least absolute value, in place; rounding may leave them up to 2 larger."""
        times = array * (1.0 / self.prime)
        np.rint(times, out=times)
        times *= self.prime
        array -= times
        return array

    def _positive(self, array: FloatArray) -> IntArray:
        """Return the residues from 0 to p − 1."""
        return np.asarray(array.astype(np.int64) % self.prime)
