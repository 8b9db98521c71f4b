"""Exact linear algebra over the integers, on FLINT: products, kernels, ranks and short bases.

No tolerance anywhere. Fast modular arithmetic proposes; an exact integer product verifies (METHOD 3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, isqrt, lcm
from typing import Any

import numpy as np
from flint import fmpz, fmpz_mat, nmod_mat
from numpy.typing import NDArray

from tacit.data import BoolArray, FloatArray, IntArray
from tacit.errors import RangeError

PRIMES = (2**31 - 1, 2**61 - 1, 2**61 - 31)  # a small one first: it is faster, and nearly always enough
Integers = NDArray[Any]  # int64, or Python integers in an object array

SMALL_PRIMES = (2, 3, 5, 7, 11, 13)
LARGEST_LATTICE = 160  # columns; lattice reduction of a whole kernel takes seconds there, and minutes soon after
LARGEST_FACTORED = 2**63  # a denominator beyond it is not factored: only the small primes are tried


def largest(array: NDArray[Any]) -> int:
    """The largest absolute value, as a Python integer (0 for an empty array)."""
    if array.size == 0:
        return 0
    return max(abs(int(array.max())), abs(int(array.min())))


def exact_product(left: Integers, right: Integers) -> Integers:
    """`left @ right`, exactly: through BLAS while the sums provably fit a float, else in integers, however large."""
    bound = left.shape[-1] * max(1, largest(left)) * max(1, largest(right))
    if bound < 2**24:
        return (left.astype(np.float32) @ right.astype(np.float32)).astype(np.int64)
    if bound < 2**53:
        return (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64)
    if bound < 2**63:
        return left.astype(np.int64) @ right.astype(np.int64)
    return np.asarray(left.astype(object) @ right.astype(object))


def product(left: Integers, right: Integers) -> IntArray:
    """`left @ right` as int64, or a RangeError.

    >>> product(np.array([[2**40, 1]]), np.array([[2**20], [1]]))
    array([[1152921504606846977]])
    """
    return to_int64(exact_product(left, right))


def to_int64(array: Integers) -> IntArray:
    """The same integers as int64, or a RangeError: never a wrapped value."""
    if largest(array) >= 2**63:
        raise RangeError("an exact integer passes 64 bits: rescale the labels, or give more examples than variables")
    return array.astype(np.int64)


def kernel(matrix: IntArray) -> Integers:
    """An integer basis, one row each, of {x : matrix · x = 0}; Python integers where 64 bits are too few."""
    rows = _small_kernel(matrix)
    if rows is None:
        basis, nullity = _flint(matrix).nullspace()
        rows = _numpy(basis.transpose())[:nullity]
    return rows


def short_kernel(matrix: IntArray, norm_columns: int | None = None) -> IntArray:
    """The kernel as short primitive rows (`short_basis`).

    Kernels without a small basis in echelon form come from too few examples: their equalities are accidents. Up to
    `LARGEST_LATTICE` columns the short rows are found all the same; beyond, the error says what to do.
    """
    rows = _small_kernel(matrix)
    if rows is None:
        if matrix.shape[1] > LARGEST_LATTICE:
            raise RangeError(
                "the labels obey so many accidental equalities that no short ones stand out: "
                "give more examples than variables, or rules=[] to mine none"
            )
        rows = _lattice_kernel(matrix)
    return short_basis(rows, norm_columns)


def _small_kernel(matrix: IntArray) -> IntArray | None:
    """All integer points of the kernel's lattice from the echelon form modulo a prime, if its fractions are small.

    The nullity modulo a prime is at least the true one, so rows that pass the exact test are a full basis.
    """
    dense = _flint(matrix)
    for prime in PRIMES:
        pivots, free, residues = _reduced(dense, prime)
        rows = _lifted(pivots, free, residues, prime, matrix.shape[1])
        if rows is not None and _annihilates(matrix, rows):
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
        reduced = _numpy(_flint(np.concatenate([identity, scale * matrix.T.astype(object)], axis=1)).lll())
        rows = reduced[~(reduced[:, width:] != 0).any(axis=1), :width]
        if len(rows) == nullity:
            return rows
        scale <<= 20  # the kernel is what remains as the scale grows


def rank(matrix: IntArray) -> int:
    """The rank over the rationals."""
    return int(_flint(matrix).rank())


def rank_modulo(matrix: IntArray) -> int:
    """The rank modulo a prime: never above the true rank, and cheap."""
    return int(nmod_mat(_flint(matrix), PRIMES[0]).rank())


def independent(matrix: IntArray, exact: bool = True) -> IntArray:
    """Indices of the first rows that form a basis of the row space (each not spanned by those before it).

    With `exact=False` they are independent for certain, but a prime may have hidden some.
    """
    transposed = _flint(matrix.T)
    if not exact:
        return np.array(_pivots(*nmod_mat(transposed, PRIMES[0]).rref()), np.int64)
    true_rank = int(transposed.rank())
    for prime in PRIMES:
        pivots = _pivots(*nmod_mat(transposed, prime).rref())
        if len(pivots) == true_rank:
            return np.array(pivots, np.int64)
    raise RangeError("the rows are degenerate modulo every prime tried: divide them by common factors")


def short_basis(rows: Integers, norm_columns: int | None = None) -> IntArray:
    """A lattice-reduced basis of the same space: short, primitive rows with signs and order made canonical.

    Lengths are measured on the first `norm_columns` columns (all by default), on which the rows must stay
    independent. LLL runs on the Gram matrix of the rows, which is far smaller than the rows themselves.
    """
    if len(rows) == 0:
        return np.zeros(rows.shape, np.int64)
    part = _flint(rows[:, :norm_columns])
    _, transform = (part * part.transpose()).lll(transform=True, rep="gram")
    return canonical(product(_numpy(transform), rows))


def pair_reduced(rows: IntArray, norm_columns: int) -> IntArray:
    """The same space with each row shortened by multiples of single other rows, as long as that helps.

    Two exactly-one rows that differ in a few columns become one of them and their short difference.
    """
    rows = rows.copy()
    part = rows[:, :norm_columns]
    gram = product(part, part.T).astype(np.float64)
    gain = _gain(gram, np.diag(gram))
    np.fill_diagonal(gain, 0.0)
    for _ in range(10 * len(rows)):
        i, j = divmod(int(gain.argmax()), len(rows))
        if gain[i, j] <= 0:
            break
        times = round(gram[i, j] / gram[j, j])
        rows[i] = to_int64(rows[i].astype(object) - times * rows[j].astype(object))
        gram[i] = gram[:, i] = product(part, part[i][:, None])[:, 0]
        gain[i] = _gain(gram[i], np.diag(gram))
        gain[:, i] = _gain(gram[:, i], gram[i, i])
        gain[i, i] = 0.0
    return rows


def _gain(inner: FloatArray, norms: Any) -> FloatArray:
    """How much shorter (squared) a row gets by taking off its nearest multiple of another."""
    times = np.rint(inner / norms)
    return np.asarray(times * (2 * inner - times * norms))


def canonical(rows: IntArray) -> IntArray:
    """Rows divided by their content, signed so that most entries are positive, sorted by support size then place."""
    content = np.gcd.reduce(rows, axis=1)
    rows = rows // np.maximum(content, 1)[:, None]
    body = rows[:, :-1]
    balance = (body > 0).sum(axis=1) - (body < 0).sum(axis=1)
    first = np.sign(rows[np.arange(len(rows)), (rows != 0).argmax(axis=1)])
    sign = np.where(balance != 0, np.sign(balance), np.where(rows[:, -1] != 0, -np.sign(rows[:, -1]), first))
    rows = rows * sign[:, None]
    order = sorted(range(len(rows)), key=lambda i: _order_key(rows[i]))
    return rows[order]


def _order_key(row: IntArray) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
    support = np.flatnonzero(row[:-1])
    return len(support), largest(row), tuple(support.tolist()), tuple(row.tolist())


def eliminated(rows: IntArray, columns: BoolArray) -> IntArray:
    """Rows of the same row space that are zero on `columns`: what the rows say about the other variables alone."""
    return product(kernel(rows[:, columns].T), rows)


def pivot_columns(rows: IntArray, preference: Sequence[int]) -> list[int]:
    """Columns to solve for, one per independent row, earliest in `preference` first."""
    return [preference[k] for k in independent(rows[:, preference].T)]


def _reduced(dense: fmpz_mat, prime: int) -> tuple[list[int], list[int], NDArray[np.int64]]:
    """Pivot columns, free columns, and the reduced echelon form's entries at (pivot row, free column)."""
    echelon, r = nmod_mat(dense, prime).rref()
    pivots = _pivots(echelon, r)
    free = sorted(set(range(dense.ncols())) - set(pivots))
    entries = (int(echelon[i, j]) for i in range(r) for j in free)
    return pivots, free, np.fromiter(entries, np.int64, r * len(free)).reshape(r, len(free))


def _pivots(echelon: nmod_mat, r: int) -> list[int]:
    """The pivot columns, read off the staircase."""
    pivots: list[int] = []
    for column in range(echelon.ncols()):
        if len(pivots) < r and int(echelon[len(pivots), column]):
            pivots.append(column)
    return pivots


def _lifted(pivots: list[int], free: list[int], residues: NDArray[np.int64], prime: int, width: int) -> IntArray | None:
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


def _annihilates(matrix: IntArray, rows: IntArray) -> bool:
    if matrix.shape[1] * largest(matrix) * largest(rows) < 2**63:
        return not product(matrix, rows.T).any()
    return not largest(_numpy(_flint(matrix) * _flint(rows).transpose()))


def _saturated(rows: Integers) -> Integers:
    """Add the lattice points that the rows miss: (combination of rows) / p where that is integral.

    Only makes rows shorter (a half of a sum of two rows, say); the space they span is the same.
    """
    dense = _flint(rows)
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
    return _numpy(dense)


def _dividing_primes(rows: Integers) -> list[int]:
    """The primes p for which (combination of rows) / p can be integral though the combination is not p times another.

    They divide every maximal minor, so also the one of entries that stand alone in their columns.
    """
    alone = (rows != 0).sum(axis=0) == 1
    scale = lcm(*(gcd(*map(int, row[alone])) for row in rows))
    return [int(prime) for prime, _ in fmpz(scale).factor()] if 0 < scale < LARGEST_FACTORED else list(SMALL_PRIMES)


def _flint(array: Integers) -> fmpz_mat:
    return fmpz_mat(*array.shape, array.ravel().tolist())


def _numpy(matrix: fmpz_mat) -> Integers:
    entries = [int(x) for x in matrix.entries()]
    fits = max(map(abs, entries), default=0) < 2**63
    return np.array(entries, np.int64 if fits else object).reshape(matrix.nrows(), matrix.ncols())
