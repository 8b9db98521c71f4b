"""Exact linear algebra: every result is compared with slow arithmetic in Python integers and fractions."""

from __future__ import annotations

from math import gcd

import numpy as np
import pytest
from flint import fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from helpers import annihilates, echelon, exact_product, minors_gcd, rank, same_span
from unwritten import linalg
from unwritten.data import IntArray
from unwritten.errors import RangeError, UnwrittenError
from unwritten.linalg import kernels

HUGE = 2**62
LIMITS = st.sampled_from([0, 1, 9, 2**12, 2**20, 2**26, 2**31 - 1, 2**40, HUGE])


def matrices(
    rows: tuple[int, int], columns: tuple[int, int], limit: int | st.SearchStrategy[int] = 3
) -> st.SearchStrategy[IntArray]:
    """Integer matrices of these sizes with entries up to the limit."""
    sizes = st.tuples(st.integers(*rows), st.integers(*columns))
    limits = limit if isinstance(limit, st.SearchStrategy) else st.just(limit)
    return st.tuples(sizes, limits).flatmap(lambda s: arrays(np.int64, s[0], elements=st.integers(-s[1], s[1])))


SMALL = matrices((0, 5), (1, 6))


@given(st.data())
def test_product_is_that_of_python_integers_or_a_range_error(data: st.DataObject) -> None:
    """The product is exact for entries of any size; a result that does not fit into 64 bits raises an error."""
    inner = data.draw(st.integers(0, 4))
    left = data.draw(matrices((0, 3), (inner, inner), LIMITS))
    right = data.draw(matrices((inner, inner), (0, 3), LIMITS))
    exact = exact_product(left, right)
    if any(abs(x) >= 2**63 for line in exact for x in line):
        with pytest.raises(RangeError, match="64 bits: rescale"):
            linalg.product(left, right)
    else:
        result = linalg.product(left, right)
        assert result.dtype == np.int64
        assert result.shape == (len(left), right.shape[1])
        assert result.tolist() == exact


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([[4097]], [[4097]]),  # odd and just past 2²⁴, the last integer of float32
        ([[94906267]], [[94906267]]),  # odd and just past 2⁵³, the last integer of float64
        ([[2**31, 1]], [[2**31], [1]]),  # 2⁶² + 1: within int64
        ([[2**62, 2**62 - 1]], [[1], [1]]),  # 2⁶³ − 1: the largest that fits
        ([[-(2**62), -(2**62) + 1]], [[1], [1]]),  # and its negative
        ([[2**62, 2**62, -(2**62)]], [[1], [1], [1]]),  # a partial sum does not fit, the result does
        ([[10**40]], [[0]]),  # beyond float32 and int64, times nothing
        ([[10**40, 10**40]], [[1], [-1]]),  # beyond 64 bits, cancelling
    ],
)
def test_product_at_the_edges(left: list[list[int]], right: list[list[int]]) -> None:
    """At each change of arithmetic (float32, float64, int64, Python integers) no bit is lost."""
    a, b = np.array(left, object), np.array(right, object)
    assert linalg.product(a, b).tolist() == exact_product(a, b)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([[2**62, 2**62]], [[1], [1]]),  # 2⁶³: one too many, and −2⁶³ if it were wrapped
        ([[2**32]], [[2**32]]),  # 2⁶⁴: 0 if it were wrapped
        ([[-(2**62), -(2**62), -1]], [[1], [1], [1]]),
    ],
)
def test_product_never_wraps(left: list[list[int]], right: list[list[int]]) -> None:
    """A result beyond 64 bits is an error in `product` and a Python integer in `exact_product`."""
    a, b = np.array(left), np.array(right)
    with pytest.raises(RangeError, match="64 bits: rescale"):
        linalg.product(a, b)
    assert linalg.exact_product(a, b).tolist() == exact_product(a, b)


@pytest.mark.parametrize("value", [2**63, -(2**63), 2**64, 10**30])
def test_to_int64_refuses_what_does_not_fit(value: int) -> None:
    """An integer of one bit too many raises an error of Unwritten that is also the standard OverflowError."""
    with pytest.raises(RangeError) as raised:
        linalg.to_int64(np.array([[0, value]], object))
    assert isinstance(raised.value, UnwrittenError)
    assert isinstance(raised.value, OverflowError)
    assert linalg.to_int64(np.array([[2**63 - 1]], object)).tolist() == [[2**63 - 1]]


def test_largest_of_the_smallest_int64() -> None:
    """The absolute value of −2⁶³ is not an int64, and is still right."""
    assert linalg.largest(np.array([-(2**63), 5])) == 2**63
    assert linalg.largest(np.zeros((0, 3), np.int64)) == 0


@given(matrices((0, 5), (1, 6), st.sampled_from([1, 3, 50, 2**31 - 1])))
def test_kernel_annihilates_and_is_whole(matrix: IntArray) -> None:
    """Kernel rows vanish on the matrix, are independent, and are width − rank in number."""
    rows = linalg.kernel(matrix)
    assert rows.shape == (matrix.shape[1] - rank(matrix), matrix.shape[1])
    assert annihilates(matrix, rows)
    assert rank(rows) == len(rows)


@given(matrices((0, 3), (1, 5), st.sampled_from([1, 3, 7])))
def test_short_kernel_generates_every_integer_point(matrix: IntArray) -> None:
    """No integer vector of the kernel is missed: the maximal minors of the short rows have gcd 1."""
    rows = linalg.short_kernel(matrix)
    assert annihilates(matrix, rows)
    assert same_span(rows, linalg.kernel(matrix))
    assert minors_gcd(rows) == 1


@pytest.mark.parametrize("seed", range(5))
def test_kernels_of_labels_near_the_largest(seed: int) -> None:
    """Entries next to ±2³¹ give exact rational kernels; the short rows keep their span."""
    rng = np.random.default_rng(seed)
    matrix = rng.choice([-1, 1], (2, 4)) * (2**31 - rng.integers(1, 100, (2, 4)))
    rows = linalg.kernel(matrix)
    assert len(rows) == 2
    assert annihilates(matrix, rows)
    short = linalg.short_kernel(matrix)
    assert same_span(short, rows)
    assert minors_gcd(short) == 1
    assert np.abs(short).max(axis=1).min() < 2**33  # LLL: the first row has at most half the bits of the determinant


@pytest.mark.parametrize(
    ("matrix", "expected"),
    [
        ([[3, 5, 7]], 2),  # fractions with denominator 3
        ([[17, 34, 1], [0, 17, 0]], 1),  # a denominator that is not a small prime
        ([[0, 0, 0], [0, 1, 0]], 2),  # a zero row and zero columns
        ([[2**31 - 1, 0, 0], [0, 1, 1]], 1),  # the first prime hides a pivot
        ([[2**61 - 1, 2**31 - 1, 0, 0], [0, 0, 1, 1]], 2),  # an entry is the second prime, another the first
        ([[(2**31 - 1) * 2**30, 1, 0], [(2**31 - 1) * 2**30, 2, 0]], 1),  # products far beyond 64 bits
    ],
)
def test_kernels_with_fractions_zeros_and_unlucky_primes(matrix: list[list[int]], expected: int) -> None:
    """A kernel modulo a prime is accepted only after the exact test, so no prime can give a wrong kernel."""
    array = np.array(matrix, np.int64)
    for rows in (linalg.kernel(array), linalg.short_kernel(array)):
        assert len(rows) == expected
        assert annihilates(array, rows)
        assert rank(rows) == expected


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (2, 3)])
def test_empty_and_zero_matrices(shape: tuple[int, int]) -> None:
    """The kernel of a matrix of zeros is the whole space; without columns it is empty."""
    zero = np.zeros(shape, np.int64)
    assert linalg.rank(zero) == linalg.rank_modulo(zero) == 0
    assert linalg.independent(zero).tolist() == []
    assert linalg.kernel(zero).tolist() == np.eye(shape[1], dtype=int).tolist()


def test_a_half_sum_is_found() -> None:
    """If half the sum of two echelon rows is integral, the basis contains it instead of a row twice as long."""
    matrix = np.array([[2, 1, 1, 0], [0, 1, -1, 2]])
    rows = linalg.short_kernel(matrix)
    assert minors_gcd(rows) == 1
    assert minors_gcd(np.array([[-1, 1, 1, 0], [1, -3, -1, 2]])) == 2  # a kernel too, but not of all integer points
    assert sorted(np.abs(rows).sum(axis=1).tolist()) == [3, 3]


@pytest.mark.parametrize(("shape", "bits"), [((30, 60), 31), ((50, 100), 63), ((60, 100), 64)])
def test_random_kernels_with_large_determinants(shape: tuple[int, int], bits: int) -> None:
    """If echelon rows need dozens of bits, the kernel is still exact and has a short basis."""
    matrix = np.random.default_rng(0).integers(0, 2, shape)
    rows = linalg.kernel(matrix)
    assert len(rows) == shape[1] - linalg.rank(matrix)
    assert annihilates(matrix, rows)
    assert linalg.largest(rows) > 2 ** (bits - 8)  # the case is as hard as it says
    short = linalg.short_kernel(matrix)
    assert short.shape == rows.shape
    assert annihilates(matrix, short)
    assert linalg.rank(short) == len(short)
    assert linalg.largest(short) <= 16


@pytest.mark.parametrize(("shape", "high"), [((30, 33), 2), ((40, 50), 2), ((24, 30), 9)])
def test_small_and_large_kernels_are_reduced_to_one_lattice(
    shape: tuple[int, int], high: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The integer points of a small kernel are all points that the way for large ones finds, and no others."""
    matrix = np.random.default_rng(1).integers(0, high, shape)
    forms = []
    for few in (kernels.FEW, shape[1] + 1):
        monkeypatch.setattr(kernels, "FEW", few)
        rows = kernels._lattice_kernel(matrix)
        assert annihilates(matrix, rows)
        forms.append(fmpz_mat(rows.tolist()).hnf())
    assert forms[0].nrows() * 4 <= shape[1]
    assert forms[0] == forms[1]


def test_a_kernel_beyond_reduction_says_what_to_do() -> None:
    """With too few examples of too many variables, an error comes quickly and asks for more examples or no rules."""
    matrix = np.random.default_rng(0).integers(0, 2, (120, 200))
    with pytest.raises(RangeError, match=r"more examples than variables, or rules=\[\]"):
        linalg.short_kernel(matrix)


@given(SMALL)
def test_short_basis_spans_the_same_space_with_primitive_rows(matrix: IntArray) -> None:
    """Lattice reduction loses nothing, and no row has a common factor."""
    rows = matrix[linalg.independent(matrix)]
    short = linalg.short_basis(rows)
    assert same_span(short, rows)
    assert len(short) == len(rows)
    assert all(gcd(*row) == 1 for row in short.tolist())


@given(SMALL, st.randoms(use_true_random=False))
def test_canonical_forgets_order_and_sign(matrix: IntArray, random: object) -> None:
    """Rows in any order, times any non-zero number, come out the same."""
    rows = matrix[matrix.any(axis=1)]
    places = list(range(len(rows)))
    random.shuffle(places)  # type: ignore[attr-defined]
    times = np.array([random.choice([-3, -1, 2]) for _ in places], np.int64)  # type: ignore[attr-defined]
    assert linalg.canonical(rows[places] * times[:, None]).tolist() == linalg.canonical(rows).tolist()


def test_canonical_prefers_positive_entries() -> None:
    """−a − b = −1 is written a + b = 1, shorter rows first."""
    rows = np.array([[-1, -1, -1, 1], [0, -2, 0, 4]])
    assert linalg.canonical(rows).tolist() == [[0, 1, 0, -2], [1, 1, 1, -1]]


@given(matrices((0, 5), (1, 6), st.sampled_from([1, 3, 2**31 - 1])))
def test_rank_is_that_of_fractions(matrix: IntArray) -> None:
    """The rank is exact, and the rank modulo a prime never exceeds it."""
    assert linalg.rank(matrix) == rank(matrix)
    assert linalg.rank_modulo(matrix) <= rank(matrix)


@given(SMALL)
def test_independent_rows_are_the_first_basis(matrix: IntArray) -> None:
    """A row is chosen exactly if the rows before it do not span it."""
    grows = [i for i in range(len(matrix)) if rank(matrix[: i + 1]) > rank(matrix[:i])]
    assert linalg.independent(matrix).tolist() == grows
    assert linalg.independent(matrix, exact=False).tolist() == grows  # these primes hide nothing so small


def test_independent_where_the_first_prime_is_blind() -> None:
    """Rows that vanish modulo the first prime are found by the exact search only."""
    matrix = np.array([[2**31 - 1, 0], [0, 1]])
    assert linalg.independent(matrix).tolist() == [0, 1]
    assert linalg.independent(matrix, exact=False).tolist() == [1]


@given(SMALL, st.data())
def test_eliminated_is_every_consequence_without_the_columns(matrix: IntArray, data: st.DataObject) -> None:
    """The rows vanish on the columns, follow from the matrix, and span all rows with these two properties."""
    columns = np.array(data.draw(st.lists(st.booleans(), min_size=matrix.shape[1], max_size=matrix.shape[1])), bool)
    rows = linalg.eliminated(matrix, columns)
    assert not rows[:, columns].any()
    assert rank([*matrix.tolist(), *rows.tolist()]) == rank(matrix)
    # dim(row space ∩ {zero on columns}) = rank − rank of the restriction to the columns
    assert rank(rows) == rank(matrix) - rank(matrix[:, columns])


@given(SMALL, st.data())
def test_pivot_columns_can_be_solved_for(matrix: IntArray, data: st.DataObject) -> None:
    """One column per independent row, on which the rows stay independent, taken in the order of preference."""
    preference = data.draw(st.permutations(range(matrix.shape[1])))
    chosen = linalg.pivot_columns(matrix, preference)
    assert len(chosen) == rank(matrix) == rank(matrix[:, chosen])
    grows = [
        c
        for k, c in enumerate(preference)
        if rank(matrix[:, preference[: k + 1]].T) > len(echelon(matrix[:, preference[:k]].T))
    ]
    assert chosen == grows


@settings(max_examples=30)
@given(matrices((1, 5), (2, 6)))
def test_pair_reduction_shortens_and_keeps_the_span(matrix: IntArray) -> None:
    """Pair reduction never lengthens a row and never changes the space."""
    width = matrix.shape[1] - 1
    rows = matrix[linalg.independent(matrix[:, :width])]
    reduced = linalg.pair_reduced(rows, width)
    assert same_span(reduced, rows)
    before, after = ((table[:, :width] ** 2).sum() for table in (rows, reduced))
    assert after <= before


def test_two_groups_that_nearly_agree_become_one_and_a_short_difference() -> None:
    """Exactly one of a, b, c, d and exactly one of a, b, c, e: the second turns into d = e."""
    rows = np.array([[1, 1, 1, 1, 0, -1], [1, 1, 1, 0, 1, -1]])
    reduced = linalg.pair_reduced(rows, 5)
    assert sorted(np.abs(reduced[:, :5]).sum(axis=1).tolist()) == [2, 4]
    assert same_span(reduced, rows)
