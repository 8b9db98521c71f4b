"""Matroids: trees from labels alone, exact greedy, valid rows, and refusal where labels are not all the bases."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest

from unwritten.data import FloatArray, IntArray
from unwritten.evidence.chance import MARGIN
from unwritten.mining.matroids.matroid import Matroid
from unwritten.mining.sets.covers import covers
from unwritten.mining.sets.matroid_fit import fit_matroid, labels_avoid_bases, matroid_of_covers
from unwritten.samples import trees


def rows_of(sets: list[tuple[int, ...]], width: int) -> IntArray:
    """Sets of columns as 0/1 rows."""
    rows = np.zeros((len(sets), width), np.int64)
    for row, chosen in zip(rows, sets, strict=True):
        row[list(chosen)] = 1
    return rows


def subsets(width: int, size: int) -> IntArray:
    """All 0/1 rows with so many ones."""
    return rows_of(list(combinations(range(width), size)), width)


def mined(nodes: int, n: int, seed: int = 0) -> Matroid:
    """The matroid of sampled trees."""
    matroid = fit_matroid(trees.sample(nodes, n, seed)[1])
    assert matroid is not None
    return matroid


@pytest.mark.parametrize(("nodes", "n"), [(5, 250), (6, 250), (7, 250)])
def test_bases_are_the_trees(nodes: int, n: int) -> None:
    """Of all sets of nodes − 1 edges the bases are exactly the spanning trees; greedy finds the best of them."""
    matroid = mined(nodes, n)
    every = subsets(nodes * (nodes - 1) // 2, nodes - 1)
    is_tree = trees.is_tree(every, nodes)
    assert np.array_equal(matroid.is_basis(every), is_tree)
    weights = np.random.default_rng(1).normal(size=(200, every.shape[1]))
    found = matroid.greedy(weights)
    assert trees.is_tree(found, nodes).all()
    assert (found * weights).sum(axis=1) == pytest.approx((weights @ every[is_tree].T).max(axis=1))


@pytest.mark.parametrize(("nodes", "n"), [(10, 400), (15, 800)])
def test_larger_trees_from_labels_alone(nodes: int, n: int) -> None:
    """On more nodes greedy answers fresh queries by their value."""
    weights, labels = trees.sample(nodes, 300, seed=99)
    assert np.array_equal(mined(nodes, n).greedy(weights), labels)


def test_ties_and_minimisation() -> None:
    """Weights with many ties, minimised: the labels need not be those of greedy, only their values."""
    rng = np.random.default_rng(0)
    tied = rng.integers(0, 4, (400, 15)).astype(float)
    labels = trees.best(-tied - 1e-3 * rng.random((400, 15)), 6)  # some best tree, not the first
    matroid = fit_matroid(labels, tied, sense="min")
    assert matroid is not None
    assert not np.array_equal(matroid.greedy(-tied), labels)
    assert fit_matroid(labels, tied, sense="max") is None


def test_is_basis_refuses_other_labels() -> None:
    """Wrong sizes and values other than 0 and 1 are no bases."""
    matroid = mined(5, 250)
    tree = trees.sample(5, 1, seed=5)[1][0]
    assert matroid.is_basis(np.array([tree, 0 * tree, 2 * tree, 1 + 0 * tree, -tree])).tolist() == [True, *[False] * 4]
    assert matroid.independent(np.flatnonzero(tree)[:2])
    assert not matroid.independent(np.arange(10))


def test_violated_rows_are_valid_and_cut() -> None:
    """Rows for a label that is no tree hold for all trees and cut it off; they are closed sets with their rank."""
    matroid = mined(6, 250)
    every = subsets(15, 5)
    is_tree = trees.is_tree(every, 6)
    for label in every[~is_tree][::40]:
        rows = matroid.violated(label)
        assert rows
        assert [len(columns) for columns, _ in rows] == sorted(len(columns) for columns, _ in rows)
        for columns, rank in rows:
            assert label[columns].sum() > rank == matroid.rank_of(columns)
            assert (every[is_tree][:, columns].sum(axis=1) <= rank).all()
            assert np.array_equal(matroid.closure(columns), columns)
        for columns in matroid.missed(label):
            assert label[columns].sum() == 0
            assert (every[is_tree][:, columns].sum(axis=1) >= 1).all()
        assert matroid.missed(label)
    assert matroid.violated(every[is_tree][0]) == matroid.missed(every[is_tree][0]) == []


def test_every_edge_and_none() -> None:
    """All edges break rank rows but miss nothing; no edge misses covers but breaks no rank row."""
    matroid = mined(5, 250)
    full, empty = np.ones(10, np.int64), np.zeros(10, np.int64)
    assert matroid.violated(full)
    assert matroid.missed(full) == matroid.violated(empty) == []
    assert matroid.missed(empty)


def matchings(nodes: int) -> IntArray:
    """Perfect matchings of the complete graph."""
    pairs = list(combinations(range(nodes), 2))
    sets = [c for c in combinations(range(len(pairs)), nodes // 2) if len({v for e in c for v in pairs[e]}) == nodes]
    return rows_of(sets, len(pairs))


def assignments(size: int) -> IntArray:
    """Permutation matrices."""
    return rows_of([tuple(i * size + j for i, j in enumerate(p)) for p in permutations(range(size))], size * size)


def paths(side: int) -> IntArray:
    """Paths right and down through a grid of side × side nodes."""
    labels = []
    for downs in combinations(range(2 * side - 2), side - 1):
        grid, row, column = np.zeros((2, side, side), np.int64), 0, 0
        for step in range(2 * side - 2):
            down = int(step in downs)
            grid[down, row, column] = 1
            row, column = row + down, column + 1 - down
        labels.append(grid.ravel())
    every = np.array(labels)
    return every[:, every.any(axis=0)]


def points(width: int, weights: IntArray, size: int | None = None) -> IntArray:
    """Packings of a third of the weight, or of any weight below the median with so many items."""
    every = np.array(list(product((0, 1), repeat=width)))
    if size is None:
        return every[every @ weights <= weights.sum() // 3]
    every = every[every.sum(axis=1) == size]
    return every[every @ weights <= np.median(every @ weights)]


def stable_sets(width: int) -> IntArray:
    """Stable sets of a random graph."""
    near = np.triu(np.random.default_rng(width).random((width, width)) < 0.25, 1)
    every = np.array(list(product((0, 1), repeat=width)))
    return every[((every @ near) * every).sum(axis=1) == 0]


ITEMS = np.random.default_rng(0).integers(1, 20, 16)
NO_MATROIDS = {
    **{f"perfect matchings of {k} nodes": matchings(k) for k in (4, 6, 8)},
    **{f"assignments of {k}": assignments(k) for k in (3, 4, 5)},
    **{f"paths in a grid of {k}": paths(k) for k in (3, 4, 5)},
    **{f"packings of {k}": points(k, ITEMS[:k]) for k in (8, 10, 12)},
    **{f"packings of {k} out of 12": points(12, ITEMS[:12], k) for k in (3, 4, 6)},
    **{f"stable sets of {k}": stable_sets(k) for k in (8, 10, 12)},
}


def best_of(feasible: IntArray, n: int, seed: int) -> tuple[FloatArray, IntArray]:
    """Random weights and the best feasible label of each."""
    weights = np.random.default_rng(seed).uniform(-1, 1, (n, feasible.shape[1]))
    return weights, feasible[(weights @ feasible.T).argmax(axis=1)]


@pytest.mark.parametrize("name", NO_MATROIDS)
def test_no_matroid_is_claimed(name: str) -> None:
    """Where labels are not the bases of a binary matroid none is claimed, with weights or without."""
    for n in (120, 500):
        weights, labels = best_of(NO_MATROIDS[name], n, seed=n)
        assert fit_matroid(labels) is None
        assert fit_matroid(labels, weights) is None
        found = covers(labels)
        matroid = matroid_of_covers(labels, found)
        assert matroid is None or labels_avoid_bases(matroid, found, labels, MARGIN, 0)


def test_assignments_are_refused_for_what_they_avoid() -> None:
    """Assignments are bases of "one in each row", but not all of them: two rows never share a column."""
    labels = best_of(assignments(4), 300, seed=0)[1]
    found = covers(labels)
    loose = matroid_of_covers(labels, found)
    assert loose is not None and loose.is_basis(labels).all()
    assert labels_avoid_bases(loose, found, labels, 3.0, 0)


def test_one_of_each_group_is_a_matroid() -> None:
    """Choices of one column from each group are the bases of a partition matroid; a constant column is in all."""
    chosen = np.random.default_rng(0).integers(0, 3, (200, 4))
    labels = np.column_stack([np.eye(3, dtype=np.int64)[chosen].reshape(200, 12), np.ones(200, np.int64)])
    matroid = fit_matroid(labels)
    assert matroid is not None and matroid.rank == 5
    every = subsets(13, 5)
    groups = every[:, :12].reshape(-1, 4, 3).sum(axis=2)
    assert np.array_equal(matroid.is_basis(every), (groups == 1).all(axis=1) & (every[:, 12] == 1))


def test_rank_above_one_word() -> None:
    """More than 64 rows take several words."""
    matroid = Matroid(np.kron(np.eye(70, dtype=np.int64), np.ones((1, 2), np.int64)), 70)
    weights = np.random.default_rng(0).normal(size=(5, 140))
    best = weights.reshape(5, 70, 2).argmax(axis=2)
    assert np.array_equal(matroid.greedy(weights), np.eye(2, dtype=np.int64)[best].reshape(5, 140))


@pytest.mark.parametrize("labels", [np.zeros((0, 4)), np.zeros((9, 4)), np.eye(4)[:1], np.eye(4)])
def test_too_little_to_tell(labels: IntArray) -> None:
    """No examples, empty labels, or a handful: no matroid."""
    assert fit_matroid(labels.astype(np.int64)) is None
