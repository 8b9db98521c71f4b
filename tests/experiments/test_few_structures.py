"""A quick run on problems that are matroids and on problems that are not."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import unwritten
from experiments.few import problems
from experiments.few.problems import Problem
from experiments.few.structures import BOTH, FALSE, LABELS, MATCH, OWN, SEEN, own_rules_mined, run
from experiments.result import Result, RunContext
from unwritten.rules import RuleSet
from unwritten.samples import trees

pytest.importorskip("matplotlib")

ELEMENTARY = ["matchings of K8", "assignments 4×4", "choices from 5 groups"]
NAMES = [*ELEMENTARY, "paths in a 4×4 grid", "packings of 12 items", "spanning trees of K6"]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("structures")


@pytest.fixture(scope="module")
def result(out: Path) -> Result:
    return run(RunContext(out=out, quick=True))


def test_no_matroid_is_claimed_where_there_is_none(result: Result) -> None:
    """Matchings, assignments, paths and packings are never mined as matroids; trees are, from 300 examples."""
    claims = result.facts["matroids"]
    assert set(claims) == set(NAMES)
    assert result.facts["false claims"] == 0
    assert result.facts["wrong matroids"] == []
    assert claims["spanning trees of K6"]["claimed"] >= claims["spanning trees of K6"]["runs"] // 2


@pytest.mark.parametrize("model", [LABELS, BOTH])
def test_the_own_rules_are_found_and_no_false_ones(result: Result, model: str) -> None:
    """300 examples give all rules of all problems except packings; 100 give the rules that are exactly-one groups."""
    for name in NAMES:
        for size in (100, 300):
            case = f"{name}, {size} examples"
            assert result.ours(case, model, FALSE) == 0
            if name in ELEMENTARY or (size == 300 and not name.startswith("packings")):
                assert result.ours(case, model, OWN) == 100
                assert result.ours(case, model, MATCH) == 100


def test_rules_answer_what_was_never_seen(result: Result) -> None:
    """The rules of 100 matchings answer every query rightly; the best seen label is often not the best label."""
    case = "matchings of K8, 100 examples"
    assert result.ours(case, SEEN, MATCH) < 80
    assert "exactly one of 0-1, 0-2, 0-3, 0-4, 0-5, 0-6, 0-7" in result.facts["mined"]["matchings of K8"]


def test_the_result_is_whole(result: Result, out: Path) -> None:
    """Each case has seven numbers with their spread, the figure is saved, and the known weakness is reported."""
    assert len(result.rows) == 7 * 2 * len(NAMES)
    assert all(row.spread is not None for row in result.rows)
    assert (out / "structures.png").stat().st_size > 1000
    assert any("rectangular" in note for note in result.notes)


@pytest.mark.parametrize(
    ("problem", "count"),
    [
        (problems.matchings(6), 15),
        (problems.matchings(8), 105),
        (problems.assignments(4), 24),
        (problems.paths(4), 20),
        (problems.spanning_trees(5), 125),
        (problems.choices(4), 48),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_all_labels_are_listed_once_and_obey_the_rules(problem: Problem, count: int) -> None:
    """The listed labels are distinct, as many as theory says, and obey the rules of the problem."""
    assert len(np.unique(problem.feasible, axis=0)) == len(problem.feasible) == count
    assert not problem.own.violations(problem.feasible).any()


@pytest.mark.parametrize(
    ("problem", "other"),
    [
        (problems.spanning_trees(5), lambda weights: trees.best(weights, 5)),
        (
            problems.assignments(4),
            lambda weights: np.array(
                [np.eye(4, dtype=int)[linear_sum_assignment(-w.reshape(4, 4))[1]].ravel() for w in weights]
            ),
        ),
    ],
    ids=["trees", "assignments"],
)
def test_the_best_labels_are_those_of_other_algorithms(
    problem: Problem, other: Callable[[np.ndarray], np.ndarray]
) -> None:
    """Listing agrees with Prim's algorithm and with the assignment solver of scipy."""
    weights, labels = problem.sample(50, np.random.default_rng(0))
    assert np.array_equal(labels, other(weights))


def test_packings_exclude_the_pairs_that_do_not_fit() -> None:
    """Two items exclude each other by a rule if and only if no packing has both."""
    problem = problems.packings(8)
    meet = problem.feasible.T @ problem.feasible
    ruled = {tuple(np.flatnonzero(row)) for row in problem.own.matrix}
    assert ruled == {tuple(pair) for pair in np.argwhere(np.triu(meet == 0, 1)).tolist()}


def test_own_rules_count_as_found_where_a_mined_one_says_them() -> None:
    """An equality is stated by implication, an exclusion by a group that contains it; other rules are not stated."""
    model = unwritten.mine(np.tile(np.eye(3, dtype=int), (60, 1)), names=["a", "b", "c"])
    rows = [({"a": 2, "b": 2, "c": 2}, "==", 2), ({"a": 1, "b": 1}, "<=", 1), ({"a": 1}, "<=", 0)]
    assert own_rules_mined(model, RuleSet.of(model.variables, rows)) == pytest.approx(2 / 3)
