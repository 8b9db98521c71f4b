"""Implications by Fisher's exact test: more of a hierarchy from few rows, and nothing from chance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import hypergeom

import unwritten
from unwritten.mining.pairs.implications import implications, surprise
from unwritten.tally import Tally


def forest_labels(n: int, d: int, seed: int) -> tuple[np.ndarray, list[set[int]]]:
    """Labels of one to two paths in a random forest, and the ancestors of each label."""
    rng = np.random.default_rng(seed)
    parents = [-1] * 4 + [int(rng.integers(0, j)) for j in range(4, d)]
    ancestors: list[set[int]] = []
    for parent in parents:
        ancestors.append(set() if parent < 0 else ancestors[parent] | {parent})
    shares = rng.gamma(0.5, size=d) + 0.01
    labels = np.zeros((n, d), int)
    for row in labels:
        for j in rng.choice(d, int(rng.integers(1, 3)), p=shares / shares.sum()):
            row[[j, *ancestors[j]]] = 1
    return labels, ancestors


def test_probability_is_that_of_fishers_test() -> None:
    """The surprise is −ln of the hypergeometric probability that all of a lies in b."""
    assert surprise(4, 9, 30) == pytest.approx(-np.log(hypergeom.pmf(4, 30, 9, 4)))


@pytest.mark.parametrize("seed", range(3))
def test_few_rows_show_more_of_a_hierarchy(seed: int) -> None:
    """From 150 rows of 80 labels, no implication is false, and there are more than the pair miner states."""
    labels, ancestors = forest_labels(150, 80, seed)
    found = implications(Tally.of(labels), 3.0)
    assert all(b in ancestors[a] for a, b in found)
    stated = unwritten.mine(labels, rules=["pairs"], progress=False).rules
    assert len(found) > 10 + 2 * len(stated)


def test_independent_columns_imply_nothing() -> None:
    """In 40 tables of independent rare columns, hardly any implication is found."""
    rng = np.random.default_rng(0)
    false = sum(
        len(implications(Tally.of((rng.random((80, 40)) < rng.uniform(0.02, 0.5, 40)).astype(int)), 3.0))
        for _ in range(40)
    )
    assert false <= 2


def test_columns_that_share_a_cause() -> None:
    """A rare label under p is not tied to another label that fills most of p."""
    rng = np.random.default_rng(1)
    p = rng.random(400) < 0.1
    q = p & (rng.random(400) < 0.9)
    a = np.zeros(400, bool)
    a[np.flatnonzero(q)[:4]] = True
    found = implications(Tally.of(np.column_stack([p, q, a]).astype(int)), 3.0)
    assert (2, 0) in found and (2, 1) not in found
