"""The rewrite of float rows and objectives in integers: laws that hold for all of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unwritten.solving.backends import Rows
from unwritten.solving.backends.backend import normalised_objective
from unwritten.solving.backends.integer_rows import LIMIT, integer_objective, integer_rows

WHOLE = st.integers(-1000, 1000).map(float)
DYADIC = st.integers(-64, 64).map(lambda n: n / 16)
ANY = st.floats(-10, 10) | st.floats(-1e200, 1e200) | st.sampled_from([0.1, 1e-300, 5e-324, 1e200, 2.0**60])
WEIGHT = WHOLE | DYADIC | ANY


@st.composite
def rows_and_points(draw, weight=WEIGHT):
    """A row whose sides often touch a point as floats evaluate it, a reach, and points within that reach."""
    d = draw(st.integers(1, 4))
    matrix = np.array([draw(st.lists(weight, min_size=d, max_size=d))])
    if draw(st.booleans()):
        reach = np.array(draw(st.lists(st.integers(0, 2), min_size=d, max_size=d)))
        points = np.array(list(product(*(range(-r, r + 1) for r in reach.tolist()))))
    else:
        reach = np.array(draw(st.lists(st.integers(0, 2**31 - 1), min_size=d, max_size=d)))
        point = st.tuples(*(st.integers(-r, r) for r in reach.tolist()))
        points = np.array(draw(st.lists(point, min_size=1, max_size=5)))
    touched = (matrix @ points[draw(st.integers(0, len(points) - 1))])[0]
    side = st.sampled_from([touched, np.nextafter(touched, -np.inf), np.nextafter(touched, np.inf)]) | weight
    lower, upper = (np.array([draw(side | st.just(sign * np.inf))]) for sign in (-1, 1))
    return Rows(matrix, lower, upper), reach, points


def exact(row, point) -> Fraction:
    """The dot product without rounding."""
    return sum((Fraction(a) * x for a, x in zip(row.tolist(), point.tolist(), strict=True)), Fraction(0))


def obeys(rows, value) -> bool:
    """True if an activity lies between the two right-hand sides."""
    return bool(rows.lower[0] <= value <= rows.upper[0])


@given(rows_and_points())
def test_nothing_is_cut_off(case):
    """A point that satisfies the row, exactly or in floats, satisfies the integer row; sums stay below 2⁵⁰."""
    rows, reach, points = case
    whole = integer_rows(rows, reach)
    assert sum(abs(a) * r for a, r in zip(whole.matrix[0].tolist(), reach.tolist(), strict=True)) < LIMIT
    for point in points:
        if obeys(rows, exact(rows.matrix[0], point)) or obeys(rows, rows.matrix[0] @ point):
            assert whole.lower[0] <= whole.matrix[0] @ point <= whole.upper[0]


@given(rows_and_points(WHOLE | DYADIC))
def test_integral_rows_keep_their_solutions(case):
    """A row of integers, or of integers over a power of two, keeps exactly its solutions, for any right-hand sides."""
    rows, reach, points = case
    whole = integer_rows(rows, reach)
    for point in points:
        kept = whole.lower[0] <= whole.matrix[0] @ point <= whole.upper[0]
        assert kept == obeys(rows, exact(rows.matrix[0], point))


def test_integer_rows_stay_as_they_are():
    """Integer rows stay unchanged, and a missing right-hand side becomes one that no label reaches."""
    rows = Rows(np.array([[2.0, -4.0], [0.0, 0.0]]), np.array([-np.inf, 1.0]), np.array([2.5, 1.0]))
    whole = integer_rows(rows, np.array([1, 5]))
    assert whole.matrix.tolist() == [[2, -4], [0, 0]]
    assert whole.lower.tolist() == [-LIMIT, 1]
    assert whole.upper.tolist() == [2, 1]


@given(rows_and_points())
def test_objective_bound_is_valid(case):
    """The best integer value within reach gives a bound that no point's true value exceeds."""
    rows, reach, points = case
    scaled = integer_objective(rows.matrix[0], reach)
    bound = scaled.bound(float(max(scaled.weights @ point for point in points)))
    assert all(exact(rows.matrix[0], point) <= Fraction(bound) for point in points)


@given(rows_and_points(WHOLE | DYADIC))
def test_integral_objective_is_exact(case):
    """For an integral objective the bound is the best value itself."""
    rows, reach, points = case
    scaled = integer_objective(rows.matrix[0], reach)
    assert scaled.error == 0
    bound = scaled.bound(float(max(scaled.weights @ point for point in points)))
    assert Fraction(bound) == max(exact(rows.matrix[0], point) for point in points)


@given(st.lists(WHOLE | st.floats(1e-150, 1e150) | st.floats(-1e6, -1e-6), min_size=1, max_size=5).map(np.array))
def test_normalised_is_a_power_of_two(objective):
    """The largest weight lands in [2⁹, 2¹⁰), and scaling back gives the same floats."""
    scaled, exponent = normalised_objective(objective)
    assert np.array_equal(np.ldexp(scaled, exponent), objective)
    assert not objective.any() or 2**9 <= np.abs(scaled).max() < 2**10
