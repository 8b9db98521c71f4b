"""Integer kernels: computed modulo a prime, lifted to integers and verified by an exact product."""

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
FEW = 4  # a kernel with at most one row for every so many columns is reduced by itself


def kernel(matrix: IntArray) -> Integers:
    """Return an integer basis of {x : matrix · x = 0}, one row each, as Python integers if 64 bits are too few."""
    rows = _small_kernel(matrix)
    if rows is None:
        basis, nullity = to_flint(matrix).nullspace()
        rows = to_numpy(basis.transpose())[:nullity]
    return rows


def short_kernel(matrix: IntArray, norm_columns: int | None = None, small: IntArray | None = None) -> IntArray:
    """Return a basis of the kernel as short rows in canonical form (`short_basis`).

    `small` is a matrix with the same kernel and smaller entries, which makes the lattice reduction faster.

    If no small basis in echelon form exists, there are too few examples and most equalities are accidents. Up to
    `budgets.LATTICE_COLUMNS` columns short rows are found nevertheless; for more columns a RangeError says what to do.
    """
    rows = _small_kernel(matrix)
    if rows is None:
        if matrix.shape[1] > budgets.LATTICE_COLUMNS:
            raise RangeError(
                "the labels obey so many accidental equalities that no short ones stand out: "
                "give more examples than variables, or rules=[] to mine none"
            )
        rows = _lattice_kernel(matrix if small is None else small)
    return short_basis(rows, norm_columns)


def eliminated(rows: IntArray, columns: BoolArray) -> IntArray:
    """Return rows that span all combinations of `rows` that are zero on `columns`: these leave those variables out."""
    return product(kernel(rows[:, columns].T), rows)


def _small_kernel(matrix: IntArray) -> IntArray | None:
    """Return a basis of all integer points of the kernel from its echelon form modulo a prime.

    The dimension of the kernel modulo a prime is at least the true one, so rows that pass the exact test are a whole
    basis. None if the fractions in the echelon form are too large to be recovered from residues.
    """
    reducible = Reducible(matrix)
    for prime in reducible.primes:
        pivots, free, residues = reducible.reduced(prime)
        rows = lifted(pivots, free, residues, prime, matrix.shape[1])
        if rows is not None and annihilates(matrix, rows):
            # With 1 in every free column the rows already generate all integer points of their span.
            is_whole = bool((rows[np.arange(len(free)), free] == 1).all())
            return rows if is_whole else to_int64(_saturated(rows))
    return None


def _lattice_kernel(matrix: IntArray) -> Integers:
    """Return a reduced basis of all integer points of the kernel.

    A small one comes from LLL on itself, a large one from LLL on [I, scale · matrixᵀ], as the rows that are zero on the
    right.
    """
    matrix = matrix[independent(matrix)]
    width = matrix.shape[1]
    nullity = width - len(matrix)
    if FEW * nullity <= width:
        return to_numpy(_integer_points(matrix, nullity).lll())
    scale = 1 << 10
    while True:
        identity = np.eye(width, dtype=np.int64)
        reduced = to_numpy(to_flint(np.concatenate([identity, scale * matrix.T.astype(object)], axis=1)).lll())
        rows = reduced[~(reduced[:, width:] != 0).any(axis=1), :width]
        if len(rows) == nullity:
            return rows
        scale <<= 20  # other rows grow with the scale, so that LLL puts the kernel first


def _integer_points(matrix: IntArray, nullity: int) -> fmpz_mat:
    """Return rows that generate all integer points of the kernel.

    If N is any basis of the kernel and [H; 0] the Hermite form of Nᵀ, then N = Hᵀ · X, and X has these rows.
    """
    basis, _ = to_flint(matrix).nullspace()
    rows = fmpz_mat(basis.transpose().tolist()[:nullity])
    hermite = fmpz_mat(rows.transpose().hnf().tolist()[:nullity])
    points, one = hermite.transpose().solve(rows).numer_denom()
    assert one == 1  # noqa: S101 - the rows of N are integer points
    return points


def _saturated(rows: Integers) -> Integers:
    """Return rows that generate all integer points of the space they span.

    Where a combination of rows is divisible by a prime p, but not p times another one, its p-th part replaces one of
    the rows (half the sum of two rows, say). Rows only get shorter by this.
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
    """Return the primes by which `_saturated` may be able to divide, or the small primes if there is no cheap answer.

    Such a prime divides every maximal minor, so also the minor of entries that are alone in their columns.
    """
    is_alone = (rows != 0).sum(axis=0) == 1
    scale = lcm(*(gcd(*map(int, row[is_alone])) for row in rows))
    return (
        [int(prime) for prime, _ in fmpz(scale).factor()]
        if 0 < scale < budgets.FACTORED_DENOMINATOR
        else list(SMALL_PRIMES)
    )
