"""Every installed back end on the same small programs, against brute force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product

import numpy as np
import pytest

from unwritten.data import BoolArray, FloatArray, IntArray, Variables
from unwritten.errors import SolverError
from unwritten.solving.backends import TABLE, Backend, Limits, Reply, Rows, backend_class
from unwritten.solving.decision import NO_LABEL, Status

Open = Callable[[Variables, Rows], Backend]
EXACT = Limits()


@dataclass(frozen=True, eq=False)
class Small:
    """A program small enough to list all its points."""

    variables: Variables
    rows: Rows
    extra: Rows
    points: IntArray
    feasible: IntArray  # one of the points that obey the rows

    def obeying(self, *blocks: Rows) -> BoolArray:
        """Return, for each point, whether it obeys all these rows."""
        obeys = np.ones(len(self.points), bool)
        for rows in blocks:
            activity = self.points @ rows.matrix.T
            obeys &= ((activity >= rows.lower) & (activity <= rows.upper)).all(axis=1)
        return obeys


def small(seed: int) -> Small:
    """Bounds of both signs; an equality, inequalities, a two-sided row and float cuts around a random point."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(3, 7))
    lower = rng.integers(-3, 2, d)
    upper = lower + rng.integers(0, 4, d)
    points = np.array(list(product(*(range(low, high + 1) for low, high in zip(lower, upper, strict=True)))))
    inside = points[rng.integers(len(points))]
    whole, cuts = rng.integers(-3, 4, (4, d)).astype(float), rng.normal(size=(3, d))
    level = np.concatenate([whole @ inside, cuts @ inside])
    rows = Rows(
        np.concatenate([whole, cuts]),
        np.array([level[0], -np.inf, level[2] - 2, level[3], -np.inf, -np.inf, -np.inf]),
        level + np.array([0, 1, 1, np.inf, *rng.random(3)]),
    )
    more = rng.normal(size=(2, d))
    extra = Rows(more, np.full(2, -np.inf), more @ inside + rng.random(2))
    names = tuple(f"y{j}" for j in range(d))
    return Small(Variables(names, lower, upper), rows, extra, points, inside)


def knapsack(d: int = 60) -> tuple[Variables, Rows, FloatArray]:
    """Return a program that every solver needs some time for."""
    rng = np.random.default_rng(7)
    matrix = rng.integers(0, 1000, (30, d)).astype(float)
    variables = Variables.named([f"y{j}" for j in range(d)])
    return variables, Rows(matrix, np.full(30, -np.inf), matrix.sum(axis=1) // 2), 100 * rng.random(d)


def check_best(reply: Reply, weights: FloatArray, points: IntArray, context: object = "") -> None:
    """The reply is an optimum over `points` (or says that there are none), and its bound is valid and tight."""
    if not len(points):
        assert reply.status is Status.INFEASIBLE, (context, reply)
        assert reply.values is None
        return
    assert reply.status is Status.OPTIMAL, (context, reply)
    label, best, unit = reply.rounded(), (points @ weights).max(), np.abs(weights).max()
    assert (points == label).all(axis=1).any(), (context, label)
    assert label @ weights == pytest.approx(best, abs=1e-9 * unit), context
    assert best - 1e-9 * unit <= reply.bound <= best + 1e-6 * unit, context


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.skipif(find_spec(package) is None, reason=f"{package} is not installed"))
        for name, (_, _, package, _) in TABLE.items()
    ]
)
def open_backend(request: pytest.FixtureRequest) -> Open:
    """Each back end of the table in turn."""
    opened = backend_class(request.param)
    try:
        opened(Variables.named("a"), Rows(np.ones((1, 1)), np.zeros(1), np.ones(1)))
    except SolverError as error:
        pytest.skip(str(error))
    return opened


@pytest.mark.parametrize("seed", range(12))
def test_finds_the_optimum(open_backend: Open, seed: int) -> None:
    """Equalities, inequalities, two-sided rows and float cuts: same optimum and bound as listing all points."""
    program, rng = small(seed), np.random.default_rng(seed)
    backend, points = open_backend(program.variables, program.rows), program.points[program.obeying(program.rows)]
    d = len(program.variables)
    for weights in (rng.normal(size=d), rng.integers(-2, 3, d).astype(float), np.zeros(d)):
        check_best(backend.solve(weights, EXACT), weights, points, weights)


def test_weights_of_any_scale(open_backend: Open, request: pytest.FixtureRequest) -> None:
    """A power of two in the weights changes nothing, though solvers have absolute tolerances."""
    for seed in range(6):
        program = small(seed)
        backend, points = open_backend(program.variables, program.rows), program.points[program.obeying(program.rows)]
        for exponent in (-60, -30, 30):
            weights = np.ldexp(np.random.default_rng(seed).normal(size=len(program.variables)), exponent)
            check_best(backend.solve(weights, EXACT), weights, points, (seed, exponent))


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (Rows(np.array([[2.0, 2.0]]), np.array([3.0]), np.array([3.0])), "an even sum cannot be odd"),
        (Rows(np.array([[1.0, 1.0]]), np.array([9.0]), np.array([np.inf])), "out of reach of the bounds"),
        (Rows(np.array([[0.3, 0.3]]), np.array([0.35]), np.array([0.55])), "no integer between"),
        (Rows(np.array([[0.0, 0.0]]), np.array([1.0]), np.array([2.0])), "an empty row that fails"),
        (Rows(np.eye(2)[[0, 0]], np.array([1.0, 0.0]), np.array([1.0, 0.0])), "two values for one variable"),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_infeasible(open_backend: Open, rows: Rows, why: str) -> None:
    """A program without points is called infeasible, and nothing is passed off as its answer."""
    reply = open_backend(Variables.named("ab", upper=2), rows).solve(np.array([1.0, -1.0]), EXACT)
    assert reply.status is Status.INFEASIBLE, why
    assert reply.values is None
    assert reply.message


def test_no_rows(open_backend: Open) -> None:
    """Without rows, every variable goes to the better of its bounds."""
    variables = Variables.named("abc", [-2, -1, 0], [3, 1, 0])
    backend = open_backend(variables, Rows(np.zeros((0, 3)), np.zeros(0), np.zeros(0)))
    reply = backend.solve(np.array([1.5, -2.0, 4.0]), EXACT)
    assert reply.rounded().tolist() == [3, -1, 0]
    assert reply.bound == pytest.approx(6.5)


@pytest.mark.parametrize("seed", range(6))
def test_pinned(open_backend: Open, seed: int) -> None:
    """Pinned variables keep their value in that query only."""
    program = small(seed)
    weights = np.random.default_rng(seed).normal(size=len(program.variables))
    backend, obeys = open_backend(program.variables, program.rows), program.obeying(program.rows)
    for column in range(len(program.variables)):
        for value in (program.feasible[column], program.variables.lower[column]):
            pinned = np.full(len(program.variables), NO_LABEL)
            pinned[column] = value
            points = program.points[obeys & (program.points[:, column] == value)]
            check_best(backend.solve(weights, EXACT, pinned), weights, points, (column, value))
    check_best(backend.solve(weights, EXACT), weights, program.points[obeys])


@pytest.mark.parametrize("seed", range(6))
def test_added_rows(open_backend: Open, seed: int) -> None:
    """Added rows count, in one block or in several, until they are dropped; dropping twice is harmless."""
    program = small(seed)
    weights = np.random.default_rng(seed).normal(size=len(program.variables))
    backend = open_backend(program.variables, program.rows)
    base, both = program.obeying(program.rows), program.obeying(program.rows, program.extra)
    halves = [Rows(program.extra.matrix[k], program.extra.lower[k], program.extra.upper[k]) for k in ([0], [1], [])]
    for blocks in ([program.extra], halves):
        for rows in blocks:
            backend.add(rows)
        check_best(backend.solve(weights, EXACT), weights, program.points[both])
        backend.drop_added()
        backend.drop_added()
        check_best(backend.solve(weights, EXACT), weights, program.points[base])


@pytest.mark.parametrize("seed", range(4))
def test_independent_of_earlier_queries(open_backend: Open, seed: int) -> None:
    """With many equally good labels, a model that has been used answers as a fresh one does."""
    rng = np.random.default_rng(seed)
    d = 14
    variables = Variables.named([f"y{j}" for j in range(d)], upper=2)
    matrix = rng.integers(0, 5, (4, d)).astype(float)
    rows = Rows(matrix, np.full(4, -np.inf), matrix.sum(axis=1) // 2)
    extra = Rows(rng.normal(size=(2, d)), np.full(2, -np.inf), np.ones(2))
    used = open_backend(variables, rows)
    for _ in range(3):
        weights = rng.integers(0, 3, d).astype(float)
        fresh = open_backend(variables, rows).solve(weights, EXACT)
        reply = used.solve(weights, EXACT)
        assert reply.rounded().tolist() == fresh.rounded().tolist()
        assert reply.bound == fresh.bound
        used.add(extra)
        used.solve(rng.normal(size=d), Limits(gap=0.3))
        used.drop_added()
        used.solve(-weights, Limits(time_limit=0.0), np.where(np.arange(d) < 2, 0, NO_LABEL))


def test_time_limit(open_backend: Open) -> None:
    """Out of time, a back end returns a feasible label with a valid bound, or no label; it never claims an optimum."""
    variables, rows, weights = knapsack()
    backend = open_backend(variables, rows)
    backend.solve(weights, Limits(gap=400.0))  # a solution that must not be handed out again
    for seconds in (0.0, 1e-6, 0.02, 0.1):
        reply = backend.solve(weights, Limits(time_limit=seconds))
        if reply.status is Status.TIME_LIMIT:
            assert reply.values is None
        elif reply.status is not Status.OPTIMAL:
            assert reply.status is Status.FEASIBLE
            assert (rows.matrix @ reply.rounded() <= rows.upper).all()
            assert reply.rounded() @ weights <= reply.bound
        assert seconds > 0 or reply.status is Status.TIME_LIMIT


def test_gap(open_backend: Open) -> None:
    """A label within the gap of a valid bound counts as optimal."""
    variables, rows, weights = knapsack(30)
    backend = open_backend(variables, rows)
    best = backend.solve(weights, EXACT)
    gap = 0.5 * best.bound
    loose = backend.solve(weights, Limits(gap=gap))
    assert best.status is loose.status is Status.OPTIMAL
    value = loose.rounded() @ weights
    assert value <= best.rounded() @ weights <= loose.bound * (1 + 1e-9)
    assert loose.bound - value <= gap
    assert loose.bound > value  # stopped early; else this test shows nothing


@pytest.mark.skipif(find_spec("gurobipy") is None, reason="gurobipy is not installed")
def test_gurobi_size_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model too large for the licence fails with Gurobi's own message; a missing licence is an error with a cure."""
    import gurobipy

    from unwritten.solving.backends.gurobi import GurobiBackend

    def refuse(*_: object, **__: object) -> None:
        raise gurobipy.GurobiError(10009, "no licence")

    d = 2001
    variables = Variables.named([f"y{j}" for j in range(d)])
    rows = Rows(np.ones((1, d)), np.zeros(1), np.ones(1))
    try:
        reply = GurobiBackend(variables, rows).solve(np.ones(d), EXACT)
    except SolverError as error:
        pytest.skip(str(error))
    assert reply.status is Status.OPTIMAL or (reply.status is Status.FAILED and "Gurobi: Model too" in reply.message)
    monkeypatch.setattr(gurobipy, "Env", refuse)
    with pytest.raises(SolverError, match=r"no licence.*licence, or choose another backend="):
        GurobiBackend(variables, rows)
