"""The engine "closure": implications in any graph are decoded as brute force decodes them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import unwritten
from solving.test_forest import obeyed
from unwritten.native import kernels
from unwritten.rules.literal_rows import AT_MOST, EXACTLY
from unwritten.solving.engines.closure import ImplicationGraph
from unwritten.solving.engines.packed_literals import PackedLiterals


def test_best_labels_are_those_of_brute_force() -> None:
    """On random pairs of literals, the graph has the best value of all labels that obey them, or is refused."""
    rng = np.random.default_rng(0)
    graphs = 0
    for _ in range(400):
        d = int(rng.integers(2, 9))
        flips = rng.integers(0, 2, d)  # implications between variables, some of them read as complements
        rows = []
        for _ in range(int(rng.integers(1, 14))):
            a, b = (int(j) for j in rng.choice(d, 2, replace=False))
            kind = EXACTLY if rng.random() < 0.1 else AT_MOST
            negated = int(rng.random() < 0.9)  # else it is seldom an implication for these complements
            rows.append(([2 * a + int(flips[a]), 2 * b + int(flips[b]) ^ negated], kind))
        if rng.random() < 0.3:
            rows.append(([2 * int(rng.integers(d)) + int(rng.integers(2))], EXACTLY))
        graph = ImplicationGraph.of(PackedLiterals.joined(d, rows))
        if graph is None:
            continue
        graphs += 1
        cube = np.array(list(product([0, 1], repeat=d)))
        inside = cube[obeyed(cube, rows)]
        weights = np.concatenate([rng.normal(size=(3, d)), rng.integers(-2, 3, (3, d)), np.zeros((1, d))])
        labels = graph.best(weights)
        assert obeyed(labels, rows).all()
        np.testing.assert_allclose((weights * labels).sum(axis=1), (weights @ inside.T).max(axis=1), atol=1e-12)
    assert graphs > 200


def lattice(d: int, *, exclusions: bool = False) -> unwritten.Model:
    """A model of d labels, each of which requires up to three of those before it: no forest. Nothing is mined."""
    rng = np.random.default_rng(d)
    prior = [({f"y{j}": 1, f"y{k}": -1}, "<=", 0) for j in range(1, d) for k in set(rng.integers(0, j, 3).tolist())]
    if exclusions:  # a label of each kind beside d/2 others that exclude one of them each
        prior += [({f"y{j}": 1, f"y{d + j}": 1}, "<=", 1) for j in range(d // 2)]
    width = d + (d // 2) * exclusions
    return unwritten.mine(np.zeros((4, width), int), rules=[], prior=prior, bounds=(0, 1), progress=False)


@pytest.mark.parametrize("exclusions", [False, True])
def test_graphs_with_cycles_are_decided_by_minimum_cuts(exclusions: bool) -> None:
    """The engine is chosen where implications form no forest; a solver finds the same values."""
    model = lattice(50, exclusions=exclusions)
    weights = np.random.default_rng(0).normal(size=(5, len(model.variables)))
    decided = model.decide(weights)
    assert set(decided.engine) == {"closure"}
    assert model.check(decided.labels).feasible.all()
    np.testing.assert_allclose(decided.values, model.decide(weights, engine="lazy").values)


def test_weights_of_every_size() -> None:
    """Tiny and huge weights, and weights of ten orders of magnitude side by side, give the best label."""
    model = lattice(30)
    weights = np.random.default_rng(1).normal(size=(4, 30))
    plain = model.predict(weights, engine="closure")
    for scale in (2.0**200, 2.0**-200):
        np.testing.assert_array_equal(model.predict(weights * scale, engine="closure"), plain)
    uneven = weights * 10.0 ** np.random.default_rng(2).integers(-5, 6, weights.shape)
    np.testing.assert_allclose(
        model.decide(uneven, engine="closure").values, model.decide(uneven, engine="lazy").values, rtol=1e-12
    )


def test_what_is_no_implication_is_refused() -> None:
    """Three labels that exclude each other are implications under no choice of complements; nor is a contradiction."""
    triangle = PackedLiterals.joined(3, [([0, 2], AT_MOST), ([2, 4], AT_MOST), ([0, 4], AT_MOST)])
    assert ImplicationGraph.of(triangle) is None
    assert ImplicationGraph.of(PackedLiterals.joined(1, [([0], EXACTLY), ([1], EXACTLY)])) is None
    assert ImplicationGraph.of(PackedLiterals.joined(3, [([0, 2, 4], AT_MOST)])) is None
    with pytest.raises(ValueError, match="do not fit"):
        kernels.closure_labels(np.zeros((1, 2)), np.array([2], np.int32), np.array([0], np.int32))
