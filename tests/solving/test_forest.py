"""The engine "forest": hierarchies and groups without a cycle are decoded as brute force decodes them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import unwritten
from unwritten.errors import DataError, SolverError
from unwritten.rules.literal_rows import AT_MOST, EXACTLY
from unwritten.solving.engines.literal_forest import LiteralForest
from unwritten.solving.engines.packed_literals import PackedLiterals


def obeyed(cube: np.ndarray, rows: list[tuple[list[int], int]]) -> np.ndarray:
    """Which 0/1 vectors obey rows of literals."""
    inside = np.ones(len(cube), bool)
    for literals, kind in rows:
        count = sum(cube[:, literal >> 1] ^ (literal & 1) for literal in literals)
        inside &= count == 1 if kind == EXACTLY else count <= 1 if kind == AT_MOST else count >= 1
    return inside


def test_best_labels_are_those_of_brute_force() -> None:
    """On random rows of literals, a forest has the best value of all labels that obey them, or is refused."""
    rng = np.random.default_rng(0)
    forests = 0
    for _ in range(500):
        d = int(rng.integers(2, 8))
        rows = [
            (
                [2 * int(j) + int(rng.integers(2)) for j in rng.choice(d, int(rng.integers(1, min(d, 4) + 1)), False)],
                kind,
            )
            for kind in rng.integers(0, 3, int(rng.integers(1, 5))).tolist()
        ]
        forest = LiteralForest.of(PackedLiterals.joined(d, rows))
        if forest is None:
            continue
        forests += 1
        cube = np.array(list(product([0, 1], repeat=d)))
        inside = cube[obeyed(cube, rows)]
        weights = rng.normal(size=(4, d))
        labels = forest.best(weights)
        assert obeyed(labels, rows).all()
        np.testing.assert_allclose((weights * labels).sum(axis=1), (weights @ inside.T).max(axis=1))
    assert forests > 200


def hierarchy(d: int) -> unwritten.Model:
    """A model of d labels, each of which requires one of the labels before it; nothing is mined."""
    rng = np.random.default_rng(d)
    parents = [int(rng.integers(0, j)) for j in range(1, d)]
    prior = [({f"y{j + 1}": 1, f"y{parent}": -1}, "<=", 0) for j, parent in enumerate(parents)]
    labels = np.zeros((4, d), int)
    labels[1:, 0] = 1
    return unwritten.mine(labels, rules=[], prior=prior, bounds=(0, 1), progress=False)


def test_hierarchies_are_decided_by_the_forest() -> None:
    """The engine is chosen for hierarchies that cannot be listed, and its answers are proven optimal by a solver."""
    model = hierarchy(60)
    weights = np.random.default_rng(0).normal(size=(5, 60))
    decided = model.decide(weights)
    assert set(decided.engine) == {"forest"}
    np.testing.assert_allclose(decided.values, model.decide(weights, engine="lazy").values)


def test_what_is_no_forest_is_refused() -> None:
    """A cycle of rules is left to other engines; asked for by name, the engine gives way."""
    assert LiteralForest.of(PackedLiterals.joined(3, [([0, 2], 1), ([2, 4], 1), ([0, 4], 1)])) is None
    assert LiteralForest.of(PackedLiterals.joined(1, [([0], EXACTLY), ([1], EXACTLY)])) is None
    model = unwritten.mine([[0, 1, 2], [2, 0, 1], [1, 2, 0]] * 30, rules=[], progress=False)
    assert set(model.decide([[1.0, 2.0, 3.0]], engine="forest").engine) == {"lazy+highs"}
    with pytest.raises((DataError, SolverError), match="engine"):
        model.decide([[1.0, 2.0, 3.0]], engine="woods")  # type: ignore[arg-type]
