"""Capacities: weighted sums with unknown weights, learned from labels alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

import unwritten
from experiments.calibration.draws import with_company
from experiments.calibration.families import FAMILIES
from experiments.calibration.laws import LAWS
from unwritten import budgets
from unwritten.data import IntArray
from unwritten.mining.capacities import capacity_miner
from unwritten.mining.capacities.left_out import _layers, learned_again
from unwritten.mining.capacities.likely_rows import LikelyRows
from unwritten.mining.capacities.whole_numbers import Rounded

SIZES = np.array([3, 14, 7, 9, 12, 5, 2, 11, 8, 6, 13, 4, 10, 7])
ROOM = 45
EVERYTHING = np.array(list(product((0, 1), repeat=len(SIZES))))


def fitting(n: int, seed: int) -> IntArray:
    """Random sets of items that fit."""
    fine = EVERYTHING[EVERYTHING @ SIZES <= ROOM]
    return fine[np.random.default_rng(seed).integers(len(fine), size=n)]


@pytest.fixture(scope="module")
def knapsack() -> unwritten.Model:
    """What 500 sets that fit teach."""
    return unwritten.mine(fitting(500, 0), names=[f"item {k}" for k in range(len(SIZES))])


def test_knapsack(knapsack: unwritten.Model) -> None:
    """One row comes back that nearly all sets which fit obey, and most sets which do not fit break."""
    assert len(knapsack.rules) == 1
    feasible = knapsack.check(EVERYTHING).feasible
    fits = EVERYTHING @ SIZES <= ROOM
    assert feasible[fits].mean() >= 0.995
    assert feasible[~fits].mean() <= 0.02
    assert knapsack.check(fitting(500, 0)).feasible.all()


def test_is_an_estimate(knapsack: unwritten.Model) -> None:
    """The row says that its numbers are not settled, and how many labels it was tried on."""
    (evidence,) = knapsack.rules.evidence
    assert evidence is not None
    assert evidence.estimate
    assert evidence.left_out > 0
    assert knapsack.sentences[0].text.endswith("(an estimate)")


def test_same_rows_again(knapsack: unwritten.Model) -> None:
    """The same labels in another order teach the same row."""
    again = unwritten.mine(fitting(500, 0)[::-1], names=knapsack.variables.names)
    assert np.array_equal(again.rules.bordered, knapsack.rules.bordered)


def test_at_least() -> None:
    """A demand is a capacity of what is left out."""
    model = unwritten.mine(1 - fitting(500, 1), rules=["capacities"])
    assert len(model.rules) == 1
    assert (model.rules.matrix <= 0).all()
    assert model.check(1 - fitting(2_000, 2)).feasible.mean() >= 0.99


def test_needs_examples() -> None:
    """From few examples nothing is said."""
    assert not len(unwritten.mine(fitting(100, 0), rules=["capacities"]).rules)


@pytest.mark.parametrize("law", ["independent", "Gaussian copulas", "integers"])
def test_random_labels(law: str) -> None:
    """Labels without a rule teach no row."""
    rng = np.random.default_rng(5)
    labels = LAWS[law](12, rng)(500, rng)
    assert not len(unwritten.mine(labels, rules=["capacities"]).rules)


def test_stops_at_the_first_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where labels left out of the first folds refuse a row, it is not learned without the other folds."""
    learned = list[int]()

    def counted(found: LikelyRows) -> Iterator[list[Rounded]]:
        for fold, rounded in enumerate(learned_again(found)):
            learned.append(fold)
            yield rounded

    monkeypatch.setattr(capacity_miner, "learned_again", counted)
    rng = np.random.default_rng(0)
    labels = LAWS["mixtures"](14, rng)(300, rng)
    assert not len(unwritten.mine(labels, rules=["capacities"]).rules)
    assert 0 < len(learned) < budgets.CAPACITY_FOLDS


def test_no_layers_without_pseudo_labels() -> None:
    """If no pseudo-label is inside the middle of the likely edges, the layers at the edge are empty."""
    assert _layers(np.array([5, 6]), 0) == [0, 0, 0]


def test_mixed_signs_are_no_amounts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that follow others give a row that hardly a label passes, but nothing in it is added up."""
    rng = np.random.default_rng([7, 1, *b"k of n"])
    draw = with_company(FAMILIES["k of n"](rng), int(rng.integers(1, 7)), rng)
    labels = draw(500, rng)

    def estimates() -> list[unwritten.Rule]:
        rules = unwritten.mine(labels, progress=False).rules
        return [rule for rule in rules if rule.evidence is not None and rule.evidence.estimate]

    assert not estimates()
    monkeypatch.setattr(capacity_miner, "OTHER_SIGN", 1.0)
    (row,) = estimates()
    assert min(row.coefficients) < 0 < max(row.coefficients)
