"""Bounds that were read off the examples are not laws: values beyond them are reported, and not called wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unwritten
from unwritten.data import IntArray, Variables
from unwritten.evidence.beyond_range import enforced_columns, share_beyond


def counts(n: int, seed: int, columns: int = 8) -> IntArray:
    """Labels of independent counts, most of them larger than 1."""
    means = np.random.default_rng(7).uniform(1, 9, columns)
    return np.random.default_rng(seed).poisson(means, (n, columns))


def test_true_labels_are_not_refused_after_few_examples(tmp_path: Path) -> None:
    """Of 400 fresh labels none is refused after 20 examples; those beyond the range are named; a file keeps this."""
    refused, outside = [], []
    for seed in range(10):
        model = unwritten.mine(counts(20, seed), names=[f"c{j}" for j in range(8)])
        checked = model.check(counts(400, 1_000 + seed))
        refused.append(float((~checked.feasible).mean()))
        outside.append(float(checked.outside.mean()))
    assert np.mean(refused) < 0.01
    assert 0.2 < np.mean(outside) < 0.7
    model.save(tmp_path / "counts.rules")
    again = unwritten.load(tmp_path / "counts.rules").check(counts(400, 1_009))
    assert again.summary() == checked.summary()
    i = int(np.flatnonzero(checked.outside)[0])
    assert checked.problems(i) == [] and "is outside the range seen, " in checked.warnings(i)[0]
    assert f"{int(checked.outside.sum())} labels have a value outside the range seen" in checked.summary()


def test_strict_and_declared_bounds_are_enforced() -> None:
    """With strict, or if a person declared the bounds, a label beyond them is infeasible and the problem is named."""
    labels = np.array([[3, 0], [5, 1], [4, 1], [3, 0]])
    model = unwritten.mine(labels, names=["a", "b"], rules=[])
    check = model.check([[9, 1], [4, 0]])
    assert check.feasible.tolist() == [True, True] and check.outside.tolist() == [True, False]
    assert check.warnings(0) == ["a = 9 is outside the range seen, 3..5"]
    strict = model.check([[9, 1], [4, 0]], strict=True)
    assert strict.feasible.tolist() == [False, True]
    assert strict.problems(0) == ["a = 9 is outside the range seen, 3..5"] and strict.warnings(0) == []
    assert strict.to_frame().to_pydict() == {"row": [0], "problem": ["a = 9 is outside the range seen, 3..5"]}
    declared = unwritten.mine(labels, names=["a", "b"], rules=[], bounds=([3, 0], [5, 1])).check([[9, 1]])
    assert declared.problems(0) == ["a value is outside its bounds"] and declared.outside.tolist() == [True]


def test_columns_that_are_0_or_1_by_nature() -> None:
    """Beside integers, a column of 0 and 1 is enforced once there are so many examples that a 2 would be a surprise."""
    variables = Variables.of(np.array([[0, 5], [1, 9]]))
    assert enforced_columns(variables, 20).tolist() == [False, False]
    assert enforced_columns(variables, 1_000).tolist() == [True, False]
    assert enforced_columns(Variables.of(np.array([[0, 1], [1, 1]])), 2).all()


def test_the_share_beyond_the_range_is_what_to_expect() -> None:
    """The forecast from the examples is, on average, the share of fresh labels beyond their range."""
    forecasts, shares = [], []
    for seed in range(60):
        labels, fresh = counts(40, seed), counts(500, 2_000 + seed)
        seen, times = np.unique(labels, axis=0, return_counts=True)
        forecasts.append(share_beyond(seen, times, np.ones(8, bool)))
        shares.append(((fresh < labels.min(axis=0)) | (fresh > labels.max(axis=0))).any(axis=1).mean())
    assert np.mean(forecasts) == pytest.approx(np.mean(shares), abs=0.03)
