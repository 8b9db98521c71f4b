"""Echelon forms modulo a prime: fast proposals, and ranks that are exact or on the safe side.

Small matrices go through FLINT, large ones through BLAS (`blocked.py`): the echelon form is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import isqrt

import numpy as np
from flint import fmpz_mat, nmod_mat

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.errors import RangeError
from unwritten.linalg.blocked import Echelon
from unwritten.linalg.exact import annihilates, to_flint
from unwritten.linalg.peeling import peeled

PRIMES = (2**31 - 1, 2**61 - 1, 2**61 - 31)  # a small one first: it is faster, and nearly always enough
PRIMES_LARGE = (2**31 - 1, 2**31 - 19, 2**31 - 61)  # those that BLAS can do
PROBE_PRIME = PRIMES[0]


class Reducible:
    """A matrix that may be reduced modulo several primes."""

    def __init__(self, matrix: IntArray) -> None:
        self._matrix = matrix
        self.large = matrix.size > budgets.BLOCKED_RANK_ENTRIES
        self.primes = PRIMES_LARGE if self.large else PRIMES

    @cached_property
    def _dense(self) -> fmpz_mat:
        return to_flint(self._matrix)

    def reduced(self, prime: int) -> tuple[list[int], list[int], IntArray]:
        """Pivot columns, free columns, and the reduced echelon form's entries at (pivot row, free column)."""
        if self.large:
            form = Echelon(self._matrix, prime)
            return form.pivots.tolist(), form.free.tolist(), form.residues()
        echelon, r = nmod_mat(self._dense, prime).rref()
        pivots = _pivots(echelon, r)
        free = sorted(set(range(self._dense.ncols())) - set(pivots))
        entries = (int(echelon[i, j]) for i in range(r) for j in free)
        return pivots, free, np.fromiter(entries, np.int64, r * len(free)).reshape(r, len(free))


def rank(matrix: IntArray) -> int:
    """The rank over the rationals."""
    return len(independent(matrix)) if matrix.size > budgets.BLOCKED_RANK_ENTRIES else int(to_flint(matrix).rank())


def rank_modulo(matrix: IntArray) -> int:
    """The rank modulo a prime: never above the true rank, and cheap."""
    if matrix.size > budgets.BLOCKED_RANK_ENTRIES:
        alone, rest, columns = peeled(matrix)
        return len(alone) + len(Echelon(matrix[np.ix_(rest, columns)], PRIMES[0]).pivots)
    return int(nmod_mat(to_flint(matrix), PRIMES[0]).rank())


def independent(matrix: IntArray, exact: bool = True) -> IntArray:
    """Indices of the first rows that form a basis of the row space (each not spanned by those before it).

    With `exact=False` they are independent for certain, but a prime may have hidden some.
    """
    if matrix.size > budgets.BLOCKED_RANK_ENTRIES:
        return _independent_large(matrix, exact)
    transposed = to_flint(matrix.T)
    if not exact:
        return np.array(_pivots(*nmod_mat(transposed, PRIMES[0]).rref()), np.int64)
    true_rank = int(transposed.rank())
    for prime in PRIMES:
        pivots = _pivots(*nmod_mat(transposed, prime).rref())
        if len(pivots) == true_rank:
            return np.array(pivots, np.int64)
    raise RangeError("the rows are degenerate modulo every prime tried: divide them by common factors")


def _independent_large(matrix: IntArray, exact: bool) -> IntArray:
    """The same without a rank over the rationals: relations between the rows are lifted to integers and verified.

    The nullity modulo a prime is never below the true one, so relations that hold are all that there are.
    """
    alone, rest, columns = peeled(matrix)
    part = matrix[np.ix_(rest, columns)]
    for prime in PRIMES_LARGE:
        form = Echelon(part.T, prime)
        first = np.sort(np.concatenate([alone, rest[form.pivots]]))
        if not exact or not len(form.free):
            return first
        relations = lifted(form.pivots.tolist(), form.free.tolist(), form.residues(), prime, len(part))
        if relations is not None and annihilates(part.T, relations):
            return first
    rank = int(to_flint(part).rank())
    for prime in PRIMES_LARGE:
        form = Echelon(part.T, prime)
        if len(form.pivots) == rank:
            return np.sort(np.concatenate([alone, rest[form.pivots]]))
    raise RangeError("the rows are degenerate modulo every prime tried: divide them by common factors")


def pivot_columns(rows: IntArray, preference: Sequence[int]) -> list[int]:
    """Columns to solve for, one per independent row, earliest in `preference` first."""
    return [preference[k] for k in independent(rows[:, preference].T)]


def lifted(pivots: list[int], free: list[int], residues: IntArray, prime: int, width: int) -> IntArray | None:
    """Kernel rows over the integers whose reduction modulo `prime` is what was found, if small ones exist."""
    signed = np.where(residues > prime // 2, residues - prime, residues)
    denominators = np.ones(len(free), np.int64)
    for k in np.flatnonzero(np.abs(signed).max(axis=0, initial=0) > 2**20):
        fractions = _common_denominator([int(x) for x in residues[:, k]], prime)
        if fractions is None:
            return None
        denominators[k], signed[:, k] = fractions
    rows = np.zeros((len(free), width), np.int64)
    rows[np.arange(len(free)), free] = denominators
    rows[:, pivots] = -signed.T
    return rows


def _common_denominator(residues: list[int], prime: int) -> tuple[int, list[int]] | None:
    """Rational reconstruction of a whole column: numerators over one denominator, both below √(prime/2)."""
    bound = isqrt(prime // 2)
    denominator = 1
    for value in residues:
        scaled = value * denominator % prime
        old, new, before, after = prime, scaled, 0, 1
        while new > bound:
            quotient = old // new
            old, new = new, old - quotient * new
            before, after = after, before - quotient * after
        denominator *= abs(after)
        if denominator > bound:
            return None
    numerators = [value * denominator % prime for value in residues]
    numerators = [x - prime if x > prime // 2 else x for x in numerators]
    return (denominator, numerators) if max(map(abs, numerators), default=0) <= bound else None


def _pivots(echelon: nmod_mat, r: int) -> list[int]:
    """The pivot columns, read off the staircase."""
    pivots: list[int] = []
    for column in range(echelon.ncols()):
        if len(pivots) < r and int(echelon[len(pivots), column]):
            pivots.append(column)
    return pivots


def kernel_probe(matrix: IntArray, seed: int) -> IntArray | None:
    """A random element of the kernel modulo PROBE_PRIME, or None if the kernel is trivial."""
    if matrix.size > budgets.BLOCKED_RANK_ENTRIES:
        return Echelon(matrix, PROBE_PRIME).probe(seed)
    kernel, nullity = nmod_mat(to_flint(matrix), PROBE_PRIME).nullspace()
    if nullity == 0:
        return None
    mix = np.zeros(matrix.shape[1], np.int64)
    mix[:nullity] = np.random.default_rng(seed).integers(1, PROBE_PRIME, nullity)
    probe = kernel * nmod_mat(len(mix), 1, mix.tolist(), PROBE_PRIME)
    return np.array([int(entry) for entry in probe.entries()], np.int64)
