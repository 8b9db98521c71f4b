"""Echelon forms modulo a prime, and the ranks and independent rows that follow from them.

Small matrices go through FLINT, large ones through BLAS (`blocked.py`); the echelon form is the same. Of the smallest,
the rank modulo a prime is found by a kernel, as copying them to FLINT takes longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import isqrt

import numpy as np
from flint import fmpz_mat, nmod_mat

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.errors import RangeError
from unwritten.linalg.blocked import Echelon
from unwritten.linalg.exact import annihilates, exact_product, to_flint
from unwritten.linalg.peeling import peeled
from unwritten.native import kernels

PRIMES = (2**31 - 1, 2**61 - 1, 2**61 - 31)  # the smallest first: it is faster, and nearly always enough
PRIMES_LARGE = (2**31 - 1, 2**31 - 19, 2**31 - 61)  # for large matrices: BLAS needs primes below 2³¹
PROBE_PRIME = PRIMES[0]
TALL = 4  # rows per column that are reduced at once, where there are far more rows than columns


class Reducible:
    """A matrix to be reduced modulo one of `primes`, or modulo several of them in turn."""

    def __init__(self, matrix: IntArray) -> None:
        self._matrix = matrix
        self.is_large = matrix.size > budgets.BLOCKED_RANK_ENTRIES
        self.primes = PRIMES_LARGE if self.is_large else PRIMES

    @cached_property
    def _dense(self) -> fmpz_mat:
        return to_flint(self._matrix)

    def reduced(self, prime: int) -> tuple[list[int], list[int], IntArray]:
        """Return pivot and free columns, and the entries of the reduced echelon form at (pivot row, free column)."""
        if self.is_large:
            form = Echelon(self._matrix, prime)
            return form.pivots.tolist(), form.free.tolist(), form.residues()
        echelon, r = nmod_mat(self._dense, prime).rref()
        pivots = _pivots(echelon, r)
        free = sorted(set(range(self._dense.ncols())) - set(pivots))
        entries = (int(echelon[i, j]) for i in range(r) for j in free)
        return pivots, free, np.fromiter(entries, np.int64, r * len(free)).reshape(r, len(free))


def rank(matrix: IntArray) -> int:
    """Return the rank over the rationals."""
    return len(independent(matrix)) if matrix.size > budgets.BLOCKED_RANK_ENTRIES else int(to_flint(matrix).rank())


def rank_modulo(matrix: IntArray) -> int:
    """Return the rank modulo a prime, which is cheap and never above the true rank."""
    if matrix.size > budgets.BLOCKED_RANK_ENTRIES:
        alone, rest, columns = peeled(matrix)
        return len(alone) + len(Echelon(matrix[np.ix_(rest, columns)], PRIMES[0]).pivots)
    if matrix.size <= budgets.NATIVE_RANK_ENTRIES and matrix.dtype == np.int64:
        return kernels.prime_rank(np.ascontiguousarray(matrix))
    return int(nmod_mat(to_flint(matrix), PRIMES[0]).rank())


def independent(matrix: IntArray, exact: bool = True) -> IntArray:
    """Return the indices of all rows that are not combinations of the rows before them: a basis of the row space.

    With `exact=False` the result is faster; the rows are surely independent, but modulo a prime some may be missed.
    """
    if matrix.size > budgets.BLOCKED_RANK_ENTRIES:
        return _independent_large(matrix, exact)
    if len(matrix) > 2 * TALL * max(1, matrix.shape[1]):
        rows = _independent_tall(matrix, exact)
        if rows is not None:
            return rows
    elif rank_modulo(matrix) == len(matrix):
        return np.arange(len(matrix))
    transposed = to_flint(matrix.T)
    if not exact:
        return np.array(_pivots(*nmod_mat(transposed, PRIMES[0]).rref()), np.int64)
    true_rank = int(transposed.rank())
    for prime in PRIMES:
        pivots = _pivots(*nmod_mat(transposed, prime).rref())
        if len(pivots) == true_rank:
            return np.array(pivots, np.int64)
    raise RangeError("the rows are degenerate modulo every prime tried: divide them by common factors")


def _independent_tall(matrix: IntArray, exact: bool) -> IntArray | None:
    """Do the same for far more rows than columns: the first rows span nearly all others, as one exact product shows.

    None if the kernel of those chosen has no small integers.
    """
    step = TALL * max(1, matrix.shape[1])
    chosen, outside = np.zeros(0, np.int64), np.arange(len(matrix))
    while len(outside):
        part = np.concatenate([chosen, outside[:step]])
        chosen = part[independent(matrix[part], exact)]
        is_outside = outside_span(matrix, matrix[chosen])
        if is_outside is None:
            return None
        outside = np.flatnonzero(is_outside)
    return chosen


def outside_span(matrix: IntArray, basis: IntArray) -> BoolArray | None:
    """Return which rows are no combination of a basis, exactly; None if the kernel of the basis has no small integers.

    A row is a combination of the basis if it is at right angles to the kernel of the basis.
    """
    pivots, free, residues = Reducible(basis).reduced(PRIMES[0])
    normals = lifted(pivots, free, residues, PRIMES[0], matrix.shape[1])
    if normals is None or not annihilates(basis, normals):
        return None
    return np.asarray((exact_product(matrix, normals.T) != 0).any(axis=1))


def _independent_large(matrix: IntArray, exact: bool) -> IntArray:
    """Do the same for a large matrix: relations between rows are found modulo a prime, lifted to integers and verified.

    Modulo a prime there are never fewer relations than over the integers, so if all of them hold, none is missing.
    Only if that fails is the rank over the rationals computed.
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
    true_rank = int(to_flint(part).rank())
    for prime in PRIMES_LARGE:
        form = Echelon(part.T, prime)
        if len(form.pivots) == true_rank:
            return np.sort(np.concatenate([alone, rest[form.pivots]]))
    raise RangeError("the rows are degenerate modulo every prime tried: divide them by common factors")


def pivot_columns(rows: IntArray, preference: Sequence[int]) -> list[int]:
    """Return columns that the rows can be solved for, one per independent row, the earliest in `preference` first."""
    return [preference[k] for k in independent(rows[:, preference].T)]


def lifted(pivots: list[int], free: list[int], residues: IntArray, prime: int, width: int) -> IntArray | None:
    """Return integer kernel rows with these residues modulo `prime`, or None if no small ones exist."""
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
    """Return a column of residues as numerators over one denominator (rational reconstruction).

    None unless the denominator and all numerators are at most √(prime/2).
    """
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
    """Return the pivot columns of a reduced echelon form of rank `r`."""
    pivots: list[int] = []
    for column in range(echelon.ncols()):
        if len(pivots) < r and int(echelon[len(pivots), column]):
            pivots.append(column)
    return pivots


def kernel_probe(matrix: IntArray, seed: int) -> IntArray | None:
    """Return a random element of the kernel modulo PROBE_PRIME, or None if the kernel is trivial."""
    if matrix.size > budgets.BLOCKED_RANK_ENTRIES:
        return Echelon(matrix, PROBE_PRIME).probe(seed)
    kernel, nullity = nmod_mat(to_flint(matrix), PROBE_PRIME).nullspace()
    if nullity == 0:
        return None
    factors = np.zeros(matrix.shape[1], np.int64)
    factors[:nullity] = np.random.default_rng(seed).integers(1, PROBE_PRIME, nullity)
    probe = kernel * nmod_mat(len(factors), 1, factors.tolist(), PROBE_PRIME)
    return np.array([int(entry) for entry in probe.entries()], np.int64)
