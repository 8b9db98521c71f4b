"""Random small programs, and the comparison of an engine's answers with all labels of the box, listed.

Weights and cuts are multiples of 1/64, so that every sum of them is exact in floats: two values are equal or they
differ by far more than the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray, Variables, tolerance
from unwritten.rules import RuleSet
from unwritten.solving.backends import Limits, highs
from unwritten.solving.engines import BestFirst, GroupBranching, QueryBatch
from unwritten.solving.program import Program

ENGINES: dict[str, Any] = {"groups": GroupBranching, "best-first": BestFirst}
GRID = 64.0  # weights and cuts are multiples of 1/64
REAL_RELAXATIONS = 0.02  # share of the programs whose multipliers come from HiGHS; the others have random ones
REAL_RELAXATIONS_OF_LIMITS = 0.2  # the same share of programs with limits
Row = tuple[tuple[int, ...], str, int]


@dataclass(frozen=True)
class SmallProgram:
    """A program of few variables with its queries, as plain Python values, so that it can be printed and shrunk.

    `redundant` rows are among the `rows`. `floors[i]` chooses the label that query i has to beat, by its place among
    the feasible labels (modulo their number), or is −1. `multipliers` are what the linear relaxation returns, whatever
    the truth (None: HiGHS is asked). `tiles` is the number of weights of cuts up to which best-first
    transposes them, and `first` the number of nodes of the first short search of "groups".
    """

    engine: str
    lower: tuple[int, ...]
    upper: tuple[int, ...]
    rows: tuple[Row, ...]
    redundant: tuple[Row, ...]
    cuts: tuple[tuple[float, ...], ...]
    limits: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]
    floors: tuple[int, ...]
    multipliers: tuple[float, ...] | None
    tiles: int
    first: int


def draw(seed: int, number: int) -> SmallProgram:
    """Draw program `number` of a seed: half of them for each engine."""
    rng = np.random.default_rng((seed, number))
    engine = "groups" if number % 2 else "best-first"
    integers = engine == "best-first" and rng.random() < 0.5
    d = int(rng.integers(1, 5 if integers else 11))
    lower, upper = np.zeros(d, np.int64), np.ones(d, np.int64)
    if integers:
        lower = rng.integers(-1, 2, d)
        upper = np.minimum(3, lower + rng.integers(0, 4, d))
    elif rng.random() < 0.2:
        lower = (rng.random(d) < 0.15).astype(np.int64)
        upper = np.maximum(lower, rng.random(d) < 0.85)
    count = int(rng.integers(0, 6))
    has_limits = rng.random() < 0.4
    density = float(rng.choice([0.3, 0.7, 1.0]))
    rows = tuple(
        _limit(rng, lower, upper, density)
        if has_limits and rng.random() < 0.8
        else (_integer_row(rng, lower, upper) if integers else _literal_row(rng, d))
        for _ in range(count)
    )
    redundant = tuple(row for row in rows if rng.random() < 0.1)
    k = int(rng.integers(1, 5)) if rng.random() < 0.5 else 0
    cuts = np.round(GRID * rng.normal(size=(k, d))) / GRID
    limits = np.round(GRID * (cuts @ rng.integers(lower, upper + 1) + rng.choice([0.0, 0.5, -0.5, 2.0], k))) / GRID
    weights = _weights(rng, d)
    floors = rng.integers(0, 1000, len(weights)) if rng.random() < 0.4 else np.full(len(weights), -1)
    size = 2 * (count + len(redundant))
    multipliers = np.round(GRID * rng.normal(size=size)) / GRID * (rng.random(size) < 0.7)
    real = rng.random() < (REAL_RELAXATIONS_OF_LIMITS if has_limits else REAL_RELAXATIONS)
    return SmallProgram(
        engine,
        tuple(lower.tolist()),
        tuple(upper.tolist()),
        rows,
        redundant,
        tuple(map(tuple, cuts.tolist())),
        tuple(limits.tolist()),
        tuple(map(tuple, weights.tolist())),
        tuple(floors.tolist()),
        None if real else tuple(multipliers.tolist()),
        tiles=(0, 1000)[int(rng.integers(2))],
        first=(1, 3, 1000)[int(rng.integers(3))],
    )


def _literal_row(rng: np.random.Generator, d: int) -> Row:
    """Draw a row that says exactly, at most or at least one of some literals, or all, none or an impossible number."""
    size = int(rng.integers(0, d + 1)) if rng.random() < 0.1 else int(rng.integers(1, min(d, 5) + 1))
    signs = np.zeros(d, np.int64)
    signs[rng.permutation(d)[:size]] = rng.choice([1, 1, 1, -1], size)
    sense = ("==", "<=", ">=")[int(rng.choice(3, p=[0.4, 0.4, 0.2]))]
    count = int(rng.choice([1, size - 1])) if rng.random() < 0.97 else int(rng.choice([0, size, size + 1, -1]))
    if sense == ">=":
        count = 1 if rng.random() < 0.97 else size - 1
        if count not in (1, size, size - 1, 0):
            count = 1
        sense, signs, count = "<=", -signs, -count
        count += int((signs > 0).sum())
    else:
        count -= int((signs < 0).sum())
    times = int(rng.choice([1, 1, 1, 2]))
    return tuple((times * signs).tolist()), sense, times * count


def _integer_row(rng: np.random.Generator, lower: IntArray, upper: IntArray) -> Row:
    """Draw a row of small integers; a random label obeys most of them."""
    coefficients = rng.integers(-3, 4, len(lower)) * (rng.random(len(lower)) < 0.7)
    rhs = int(coefficients @ rng.integers(lower, upper + 1))
    if rng.random() < 0.4:
        return tuple(coefficients.tolist()), "==", rhs + int(rng.random() < 0.1)
    return tuple(coefficients.tolist()), "<=", rhs + int(rng.integers(-1, 3))


def _limit(rng: np.random.Generator, lower: IntArray, upper: IntArray, density: float) -> Row:
    """Draw a capacity, or a row of both signs: few or many labels within the bounds obey it."""
    least = 1 if rng.random() < 0.6 else -9
    coefficients = rng.integers(least, 20, len(lower)) * (rng.random(len(lower)) < density)
    ends = coefficients * lower, coefficients * upper
    smallest, largest = int(np.minimum(*ends).sum()), int(np.maximum(*ends).sum())
    rhs = smallest + int((largest - smallest) * rng.uniform(0.1, 0.9))
    return tuple(coefficients.tolist()), "==" if rng.random() < 0.05 else "<=", rhs


def _weights(rng: np.random.Generator, d: int) -> FloatArray:
    """Draw four rows of weights: continuous, small integers with ties, and two of continuous, clues, negative, zero."""
    normal = np.round(GRID * rng.normal(size=(2, d))) / GRID
    others = (normal[1], rng.integers(0, 2, d), -np.abs(normal[1]), np.zeros(d))
    chosen = rng.permutation(4)[:2]
    return np.array([normal[0], rng.integers(-2, 3, d), others[chosen[0]], others[chosen[1]]], float)


class _GivenMultipliers:
    """A relaxation that returns the same multipliers for every query; engines must be right with any."""

    def __init__(self, multipliers: tuple[float, ...], variables: object, rows: Any, integral: bool) -> None:
        self._multipliers = np.array(multipliers[: len(rows)])

    def duals(self, weights: FloatArray) -> FloatArray:
        """Return the multipliers."""
        return self._multipliers


@contextmanager
def _settings(small: SmallProgram) -> Iterator[None]:
    """Set the budgets and the relaxation of a program, and set them back at the end."""
    names = ("CUT_TILE_ENTRIES", "PROPAGATION_NODES_FIRST")
    before, relaxation = [getattr(budgets, name) for name in names], highs.HighsBackend
    for name, value in zip(names, (small.tiles, small.first), strict=True):
        setattr(budgets, name, value)
    if small.multipliers is not None:
        highs.HighsBackend = partial(_GivenMultipliers, small.multipliers)  # type: ignore[assignment, misc]
    try:
        yield
    finally:
        highs.HighsBackend = relaxation  # type: ignore[misc]
        for name, value in zip(names, before, strict=True):
            setattr(budgets, name, value)


def _rules(variables: Variables, rows: tuple[Row, ...]) -> RuleSet:
    r, d = len(rows), len(variables)
    matrix = np.array([row for row, _, _ in rows], np.int64).reshape(r, d)
    equality = np.array([sense == "==" for _, sense, _ in rows], bool)
    rhs = np.array([b for _, _, b in rows], np.int64)
    return RuleSet(variables, matrix, equality, rhs, ("given",) * r, (None,) * r)


def program_of(small: SmallProgram) -> Program:
    """Build the program that an engine gets."""
    d = len(small.lower)
    variables = Variables.named([f"y{j}" for j in range(d)], small.lower, small.upper)
    return Program(
        variables=variables,
        rules=_rules(variables, small.rows),
        redundant=_rules(variables, small.redundant),
        width=d,
        cut_weights=np.array(small.cuts, float).reshape(-1, d),
        cut_limits=np.array(small.limits, float),
        cuts_exact=True,
        seen=np.zeros((0, d), np.int64),
        lift=lambda labels: labels,
    )


@cache
def _box(lower: tuple[int, ...], upper: tuple[int, ...]) -> FloatArray:
    return np.array(list(product(*(range(a, b + 1) for a, b in zip(lower, upper, strict=True)))), float)


def listed(small: SmallProgram) -> tuple[FloatArray, FloatArray]:
    """List all labels under the rules, and those of them that pass the cuts: the reference, without the engines."""
    labels, d = _box(small.lower, small.upper), len(small.lower)
    for row, sense, rhs in small.rows:
        activity = labels @ np.array(row, float)
        labels = labels[activity == rhs if sense == "==" else activity <= rhs]
    inside = (labels @ np.array(small.cuts, float).reshape(-1, d).T <= np.array(small.limits)).all(axis=1)
    return labels, labels[inside]


def difference(small: SmallProgram) -> str:
    """Ask the engine and compare with the listed labels; return what differs, or an empty string."""
    under_rules, points = listed(small)
    weights = np.array(small.weights).reshape(-1, len(small.lower))
    with _settings(small):
        program = program_of(small)
        queries = _queries(small, program, weights, points)
        answers = ENGINES[small.engine](program, "").answer(queries, Limits())
    if not len(points):
        return "" if set(answers.status) <= {"infeasible"} else f"infeasible, but the status is {answers.status}"
    if set(answers.status) - {"optimal"}:
        return f"feasible, but the status is {list(answers.status)}: {list(answers.notes)}"
    best = (weights @ points.T).max(axis=1)
    obeys = (answers.labels[:, None] == points).all(axis=2).any(axis=1)
    values = (weights * answers.labels).sum(axis=1)
    used_cuts = (weights @ under_rules.T).max(axis=1) > best
    for wrong, what, ours, truth in (
        (~obeys, "a label breaks the program", answers.labels, points),
        (values != best, "a label is not the best", values, best),
        (np.abs(answers.bounds - best) > queries.tolerance, "a bound is not the best value", answers.bounds, best),
        (answers.used_cuts != used_cuts, "used_cuts is wrong", answers.used_cuts, used_cuts),
    ):
        if wrong.any():
            return f"{what} at queries {np.flatnonzero(wrong).tolist()}: {ours.tolist()}, should be {truth.tolist()}"
    return ""


def _queries(small: SmallProgram, program: Program, weights: FloatArray, points: FloatArray) -> QueryBatch:
    """Build the queries, each with its label to beat; without feasible labels there is none."""
    equal = tolerance(weights, program.variables)
    places = np.array(small.floors, np.int64)
    chosen: IntArray = np.zeros(weights.shape, np.int64)
    if len(points):
        chosen = points[places % len(points)].astype(np.int64)
    floor = np.where((places >= 0) & (len(points) > 0), (weights * chosen).sum(axis=1), -np.inf)
    return QueryBatch(weights, floor, chosen, equal, np.zeros(len(weights)))
