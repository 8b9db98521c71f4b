"""Weaker rows: what "at most one of" could be without one of its pairs; and limits of which most are unsettled."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import unwritten
from experiments.habits import hidden_problems
from unwritten.mining.limits.weaker_rows import _missing_pairs

WIDTH = 4
POINTS: Any = SimpleNamespace(spans=np.ones(WIDTH, np.int64))


@pytest.mark.parametrize(
    ("row", "pairs"),
    [
        ((1, 1, 1, 0, 1), {(1, 1, 0), (1, 0, 1), (0, 1, 1)}),
        ((1, -1, 1, 0, 0), {(1, 0, 0), (1, 1, 1), (0, 0, 1)}),  # at most one of y0, not y1, y2
        ((1, 1, 0, 0, 1), set()),  # a pair is what it is
        ((1, 1, 1, 0, 2), set()),
        ((2, 1, 1, 0, 1), set()),
    ],
)
def test_at_most_one_of_three_could_lack_a_pair(row: tuple[int, ...], pairs: set[tuple[int, ...]]) -> None:
    """Each way to lack a pair lets the labels pass that have just this pair of the row's literals."""
    every = (np.arange(2**WIDTH)[:, None] >> np.arange(WIDTH)) & 1
    found = list(_missing_pairs(np.array(row), POINTS))
    passing = [every[weaker.pass_(every)] for weaker in found]
    assert {tuple(labels[0, :3].tolist()) for labels in passing} == pairs
    assert all((weaker.near(every) == labels).all() for weaker, labels in zip(found, passing, strict=True))
    broken = [(labels @ np.array(row[:-1]) > row[-1]).all() for labels in passing]
    assert len(found) == len(pairs) and all(broken)


def test_limits_that_few_labels_show_are_estimates() -> None:
    """Fourteen different labels settle few limits, so none of them is said without "an estimate"."""
    rng = np.random.default_rng((3, 2))
    problem = hidden_problems.independent_set(rng, hidden_problems.whole)
    problem.sample(50, rng)
    weights, labels = problem.sample(200, rng)
    rules = unwritten.mine(labels, weights, progress=False).rules
    of_limits = [rule for rule in rules if rule.evidence is not None and rule.evidence.left_out]
    assert len(np.unique(labels, axis=0)) == 14
    assert len(of_limits) > 10
    assert all(rule.evidence.estimate for rule in of_limits)
    others = rules[np.array([rule.evidence is not None and not rule.evidence.left_out for rule in rules])]
    assert problem.true(others).all()
