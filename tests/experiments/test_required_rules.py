"""A quick run on rules and habits of optimal choices."""

from pathlib import Path

import numpy as np
import pytest

from experiments.habits import hidden_problems
from experiments.habits.hidden_problems import HELD_OUT, SHOWN
from experiments.habits.required_rules import FALSE, HABITS, RULES, run
from experiments.result import Result, RunContext
from unwritten.data import Variables
from unwritten.rules import RuleSet


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    out: Path = tmp_path_factory.mktemp("habits")
    return run(RunContext(out=out, quick=True))


def test_every_rule_is_true(result: Result) -> None:
    """No rule of any problem is broken by a feasible label, limits included, though many habits are."""
    assert result.facts["false"] == {}
    assert result.facts[FALSE] == 0
    assert result.facts[RULES] > 50
    assert result.facts[HABITS] > result.facts["true habits"]
    assert len(result.rows) == 3 * len(SHOWN)


def test_rules_are_found(result: Result) -> None:
    """Lots show rules and habits, and a knapsack shows its capacity."""
    assert result.ours("lot sizing", "1,000 examples", RULES) > 5
    assert result.ours("knapsack", "1,000 examples", RULES) >= 1


@pytest.mark.parametrize("make", SHOWN + HELD_OUT, ids=lambda make: make.__name__)
def test_examples_are_the_best_feasible_labels(make: hidden_problems.Make) -> None:
    """Labels are feasible, and no feasible label is better for their weights."""
    rng = np.random.default_rng(0)
    problem = make(rng, hidden_problems.positive)
    weights, labels = problem.sample(20, rng)
    values = (weights * labels).sum(axis=1)
    every = weights @ problem.feasible.T
    best = every.max(axis=1) if problem.sense == "max" else every.min(axis=1)
    assert np.allclose(values, best)
    assert len(np.unique(problem.feasible, axis=0)) == len(problem.feasible)


def test_a_rule_is_true_if_all_feasible_labels_obey_it() -> None:
    """The bounds of a problem are true, and tighter ones are not."""
    problem = hidden_problems.lot_sizing(np.random.default_rng(1))
    upper = problem.bounds[1]
    variables = Variables.named([f"y{j}" for j in range(len(upper))], *problem.bounds)
    rows = [({"y0": 1}, "<=", upper[0]), ({"y0": 1}, "<=", upper[0] - 1)]
    assert problem.true(RuleSet.of(variables, rows)).tolist() == [True, False]
