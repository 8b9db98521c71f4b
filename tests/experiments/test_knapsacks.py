"""Hidden integer programs: exact best labels, exact comparison of rows, and a quick run."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from experiments.limits import hidden_programs, knapsacks
from experiments.limits.hidden_programs import HiddenProgram
from experiments.limits.row_recovery import Recovery, recovery
from experiments.registry import load_experiment
from experiments.result import RunContext
from unwritten.data import IntArray
from unwritten.rules import RuleSet

pytest.importorskip("ortools")

SMALL = (
    hidden_programs.knapsack(10, 0),
    hidden_programs.knapsack(10, 1, knapsacks=3),
    hidden_programs.set_cover(9, 2),
    hidden_programs.cardinality(8, 3),
    hidden_programs.facilities(2, 3),
    hidden_programs.lot_sizing(3, 3, capacity=5),
    hidden_programs.precedence(4, 4),
)


def every_label(problem: HiddenProgram) -> IntArray:
    variables = problem.rules.variables
    return np.array(list(product(*map(range, variables.lower.tolist(), (variables.upper + 1).tolist()))))


@pytest.mark.parametrize("problem", SMALL, ids=lambda problem: problem.name)
def test_examples_are_the_best_of_all_labels(problem: HiddenProgram) -> None:
    """Each label is allowed, and no allowed label is worth more; every true row is needed."""
    labels = every_label(problem)
    allowed = labels[problem.allowed(labels)]
    weights, chosen = problem.sample(40, np.random.default_rng(0))
    values = weights @ allowed.T
    assert problem.allowed(chosen).all()
    best = values.max(axis=1) if problem.sense == "max" else values.min(axis=1)
    assert np.array_equal((weights * chosen).sum(axis=1), best)
    for k in range(len(problem.rules)):
        others = np.arange(len(problem.rules)) != k
        assert problem.rules[others].obeyed_by(labels).sum() > len(allowed)


@pytest.mark.parametrize("problem", SMALL, ids=lambda problem: problem.name)
def test_true_rows_recover_all(problem: HiddenProgram) -> None:
    """The true rows state and imply themselves; without the last one, it alone is missing."""
    true = problem.rules
    found = recovery(problem, true)
    assert found == Recovery(len(true), len(true), exact=len(true), implied=len(true), false=0)
    assert found.same
    less = recovery(problem, true[:-1])
    assert (less.exact, less.implied, less.same) == (len(true) - 1, len(true) - 1, False)


def test_rows_in_another_form() -> None:
    """Multiples, and rows that differ by stated equalities, are exact; false rules imply nothing."""
    problem = hidden_programs.facilities(2, 3)
    true = problem.rules
    rows = 2 * true.inequalities.bordered + 3 * true.rows[0]
    other = true.equalities + RuleSet.of_rows(true.variables, rows, "given", None, equality=False)
    assert recovery(problem, other).exact == len(true)
    nothing = RuleSet.of(true.variables, [([1] + [0] * 8, "<=", 0)])
    assert recovery(problem, nothing) == Recovery(len(true), 1, exact=0, implied=0, false=1)


def test_knapsack_is_recovered(tmp_path: Path) -> None:
    """A quick run states the one true row of a knapsack and of a count, and answers all queries."""
    result = load_experiment("knapsacks")(RunContext(tmp_path, quick=True))
    for case in ("knapsack, 12 items, 200 examples", "at most 4 of 12, 200 examples"):
        outcome = {row.measure: row.ours for row in result.rows if row.case == case}
        assert outcome[knapsacks.EXACT] == outcome[knapsacks.IMPLIED] == outcome[knapsacks.TRUE] == 1
        assert outcome[knapsacks.RIGHT] == 100
        assert outcome[knapsacks.FALSE] == outcome[knapsacks.FORBIDDEN] == outcome[knapsacks.PROVEN_WRONG] == 0
