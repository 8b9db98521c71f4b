"""Exact linear algebra on large matrices: BLAS gives the same answers as FLINT."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unwritten import budgets, linalg
from unwritten.data import IntArray
from unwritten.linalg.blocked import Echelon
from unwritten.linalg.modular import PRIMES_LARGE, Reducible
from unwritten.linalg.peeling import peeled

SHAPES = st.tuples(st.integers(1, 70), st.integers(1, 70), st.integers(0, 40))


def low_rank(shape: tuple[int, int, int], seed: int, limit: int = 9) -> IntArray:
    """Return a random matrix of at most this rank, in which about one column in ten is zero."""
    rng = np.random.default_rng(seed)
    rows, columns, rank = shape
    matrix = rng.integers(-limit, limit + 1, (rows, rank)) @ rng.integers(-limit, limit + 1, (rank, columns))
    matrix[:, rng.random(columns) < 0.1] = 0
    return np.asarray(matrix)


@settings(deadline=None)
@given(SHAPES, st.integers(0, 2**32), st.sampled_from([1, 9, 2**15]))
def test_the_reduced_echelon_form_is_that_of_flint(shape: tuple[int, int, int], seed: int, limit: int) -> None:
    """Pivots, free columns and residues agree, whatever the rank."""
    matrix = low_rank(shape, seed, limit)
    form = Echelon(matrix, PRIMES_LARGE[0])
    pivots, free, residues = Reducible(matrix).reduced(PRIMES_LARGE[0])
    assert form.pivots.tolist() == pivots
    assert form.free.tolist() == free
    assert np.array_equal(form.residues(), residues)


def test_the_reduced_echelon_form_of_a_larger_matrix_is_that_of_flint() -> None:
    """A matrix larger than one block in rows, columns and rank uses every branch of the elimination."""
    matrix = low_rank((400, 500, 300), 0)
    form = Echelon(matrix, PRIMES_LARGE[1])
    pivots, _, residues = Reducible(matrix).reduced(PRIMES_LARGE[1])
    assert form.pivots.tolist() == pivots
    assert np.array_equal(form.residues(), residues)


@pytest.mark.parametrize("prime", PRIMES_LARGE)
def test_sums_of_the_largest_residues_are_exact(prime: int) -> None:
    """Entries next to ±p/2 make the largest sums that floats have to hold."""
    rng = np.random.default_rng(0)
    half = prime // 2
    matrix = rng.choice([half, half + 1, half - 1, half + 2], (300, 310))
    form = Echelon(matrix, prime)
    pivots, _, residues = Reducible(matrix).reduced(prime)
    assert form.pivots.tolist() == pivots
    assert np.array_equal(form.residues(), residues)


@settings(deadline=None)
@given(SHAPES, st.integers(0, 2**32))
def test_a_probe_is_in_the_kernel(shape: tuple[int, int, int], seed: int) -> None:
    """A probe lies in the kernel modulo the prime; there is none if the columns are independent."""
    matrix, prime = low_rank(shape, seed), PRIMES_LARGE[0]
    probe = Echelon(matrix, prime).probe(seed=1)
    if probe is None:
        assert linalg.rank(matrix) == matrix.shape[1]
    else:
        assert probe.any()
        assert not ((matrix.astype(object) @ probe.astype(object)) % prime).any()


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(1, 30), st.floats(0.02, 0.3), st.integers(0, 2**32))
def test_peeled_rows_are_in_every_basis(rows: int, columns: int, share: float, seed: int) -> None:
    """The rank of a matrix is the number of peeled rows plus the rank of the remaining rows."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(1, 4, (rows, columns)) * (rng.random((rows, columns)) < share)
    alone, rest, touched = peeled(matrix)
    assert sorted([*alone, *rest]) == list(range(rows))
    assert not matrix[np.ix_(rest, np.setdiff1d(np.arange(columns), touched))].any()
    assert linalg.rank(matrix) == len(alone) + linalg.rank(matrix[np.ix_(rest, touched)])


@settings(deadline=None)
@given(SHAPES, st.integers(0, 2**32))
def test_large_matrices_give_what_small_ones_do(shape: tuple[int, int, int], seed: int) -> None:
    """Ranks, independent rows and kernels are the same through BLAS and through FLINT."""
    matrix = low_rank(shape, seed, limit=2)
    small = linalg.rank(matrix), linalg.rank_modulo(matrix), linalg.independent(matrix), linalg.kernel(matrix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budgets, "BLOCKED_RANK_ENTRIES", 0)
        assert linalg.rank(matrix) == small[0]
        assert linalg.rank_modulo(matrix) == small[1]
        assert np.array_equal(linalg.independent(matrix), small[2])
        assert np.array_equal(linalg.independent(matrix, exact=False), small[2])
        kernel = linalg.kernel(matrix)
    assert len(kernel) == len(small[3])
    assert not (matrix.astype(object) @ kernel.T.astype(object)).any()


def test_a_prime_that_hides_a_row_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are dependent modulo the first prime, but not over the integers, all count as independent."""
    monkeypatch.setattr(budgets, "BLOCKED_RANK_ENTRIES", 0)
    prime = PRIMES_LARGE[0]
    matrix = np.array([[1, 1, 0], [1, 1 + prime, 0], [2, 2, prime]])
    assert linalg.independent(matrix).tolist() == [0, 1, 2]
    assert linalg.rank(matrix) == 3
    assert linalg.rank_modulo(matrix) < 3
