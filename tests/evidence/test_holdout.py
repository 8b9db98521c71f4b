"""Hold-out: labels outside the affine hull, critical examples, and how often the bound on broken equalities holds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import unwritten
from helpers import bordered, rank
from unwritten.data import IntArray
from unwritten.evidence import break_bound, critical
from unwritten.evidence.holdout import off_hull
from unwritten.tally import Tally

Draw = Callable[[np.random.Generator, int, int], IntArray]

DRAWS: dict[str, Draw] = {
    "bits": lambda rng, n, d: rng.integers(0, 2, (n, d)),
    "integers": lambda rng, n, d: rng.integers(-3, 4, (n, d)),
    "far from 0": lambda rng, n, d: 10**6 + rng.integers(0, 2, (n, d)),
    "large": lambda rng, n, d: rng.integers(-(2**29), 2**29, (n, d)),
    "of many scales": lambda rng, n, d: rng.integers(0, 2, (n, d)) * 10 ** rng.integers(0, 8, d),
    "one-hot": lambda rng, n, d: np.eye(d, dtype=np.int64)[rng.integers(0, d, n)],
    "with copies": lambda rng, n, d: rng.integers(0, 2, (n, 1)).repeat(d, axis=1),
}


@pytest.mark.parametrize("kind", DRAWS)
def test_off_hull_is_a_rank_that_grows(kind: str) -> None:
    """A label is outside the affine hull of others if and only if it raises the rank of [y, 1]."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        d = int(rng.integers(2, 7))
        basis, labels = DRAWS[kind](rng, int(rng.integers(1, 7)), d), DRAWS[kind](rng, 6, d)
        before = rank(bordered(basis))
        grows = [rank(bordered(np.vstack([basis, label]))) > before for label in labels]
        assert off_hull(basis, labels).tolist() == grows
        assert not off_hull(basis, basis).any()


@pytest.mark.parametrize("kind", DRAWS)
def test_critical_examples_are_those_without_which_the_rank_falls(kind: str) -> None:
    """An example is critical if and only if the rank falls without it, also for large integers."""
    rng = np.random.default_rng(1)
    for _ in range(25):
        labels = DRAWS[kind](rng, int(rng.integers(1, 11)), int(rng.integers(2, 7)))
        rows, tally = bordered(labels).tolist(), Tally.of(labels)
        whole = rank(rows)
        expected = sum(rank(rows[:i] + rows[i + 1 :]) < whole for i in range(len(rows)))
        assert critical(tally, tally.seen) == expected
        twice = Tally.of(np.concatenate([labels, labels]))
        assert critical(twice, twice.seen) == 0


def test_wide_labels_of_large_integers_can_be_mined() -> None:
    """Forty columns of 30-bit integers can be mined: the test modulo a prime stays exact beyond 64 bits."""
    labels = np.random.default_rng(0).integers(0, 2**30, (6, 40))
    model = unwritten.mine(labels)
    assert model.evidence.breaks_bound() > 0.5
    assert critical(Tally.of(labels), Tally.of(labels).seen) == 6


def population(seed: int) -> tuple[IntArray, np.ndarray]:
    """Labels with very unequal shares, the rare ones off the hull of the common ones."""
    rng = np.random.default_rng(seed)
    labels = np.unique(rng.integers(0, 2, (30, 12)), axis=0)
    weight = rng.permutation(np.exp(-np.arange(len(labels)) * 0.3))
    return labels, weight / weight.sum()


@pytest.mark.parametrize(("n", "confidence"), [(10, 0.95), (40, 0.95), (40, 0.7), (200, 0.95)])
def test_break_bound_covers(n: int, confidence: float) -> None:
    """In at least the promised share of 200 draws, the bound is at least the true share of labels off the hull."""
    missed = 0
    for seed in range(200):
        labels, share = population(seed % 10)
        tally = Tally.of(labels[np.random.default_rng(seed).choice(len(labels), n, p=share)])
        bound = break_bound(tally, tally.seen, confidence)
        assert 0 <= bound <= 1
        missed += float(share[off_hull(tally.seen, labels)].sum()) > bound
    assert missed <= 200 * (1 - confidence) + 2 * np.sqrt(200 * confidence * (1 - confidence))


def test_the_share_of_critical_examples_is_unbiased() -> None:
    """The mean share over draws of n examples is the mean chance that a fresh label breaks an equality of n − 1."""
    n, found, truth = 12, [], []
    labels, share = population(3)
    for seed in range(600):
        drawn = labels[np.random.default_rng(seed).choice(len(labels), n, p=share)]
        tally = Tally.of(drawn)
        found.append(critical(tally, tally.seen) / n)
        truth.append(float(share[off_hull(drawn[1:], labels)].sum()))
    error = np.std(np.array(found) - np.array(truth)) / np.sqrt(len(found))
    assert abs(np.mean(found) - np.mean(truth)) < 3 * error
    assert np.mean(truth) > 0.1


def test_break_bound_at_the_ends() -> None:
    """The bound is 1 for one example and (1 − c)^(1/tested) for equal examples, and grows with confidence."""
    one = Tally.of(np.ones((1, 3), np.int64))
    assert break_bound(one, one.seen) == 1.0
    equal = Tally.of(np.ones((100, 3), np.int64))
    assert break_bound(equal, equal.seen, 0.95) == pytest.approx(1 - 0.05 ** (1 / 50))
    apart = Tally.of(np.eye(2, dtype=np.int64))
    assert break_bound(apart, apart.seen) == 1.0
    bounds = [break_bound(equal, equal.seen, c) for c in (0.0, 0.5, 0.9, 0.99)]
    assert bounds == sorted(bounds)
    assert bounds[0] == 0.0


def test_counts_matter_to_break_bound() -> None:
    """The bound is lower if the same distinct labels are seen more often."""
    labels = np.eye(4, dtype=np.int64)
    bounds = []
    for times in (2, 10, 100):
        tally = Tally.of(np.repeat(labels, times, axis=0))
        bounds.append(break_bound(tally, tally.seen))
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < 0.02
