"""Rank rules: on trees they are the subtour inequalities; random labels have none."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from unwritten.data import IntArray
from unwritten.mining.sets.ranks import evidences, rank_rules
from unwritten.samples import trees


def subtours(nodes: int) -> set[tuple[bytes, int]]:
    """The subtour inequalities: among 3 to nodes − 1 chosen nodes, at most one edge fewer than nodes."""
    ends = np.array(trees.edges(nodes))
    return {
        (np.isin(ends, inside).all(axis=1).astype(np.int64).tobytes(), size - 1)
        for size in range(3, nodes)
        for inside in combinations(range(nodes), size)
    }


def as_set(rules: tuple[IntArray, IntArray]) -> set[tuple[bytes, int]]:
    """Turn rules into a set, so that they can be compared."""
    return {(row.tobytes(), int(bound)) for row, bound in zip(*rules, strict=True)}


@pytest.mark.parametrize(("nodes", "n"), [(5, 600), (6, 1000), (7, 1000)])
def test_subtours_of_trees(nodes: int, n: int) -> None:
    """From enough trees the rules are the subtour inequalities and no others."""
    assert as_set(rank_rules(trees.sample(nodes, n, seed=0)[1])) == subtours(nodes)


def test_rules_hold_and_none_implies_another() -> None:
    """Every label obeys every rule, each bound is attained, and no rule follows from one other."""
    labels = trees.sample(6, 150, seed=1)[1]
    rows, bounds = rank_rules(labels)
    assert len(rows)
    assert np.array_equal((labels @ rows.T).max(axis=0), bounds)
    for (s, r), (t, q) in combinations(list(zip(rows, bounds, strict=True)), 2):
        for (one, of_one), (two, of_two) in (((s, r), (t, q)), ((t, q), (s, r))):
            assert not ((one <= two).all() and of_two <= of_one)
            assert not ((one >= two).all() and of_two + (one - two).sum() <= of_one)


@pytest.mark.parametrize("seed", range(20))
def test_random_labels_have_no_rules(seed: int) -> None:
    """Random labels of one size show no rule."""
    labels = (np.random.default_rng(seed).random((300, 12)).argsort(axis=1) < 4).astype(np.int64)
    assert len(rank_rules(labels)[0]) == 0


def test_many_columns() -> None:
    """With too many columns to list all sets, growing finds the "at most one" groups."""
    chosen = np.random.default_rng(0).integers(0, 7, (400, 5))
    labels = np.eye(7, dtype=np.int64)[chosen][:, :, :6].reshape(400, 30)  # one of six, or none
    rows, bounds = rank_rules(labels)
    groups = np.kron(np.eye(5, dtype=np.int64), np.ones((1, 6), np.int64))
    assert {row.tobytes() for row in groups} <= {row.tobytes() for row in rows[bounds == 1]}


@pytest.mark.parametrize("seed", range(5))
def test_many_random_columns(seed: int) -> None:
    """Random labels of many columns show no rule."""
    labels = (np.random.default_rng(seed).random((300, 30)).argsort(axis=1) < 6).astype(np.int64)
    assert len(rank_rules(labels)[0]) == 0


@pytest.mark.parametrize("labels", [np.zeros((0, 4)), np.zeros((5, 4)), np.ones((5, 4)), np.zeros((5, 0))])
def test_nothing_to_find(labels: IntArray) -> None:
    """Without examples, or if all examples are equal, there are no rules."""
    rows, bounds = rank_rules(labels.astype(np.int64))
    assert rows.shape == (0, labels.shape[1]) and bounds.shape == (0,)


def test_rules_that_say_nothing_have_no_evidence() -> None:
    """Rules that hold for every label of the same size have no evidence."""
    table = evidences(trees.sample(5, 100, seed=0)[1])
    assert np.isneginf(np.diag(table)).all()
    assert np.isneginf(table[:, 4:]).all()
