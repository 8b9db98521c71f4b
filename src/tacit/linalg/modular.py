"""Echelon forms modulo a prime: fast proposals, and ranks that are exact or on the safe side."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

import numpy as np
from flint import fmpz_mat, nmod_mat

from tacit.data import IntArray
from tacit.errors import RangeError
from tacit.linalg.exact import to_flint

PRIMES = (2**31 - 1, 2**61 - 1, 2**61 - 31)  # a small one first: it is faster, and nearly always enough
PROBE_PRIME = PRIMES[0]


def rank(matrix: IntArray) -> int:
    """The rank over the rationals."""
    return int(to_flint(matrix).rank())


def rank_modulo(matrix: IntArray) -> int:
    """The rank modulo a prime: never above the true rank, and cheap."""
    return int(nmod_mat(to_flint(matrix), PRIMES[0]).rank())


def independent(matrix: IntArray, exact: bool = True) -> IntArray:
    """Indices of the first rows that form a basis of the row space (each not spanned by those before it).

    With `exact=False` they are independent for certain, but a prime may have hidden some.
    """
    transposed = to_flint(matrix.T)
    if not exact:
        return np.array(_pivots(*nmod_mat(transposed, PRIMES[0]).rref()), np.int64)
    true_rank = int(transposed.rank())
    for prime in PRIMES:
        pivots = _pivots(*nmod_mat(transposed, prime).rref())
        if len(pivots) == true_rank:
            return np.array(pivots, np.int64)
    raise RangeError("the rows are degenerate modulo every prime tried: divide them by common factors")


def pivot_columns(rows: IntArray, preference: Sequence[int]) -> list[int]:
    """Columns to solve for, one per independent row, earliest in `preference` first."""
    return [preference[k] for k in independent(rows[:, preference].T)]


def reduced(dense: fmpz_mat, prime: int) -> tuple[list[int], list[int], IntArray]:
    """Pivot columns, free columns, and the reduced echelon form's entries at (pivot row, free column)."""
    echelon, r = nmod_mat(dense, prime).rref()
    pivots = _pivots(echelon, r)
    free = sorted(set(range(dense.ncols())) - set(pivots))
    entries = (int(echelon[i, j]) for i in range(r) for j in free)
    return pivots, free, np.fromiter(entries, np.int64, r * len(free)).reshape(r, len(free))


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
    kernel, nullity = nmod_mat(to_flint(matrix), PROBE_PRIME).nullspace()
    if nullity == 0:
        return None
    mix = np.zeros(matrix.shape[1], np.int64)
    mix[:nullity] = np.random.default_rng(seed).integers(1, PROBE_PRIME, nullity)
    probe = kernel * nmod_mat(len(mix), 1, mix.tolist(), PROBE_PRIME)
    return np.array([int(entry) for entry in probe.entries()], np.int64)
