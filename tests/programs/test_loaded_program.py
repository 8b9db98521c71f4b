"""Small programs: optima by listing all points, rows added later, limits of work, and programs without a point."""

from itertools import product

import numpy as np
import pytest

from unwritten.programs import LoadedProgram


@pytest.mark.parametrize("seed", range(5))
def test_integer_optima_are_those_of_all_points(seed):
    rng = np.random.default_rng(seed)
    rows, upper = rng.integers(-3, 6, (3, 4)).astype(float), np.array([6.0, 7.0, 8.0])
    program = LoadedProgram(np.zeros(4), np.full(4, 3.0), integral=np.ones(4, bool))
    program.add(rows, upper=upper)
    points = np.array(list(product(range(4), repeat=4)))
    points = points[(points @ rows.T <= upper).all(axis=1)]
    for objective in rng.uniform(-1, 1, (6, 4)):
        solved = program.solve(objective)
        assert solved.optimal
        assert objective @ solved.values == pytest.approx((points @ objective).max())


def test_rows_are_added_to_a_loaded_program():
    program = LoadedProgram(np.zeros(2), np.ones(2))
    objective = np.array([1.0, 1.0])
    assert program.solve(objective).values.sum() == pytest.approx(2)
    program.add(np.array([[1.0, 1.0]]), upper=np.array([0.5]))
    assert program.solve(objective).values.sum() == pytest.approx(0.5)
    program.add(np.array([[1.0, 0.0]]), lower=np.array([0.4]))
    values = program.solve(np.array([0.0, 1.0])).values
    np.testing.assert_allclose(values, [0.4, 0.1], atol=1e-9)


def test_contradictory_rows_have_no_point():
    program = LoadedProgram(np.zeros(1), np.ones(1))
    program.add(np.array([[1.0]]), lower=np.array([2.0]))
    solved = program.solve(np.array([1.0]))
    assert not solved.optimal
    assert solved.values is None


def test_a_query_does_not_depend_on_the_queries_before_it():
    rng = np.random.default_rng(3)
    rows = rng.integers(1, 20, (2, 12)).astype(float)
    fresh, used = (LoadedProgram(np.zeros(12), np.ones(12), integral=np.ones(12, bool)) for _ in range(2))
    for program in (fresh, used):
        program.add(rows, upper=rows.sum(axis=1) / 3)
    used.solve(rng.uniform(size=12))
    objective = rng.uniform(size=12)
    np.testing.assert_array_equal(fresh.solve(objective).values, used.solve(objective).values)


def test_only_points_above_a_value():
    """The optimum if it is above the value that is asked for, no point if nothing is, and nothing is remembered."""
    program = LoadedProgram(np.zeros(3), np.ones(3), integral=np.ones(3, bool))
    program.add(np.array([[2.0, 3.0, 4.0]]), upper=np.array([6.0]))
    objective = np.array([3.0, 4.0, 6.0])
    for above, best in ((8.9, 9), (9.1, None), (None, 9)):
        values = program.solve(objective, above=above).values
        assert (None if values is None else round(float(objective @ values))) == best
