"""Spanning trees of complete graphs: random edge weights and the trees that are optimal for them."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import DataError


def edges(nodes: int) -> list[tuple[int, int]]:
    """List the edges (i, j), i < j, of the complete graph, in the order of the variables.

    >>> edges(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(nodes), 2))


def names(nodes: int) -> list[str]:
    """Return the names of the variables, such as "0-1"."""
    return [f"{i}-{j}" for i, j in edges(nodes)]


def sample(nodes: int, n: int, seed: int, low: float = -1.0, high: float = 1.0) -> tuple[FloatArray, IntArray]:
    """Draw weights (n × d) uniformly from [low, high), and return them with the maximum spanning tree of each row.

    >>> weights, labels = sample(4, n=5, seed=0)
    >>> labels.sum(axis=1)
    array([3, 3, 3, 3, 3])
    """
    if nodes < 2:
        raise DataError(f"a graph of {nodes} nodes has no edges: use at least 2")
    weights = np.random.default_rng(seed).uniform(low, high, (n, nodes * (nodes - 1) // 2))
    return weights, best(weights, nodes)


def best(weights: FloatArray, nodes: int) -> IntArray:
    """Return the maximum spanning tree for each row of weights, by Prim's algorithm on all rows at once."""
    n = len(weights)
    column = _columns(nodes)
    rows = np.arange(n)
    reached = np.zeros((n, nodes), bool)
    value = np.full((n, nodes), -np.inf)  # the weight of the best edge from the tree to each node
    through = np.zeros((n, nodes), np.int64)  # the column of that edge
    labels = np.zeros(weights.shape, np.int64)
    newest = np.zeros(n, np.int64)
    for _ in range(nodes - 1):
        reached[rows, newest] = True
        value[rows, newest] = -np.inf
        candidate = column[newest]
        offer = weights[rows[:, None], candidate]
        better = (offer > value) & ~reached
        value[better] = offer[better]
        through[better] = candidate[better]
        newest = value.argmax(axis=1)
        labels[rows, through[rows, newest]] = 1
    return labels


def is_tree(labels: IntArray, nodes: int) -> BoolArray:
    """Return which rows are spanning trees as 0/1 vectors: nodes − 1 edges without a cycle."""
    result: BoolArray = ((labels == 0) | (labels == 1)).all(axis=1) & (labels.sum(axis=1) == nodes - 1)
    chosen = np.nonzero(labels[result])[1].reshape(-1, nodes - 1)
    ends = np.array(edges(nodes), np.int64)[chosen]
    rows = np.arange(len(chosen))
    part = np.tile(np.arange(nodes), (len(chosen), 1))  # the number of the connected part that each node is in
    acyclic = np.ones(len(chosen), bool)
    for k in range(nodes - 1):
        one, other = part[rows, ends[:, k, 0]], part[rows, ends[:, k, 1]]
        acyclic &= one != other
        part = np.where(part == other[:, None], one[:, None], part)
    result[result] = acyclic
    return result


def _columns(nodes: int) -> IntArray:
    """Return the column of the edge between two nodes (nodes × nodes; the 0 on the diagonal has no meaning)."""
    table = np.zeros((nodes, nodes), np.int64)
    for k, (i, j) in enumerate(edges(nodes)):
        table[i, j] = table[j, i] = k
    return table
