"""Weaker rows: what "at most one of" could be without one of its pairs; and limits of which most are unsettled."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import unwritten
from experiments.habits import hidden_problems
from unwritten.data import IntArray
from unwritten.mining.limits.weaker_rows import _missing_pairs, _NewPairs, _Weaker

WIDTH = 4
EVERY = (np.arange(2**WIDTH)[:, None] >> np.arange(WIDTH)) & 1


def points(kept: IntArray = EVERY) -> Any:
    """0/1 columns, and the labels that rows must keep."""
    return SimpleNamespace(spans=np.ones(WIDTH, np.int64), kept=kept)


def missing_pairs(rows: IntArray, kept: IntArray = EVERY) -> list[_Weaker]:
    """What the first of some rows could be without one of its pairs."""
    return list(_missing_pairs(rows, 0, points(kept), _NewPairs.of(points(kept))))


@pytest.mark.parametrize(
    ("row", "pairs"),
    [
        ((1, 1, 1, 0, 1), {(1, 1, 0), (1, 0, 1), (0, 1, 1)}),
        ((1, -1, 1, 0, 0), {(1, 0, 0), (1, 1, 1), (0, 0, 1)}),  # at most one of y0, not y1, y2
        ((1, -1, 0, 0, 0), {(1, 0)}),  # y0 requires y1
        ((1, 0, 0, 0, 0), set()),
        ((1, 1, 1, 0, 2), set()),
        ((2, 1, 1, 0, 1), set()),
    ],
)
def test_at_most_one_could_lack_a_pair(row: tuple[int, ...], pairs: set[tuple[int, ...]]) -> None:
    """Each way to lack a pair lets the labels pass that have just this pair of the row's literals."""
    found = missing_pairs(np.array([row]))
    passing = [EVERY[weaker.pass_(EVERY)] for weaker in found]
    assert {tuple(labels[0, np.flatnonzero(row[:-1])].tolist()) for labels in passing} == pairs
    for weaker, labels in zip(found, passing, strict=True):
        assert (weaker.near(EVERY) == np.unique(labels, axis=0)).all()
    broken = [(labels @ np.array(row[:-1]) > row[-1]).all() for labels in passing]
    assert len(found) == len(pairs) and all(broken)


def test_only_labels_without_another_new_pair_tell() -> None:
    """y0 and y1 are never 1 together; where y0 and y3 are not either, a label with all three tells nothing."""
    clique = np.array([(1, 1, 1, 0, 1)])
    obeying = EVERY[EVERY[:, :3].sum(axis=1) <= 1]
    labels = np.array([(1, 1, 0, 0), (1, 1, 0, 1)])
    for kept, telling in ((obeying, [True, True]), (obeying[obeying[:, 0] + obeying[:, 3] < 2], [True, False])):
        weaker = missing_pairs(clique, kept)[0]
        assert weaker.pass_(labels).all()
        assert weaker.tell(labels).tolist() == telling


def test_other_rows_that_forbid_a_pair_do_not_test_it() -> None:
    """Two rows that both forbid y0 with y1 explain the same labels, and one of them may not be stated in the end."""
    rows = np.array([(1, 1, 1, 0, 1), (1, 1, 0, 1, 1), (1, 0, 0, 1, 1), (5, 5, -1, 0, 8), (5, 5, -3, 0, 8)])
    by_pair = {tuple(weaker.pass_.args[1]): weaker.besides.tolist() for weaker in missing_pairs(rows)}
    assert by_pair[1, 1, 0] == [True, True, False, True, False]
    assert by_pair[1, 0, 1] == [True, False, False, False, False]


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
