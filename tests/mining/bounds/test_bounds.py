"""Bounds from labels alone: planted limits are found, nothing else is, and what follows is not said."""

from __future__ import annotations

import tracemalloc
from itertools import product

import numpy as np
import pytest

import unwritten
from experiments.calibration.law_runs import ALL_LAWS
from unwritten import budgets
from unwritten.errors import DataError
from unwritten.rules import RuleSet


def kept(labels: np.ndarray, holds: np.ndarray, n: int = 500) -> np.ndarray:
    """The first labels that obey a rule."""
    assert holds.sum() >= n
    return labels[holds][:n]


def drawn(shape: tuple[int, int], seed: int = 0, high: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, high, shape)


def bounds_of(model: unwritten.Model) -> list[str]:
    return [rule.text for rule in model.rules.inequalities]


def test_a_count_between_two_numbers() -> None:
    """Both sides of "between" are found, and nothing else is."""
    labels = drawn((20_000, 10))
    totals = labels.sum(axis=1)
    model = unwritten.mine(kept(labels, (totals >= 3) & (totals <= 5)), names=[f"item {i}" for i in range(10)])
    assert sorted(text.split(" of ")[0] for text in bounds_of(model)) == ["at least three", "at most five"]


def test_a_roster() -> None:
    """Demand for each day and hours for each person, on both axes of a grid."""
    names = [f"works[{person},{day}]" for person, day in product("ABCDEF", range(7))]
    rng = np.random.default_rng(1)
    rosters = np.zeros((0, 6, 7), int)
    while len(rosters) < 400:
        some = (rng.random((20_000, 6, 7)) < 0.55).astype(int)
        good = (some.sum(axis=1) >= 2).all(axis=1) & (some.sum(axis=2) <= 5).all(axis=1)
        rosters = np.concatenate([rosters, some[good]])
    model = unwritten.mine(rosters[:400].reshape(400, 42), names=names)
    matrix, rhs = model.rules.matrix.reshape(-1, 6, 7), model.rules.rhs
    days = [(row.sum(axis=0) != 0).sum() == 1 and bound == -2 for row, bound in zip(matrix, rhs, strict=True)]
    people = [(row.sum(axis=1) != 0).sum() == 1 and bound == 5 for row, bound in zip(matrix, rhs, strict=True)]
    assert sum(days) == 7
    assert sum(people) == 6
    assert len(model.rules) == 13


def test_a_network_of_orders_is_reduced() -> None:
    """Four jobs one after another: three orders are stated, and not the three that follow."""
    starts = np.sort(drawn((60_000, 4), high=14), axis=1)
    gaps = np.diff(starts, axis=1)
    model = unwritten.mine(kept(starts, (gaps >= [2, 3, 1]).all(axis=1)), names=["cut", "sew", "dye", "pack"])
    assert set(bounds_of(model)) == {"cut + 2 ≤ sew", "sew + 3 ≤ dye", "dye + 1 ≤ pack"}


def test_links_of_amounts_and_switches() -> None:
    """An amount is 0 unless its switch is on, and then at least 2."""
    rng = np.random.default_rng(2)
    held = rng.integers(0, 2, (500, 5))
    amounts = held * rng.integers(2, 8, (500, 5))
    names = [f"{what}[{i}]" for what in ("amount", "held") for i in range(5)]
    model = unwritten.mine(np.hstack([amounts, held]), names=names)
    expected = {f"amount[{i}] ≤ 7·held[{i}]" for i in range(5)} | {f"2·held[{i}] ≤ amount[{i}]" for i in range(5)}
    assert set(bounds_of(model)) == expected


def test_windows() -> None:
    """At most two of any four neighbours."""
    labels = drawn((200_000, 12), seed=3)
    windows = np.lib.stride_tricks.sliding_window_view(labels, 4, axis=1).sum(axis=2)
    model = unwritten.mine(kept(labels, (windows <= 2).all(axis=1)), names=[f"slot {k}" for k in range(12)])
    assert model.rules.rhs.tolist() == [2] * 9
    assert (model.rules.matrix.sum(axis=1) == 4).all()


LAWS = (
    "independent", "integers", "Markov chains", "mixtures", "Gaussian copulas", "integer copulas", "soft one-hot",
    "correlated blocks", "near-duplicate columns", "hierarchies", "Zipf", "rows that follow one another",
)  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", range(4))
def test_a_law_without_rules_is_silent(law: str, seed: int) -> None:
    """Whatever the columns are called, no bound is stated that a hundredth of new labels break."""
    rng = np.random.default_rng([seed, *law.encode()])
    draw = ALL_LAWS[law](24, rng)
    labels, fresh = draw(int(rng.choice([60, 200, 800])), rng), draw(5_000, rng)
    for names in (None, [f"x[{i}]" for i in range(24)], [f"x[{i},{j}]" for i, j in product(range(4), range(6))]):
        model = unwritten.mine(labels, names=names, rules=["bounds"])
        assert (model.rules.violations(fresh).mean(axis=0) <= 0.01).all()


def test_random_labels_show_no_rule() -> None:
    """Fair coins and dice in grids give neither rules nor doubtful ones, in fifty draws."""
    for seed in range(50):
        labels = drawn((300, 30), seed=seed, high=2 if seed % 2 else 6)
        model = unwritten.mine(labels, names=[f"x[{i},{j}]" for i, j in product(range(5), range(6))], rules=["bounds"])
        assert not len(model.rules)
        assert not len(model.doubtful)


def test_few_examples_leave_a_bound_doubtful() -> None:
    """Eighty labels show the bound, but not surely; the doubtful rule says how many more would."""
    labels = drawn((20_000, 10), seed=4)
    model = unwritten.mine(kept(labels, labels.sum(axis=1) <= 4, 80), names=[f"item {i}" for i in range(10)])
    assert not len(model.rules)
    assert model.doubtful.rhs.tolist() == [4]
    assert model.doubtful[0].evidence.needed > 0


def test_a_budget_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more candidates than the budget allows, the plainest ones are tried, and a note tells the cure."""
    labels = drawn((20_000, 20), seed=5)
    labels = kept(labels, labels.sum(axis=1) <= 8)
    names = [f"item {i}" for i in range(20)]
    assert not unwritten.mine(labels, names=names).notes
    monkeypatch.setattr(budgets, "BOUND_SCOPES", 40)
    model = unwritten.mine(labels, names=names)
    assert model.rules.rhs.tolist() == [8]
    assert any("mine fewer columns at a time" in note for note in model.notes)


def test_names_that_clash_as_indices_are_no_grid() -> None:
    """Names whose indices clash still give the bound on all columns, and no error."""
    labels = drawn((20_000, 4), seed=6)
    labels = kept(labels, labels.sum(axis=1) <= 2)
    model = unwritten.mine(labels, names=["x[1,2]", "x[1, 2]", "x[3]", "x(1)"], rules=["bounds"])
    assert isinstance(model.rules, RuleSet)


def test_labels_with_weights_are_left_to_limits() -> None:
    """Labels that are optimal for weights crowd at the edge, so the miner runs on them only by name."""
    rng = np.random.default_rng(7)
    weights = rng.random((300, 8))
    labels = (weights.argsort(axis=1).argsort(axis=1) >= 5).astype(int)
    names = [f"item {i}" for i in range(8)]
    plain = unwritten.mine(labels, names=names)
    assert plain.rules.equality.all()
    assert not len(unwritten.mine(labels, weights, names=names, rules=["bounds"]).rules.equalities)


def test_an_unknown_miner_is_an_error() -> None:
    """The error lists the miners, with bounds among them."""
    with pytest.raises(DataError, match="bounds"):
        unwritten.mine([[0, 1], [1, 0]], rules=["bound"])


def test_the_same_labels_give_the_same_bounds_in_any_order() -> None:
    """Neither the order of the rows nor a second run changes what is mined."""
    labels = drawn((20_000, 10), seed=8)
    labels = kept(labels, labels.sum(axis=1) <= 4)
    names = [f"item {i}" for i in range(10)]
    first, second = (unwritten.mine(rows, names=names).rules for rows in (labels, labels[::-1]))
    assert first == second


def test_values_that_are_far_apart_take_no_memory() -> None:
    """Columns of millions of values, or millions apart, are left out; the order of the others is found."""
    rng = np.random.default_rng(0)
    start = rng.integers(0, 20, 500)
    end = start + 3 + rng.geometric(0.4, 500) - 1
    far = np.column_stack([start, end, rng.integers(0, 10**6, 500), rng.integers(0, 9, 500) + 10**7])
    tracemalloc.start()
    model = unwritten.mine(far, rules=["bounds"], names=["start", "end", "price", "year"])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [rule.text for rule in model.rules] == ["start + 3 ≤ end"]
    assert most < 50 << 20
