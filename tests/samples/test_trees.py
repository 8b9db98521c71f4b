"""Random spanning-tree problems."""

from itertools import combinations

import numpy as np
import pytest

from unwritten.errors import DataError
from unwritten.samples import trees


def kruskal(weights: np.ndarray, nodes: int) -> np.ndarray:
    """Kruskal's algorithm from a textbook, for one graph at a time."""
    label = np.zeros(len(weights), np.int64)
    part = list(range(nodes))
    for k in np.argsort(-weights):
        i, j = trees.edges(nodes)[k]
        if part[i] != part[j]:
            label[k] = 1
            part = [part[i] if p == part[j] else p for p in part]
    return label


def all_trees(nodes: int) -> np.ndarray:
    """List every edge set of the right size that connects the nodes, found by matrix powers."""
    labels = []
    for chosen in combinations(range(len(trees.edges(nodes))), nodes - 1):
        steps = np.eye(nodes, dtype=np.int64)
        for k in chosen:
            i, j = trees.edges(nodes)[k]
            steps[i, j] = steps[j, i] = 1
        if (np.linalg.matrix_power(steps, nodes) > 0).all():
            label = np.zeros(len(trees.edges(nodes)), np.int64)
            label[list(chosen)] = 1
            labels.append(label)
    return np.array(labels)


def test_edges_and_names_share_an_order() -> None:
    """Edges are listed once each, as pairs and as names."""
    assert trees.names(4) == ["0-1", "0-2", "0-3", "1-2", "1-3", "2-3"]
    assert trees.names(12) == [f"{i}-{j}" for i, j in trees.edges(12)]
    assert len(trees.edges(30)) == 435


@pytest.mark.parametrize(("nodes", "count"), [(2, 1), (3, 3), (4, 16), (5, 125)])
def test_is_tree_finds_exactly_the_trees(nodes: int, count: int) -> None:
    """Among all 0/1 vectors there are nodes ** (nodes - 2) trees, as Cayley's formula says."""
    width = len(trees.edges(nodes))
    every = (np.arange(2**width)[:, None] >> np.arange(width)) & 1
    mask = trees.is_tree(every, nodes)
    assert mask.sum() == count
    assert {tuple(row) for row in every[mask]} == {tuple(row) for row in all_trees(nodes)}


def test_is_tree_refuses_other_integers() -> None:
    """A vector with the right sum but entries other than 0 and 1 is not a tree."""
    assert trees.is_tree(np.array([[2, 0, 0], [3, -1, 0], [1, 0, 1]]), 3).tolist() == [False, False, True]


@pytest.mark.parametrize("nodes", [2, 3, 4, 5])
def test_labels_are_optimal_against_all_trees(nodes: int) -> None:
    """No tree has a greater value than the label of its row."""
    weights, labels = trees.sample(nodes, n=50, seed=nodes)
    assert trees.is_tree(labels, nodes).all()
    assert np.allclose((weights * labels).sum(axis=1), (weights @ all_trees(nodes).T).max(axis=1))


@pytest.mark.parametrize("nodes", [7, 15])
def test_labels_are_those_of_kruskal(nodes: int) -> None:
    """On larger graphs the label is that of another greedy algorithm."""
    weights, labels = trees.sample(nodes, n=100, seed=1)
    assert np.array_equal(labels, [kruskal(row, nodes) for row in weights])


def test_sample_is_seeded_and_bounded() -> None:
    """The same seed gives the same problems; weights are in the given range; labels are integers."""
    weights, labels = trees.sample(30, n=1000, seed=5, low=0.0, high=2.0)
    again, _ = trees.sample(30, n=1000, seed=5, low=0.0, high=2.0)
    assert np.array_equal(weights, again)
    assert weights.min() >= 0
    assert weights.max() < 2
    assert labels.dtype == np.int64
    assert trees.is_tree(labels, 30).all()


def test_a_single_node_is_refused() -> None:
    """A graph without edges is refused with a message that says so."""
    with pytest.raises(DataError, match="at least 2"):
        trees.sample(1, n=3, seed=0)
