"""Integer kernels: proposed modulo a prime, verified by an exact product."""

from __future__ import annotations

from math import gcd, lcm

import numpy as np
from flint import fmpz, fmpz_mat, nmod_mat

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.errors import RangeError
from unwritten.linalg.bases import short_basis
from unwritten.linalg.exact import Integers, annihilates, product, to_flint, to_int64, to_numpy
from unwritten.linalg.modular import Reducible, independent, lifted

SMALL_PRIMES = (2, 3, 5, 7, 11, 13)


def kernel(matrix: IntArray) -> Integers:
    """An integer basis, one row each, of {x : matrix · x = 0}; Python integers where 64 bits are too few."""
    rows = _small_kernel(matrix)
    if rows is None:
        basis, nullity = to_flint(matrix).nullspace()
        rows = to_numpy(basis.transpose())[:nullity]
    return rows


def short_kernel(matrix: IntArray, norm_columns: int | None = None) -> IntArray:
    """The kernel as short primitive rows (`short_basis`).

    Kernels without a small basis in echelon form come from too few examples: their equalities are accidents. Up to
    `budgets.LATTICE_COLUMNS` columns the short rows are found all the same; beyond, the error says what to do.
    """
    rows = _small_kernel(matrix)
    if rows is None:
        if matrix.shape[1] > budgets.LATTICE_COLUMNS:
            raise RangeError(
                "the labels obey so many accidental equalities that no short ones stand out: "
                "give more examples than variables, or rules=[] to mine none"
            )
        rows = _lattice_kernel(matrix)
    return short_basis(rows, norm_columns)


def eliminated(rows: IntArray, columns: BoolArray) -> IntArray:
    """Rows of the same row space that are zero on `columns`: what the rows say about the other variables alone."""
    return product(kernel(rows[:, columns].T), rows)


def _small_kernel(matrix: IntArray) -> IntArray | None:
    """All integer points of the kernel's lattice from the echelon form modulo a prime, if its fractions are small.

    The nullity modulo a prime is at least the true one, so rows that pass the exact test are a full basis.
    """
    dense = Reducible(matrix)
    for prime in dense.primes:
        pivots, free, residues = dense.reduced(prime)
        rows = lifted(pivots, free, residues, prime, matrix.shape[1])
        if rows is not None and annihilates(matrix, rows):
            # With 1 in every free column the rows already generate all integer points of their span.
            whole = bool((rows[np.arange(len(free)), free] == 1).all())
            return rows if whole else to_int64(_saturated(rows))
    return None


def _lattice_kernel(matrix: IntArray) -> Integers:
    """The kernel's lattice by LLL on [I, scale · matrixᵀ]: rows that vanish on the right are the kernel."""
    matrix = matrix[independent(matrix)]
    width = matrix.shape[1]
    nullity = width - len(matrix)
    scale = 1 << 10
    while True:
        identity = np.eye(width, dtype=np.int64)
        reduced = to_numpy(to_flint(np.concatenate([identity, scale * matrix.T.astype(object)], axis=1)).lll())
        rows = reduced[~(reduced[:, width:] != 0).any(axis=1), :width]
        if len(rows) == nullity:
            return rows
        scale <<= 20  # the kernel is what remains as the scale grows


def _saturated(rows: Integers) -> Integers:
    """Add the lattice points that the rows miss: (combination of rows) / p where that is integral.

    Only makes rows shorter (a half of a sum of two rows, say); the space they span is the same.
    """
    dense = to_flint(rows)
    count = dense.nrows()
    for prime in _dividing_primes(rows):
        while True:
            relations, nullity = nmod_mat(dense, prime).transpose().nullspace()
            if nullity == 0:
                break
            leading, _ = relations.transpose().rref()  # each relation leads at a row of its own
            residues = [[int(leading[k, i]) for i in range(count)] for k in range(nullity)]
            signed = fmpz_mat([[c - prime if 2 * c > prime else c for c in relation] for relation in residues])
            table, shorter = dense.tolist(), (signed * dense).tolist()
            for relation, row in zip(residues, shorter, strict=True):
                table[next(i for i, c in enumerate(relation) if c)] = [entry // prime for entry in row]
            dense = fmpz_mat(table)
    return to_numpy(dense)


def _dividing_primes(rows: Integers) -> list[int]:
    """The primes p for which (combination of rows) / p can be integral though the combination is not p times another.

    They divide every maximal minor, so also the one of entries that stand alone in their columns.
    """
    alone = (rows != 0).sum(axis=0) == 1
    scale = lcm(*(gcd(*map(int, row[alone])) for row in rows))
    return (
        [int(prime) for prime, _ in fmpz(scale).factor()]
        if 0 < scale < budgets.FACTORED_DENOMINATOR
        else list(SMALL_PRIMES)
    )
