"""Covers: on spanning trees they are the stars of the nodes; random labels have none."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.data import IntArray
from unwritten.mining.sets.covers import covers, missed_by_chance
from unwritten.samples import trees


def stars(nodes: int) -> IntArray:
    """For each node the columns of its edges."""
    ends = np.array(trees.edges(nodes))
    return np.array([(ends == node).any(axis=1) for node in range(nodes)]).astype(np.int64)


@pytest.mark.parametrize(("nodes", "n"), [(5, 150), (6, 200), (7, 250), (10, 400)])
def test_stars_of_trees(nodes: int, n: int) -> None:
    """The covers of spanning trees are the stars of the nodes."""
    cover_rows = covers(trees.sample(nodes, n, seed=1)[1])
    assert {row.tobytes() for row in stars(nodes)} <= {row.tobytes() for row in cover_rows}


def test_covers_are_minimal() -> None:
    """Every label hits a cover, and without any one of its columns some label does not."""
    labels = trees.sample(6, 300, seed=2)[1]
    cover_rows = covers(labels)
    assert len(cover_rows)
    for row in cover_rows:
        assert (labels @ row > 0).all()
        for column in np.flatnonzero(row):
            assert (labels @ (row - np.eye(len(row), dtype=np.int64)[column]) == 0).any()


def test_same_seed_same_covers() -> None:
    """The same labels and seed give the same covers."""
    labels = trees.sample(7, 250, seed=3)[1]
    assert np.array_equal(covers(labels, seed=5), covers(labels, seed=5))


@pytest.mark.parametrize("seed", range(20))
def test_random_labels_have_no_covers(seed: int) -> None:
    """Neither labels of independent columns nor random labels of one size show a cover."""
    rng = np.random.default_rng(seed)
    independent = (rng.random((300, 15)) < rng.uniform(0.1, 0.6, 15)).astype(np.int64)
    sized = (rng.random((300, 15)).argsort(axis=1) < 5).astype(np.int64)
    assert len(covers(independent)) == len(covers(sized)) == 0


def test_constant_columns_are_left_out() -> None:
    """A constant column is in no cover, and the other covers do not depend on it."""
    labels = trees.sample(5, 150, seed=0)[1]
    wider = np.column_stack([np.ones(150, np.int64), labels, np.zeros(150, np.int64)])
    assert np.array_equal(covers(wider)[:, 1:-1], covers(labels))
    assert not covers(wider)[:, [0, -1]].any()


@pytest.mark.parametrize("labels", [np.zeros((0, 4)), np.zeros((5, 4)), np.ones((5, 4)), np.zeros((5, 0))])
def test_nothing_to_find(labels: IntArray) -> None:
    """Without examples, or if all examples are equal, there are no covers."""
    assert covers(labels.astype(np.int64)).shape == (0, labels.shape[1])


def test_chance_of_a_miss() -> None:
    """The chance that a random label misses a set agrees with the hypergeometric distribution."""
    assert missed_by_chance(np.array([[1, 1, 0, 0]])) == pytest.approx([1, 1 / 2, 1 / 6, 0, 0])
