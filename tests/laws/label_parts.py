"""Labels whose parts obey rules of one kind each, but for a few odd rows."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np

from unwritten.data import FloatArray, IntArray


def bits(rng: np.random.Generator, n: int) -> IntArray:
    """0/1 labels of one to three parts; some rows come often, and a few break what the others show."""
    parts = [_bit_part(rng, n) for _ in range(int(rng.choice([1, 1, 2, 2, 3])))]
    return with_odd_rows(rng, _with_repeats(rng, np.concatenate(parts, axis=1)), 0, 1)


def _bit_part(rng: np.random.Generator, n: int) -> IntArray:
    width = int(rng.integers(2, 7))
    kind = rng.choice(9, p=[0.12, 0.14, 0.14] + 6 * [0.1])
    free = (rng.random((n, width)) < rng.uniform(0.15, 0.85)).astype(np.int64)
    if kind == 0:  # exactly one
        return np.eye(width, dtype=np.int64)[rng.integers(0, width, n)]
    if kind == 1:  # sets of one size
        size = int(rng.integers(1, width))
        return (rng.random((n, width)).argsort(axis=1) < size).astype(np.int64)
    if kind == 2:  # spanning trees
        return spanning_trees()[rng.integers(0, len(spanning_trees()), n)]
    if kind == 3:  # at least one
        free[free.sum(axis=1) == 0, rng.integers(width)] = 1
    elif kind == 4:  # at most some
        most = int(rng.integers(1, width))
        free[np.cumsum(free, axis=1) > most] = 0
    elif kind == 5:  # an implication, and a column that equals or excludes another one
        free[:, 0] &= free[:, 1]
        free = np.column_stack([free, free[:, -1] if rng.random() < 0.5 else 1 - free[:, -1]])
    elif kind == 6:  # constant columns
        free[:, : int(rng.integers(1, width))] = int(rng.integers(2))
    elif kind == 7:  # a knapsack
        sizes = rng.integers(1, 6, width)
        free[free @ sizes > sizes.sum() // 2] = 0
    return free


@cache
def spanning_trees() -> IntArray:
    """The spanning trees of four nodes, as sets of six edges."""
    edges, trees = list(combinations(range(4), 2)), []
    for chosen in combinations(range(6), 3):
        node = list(range(4))
        for k in chosen:
            one, other = (node[end] for end in edges[k])
            node = [one if each == other else each for each in node]
        if len(set(node)) == 1:
            trees.append(np.isin(np.arange(6), chosen))
    return np.array(trees, np.int64)


def numbers(rng: np.random.Generator, n: int) -> IntArray:
    """Integer labels of one or two parts; a few rows break what the others show."""
    parts = [_number_part(rng, n) for _ in range(int(rng.integers(1, 3)))]
    if rng.random() < 0.3:
        parts.append(_bit_part(rng, n))
    labels = _with_repeats(rng, np.concatenate(parts, axis=1))
    return with_odd_rows(rng, labels, int(labels.min()) - 2, int(labels.max()) + 2)


def _number_part(rng: np.random.Generator, n: int) -> IntArray:
    width, most = int(rng.integers(2, 5)), int(rng.choice([3, 8, 40]))
    free = rng.integers(0, most, (n, width))
    kind = rng.integers(7)
    if kind == 0:  # a sum
        return np.column_stack([free, free.sum(axis=1)])
    if kind == 1:  # all different
        return rng.random((n, width)).argsort(axis=1)
    if kind == 2:  # an order, or a distance
        return np.column_stack([free[:, 0], free[:, 0] + rng.integers(int(rng.integers(0, 2)), 4, n)])
    if kind == 3:  # not equal
        return np.column_stack([free[:, 0], (free[:, 0] + rng.integers(1, most, n)) % most])
    if kind == 4:  # a sum up to a limit
        free[free.sum(axis=1) > width * most // 2] = 0
    elif kind == 5:  # a multiple
        return np.column_stack([free, 2 * free[:, 0] - 3 * free[:, -1]])
    return free


def _with_repeats(rng: np.random.Generator, labels: IntArray) -> IntArray:
    """The same labels, or as many drawn from few of them, so that labels repeat."""
    few = int(rng.integers(2, 60))
    return labels if rng.random() < 0.5 else labels[rng.integers(0, min(few, len(labels)), len(labels))]


def with_odd_rows(rng: np.random.Generator, labels: IntArray, low: int, high: int) -> IntArray:
    """The labels, of which up to three have a few other entries, or the same entries in other places."""
    labels = np.array(labels, np.int64)
    for row in rng.integers(0, len(labels), int(rng.choice([0, 0, 1, 1, 1, 2, 3]))):
        if rng.random() < 0.4:
            labels[row] = rng.permutation(labels[row])
            continue
        changed = rng.random(labels.shape[1]) < rng.choice([0.2, 0.6, 1.0])
        labels[row, changed] = rng.integers(low, high + 1, int(changed.sum()))
    return labels


def optimal(rng: np.random.Generator, n: int) -> tuple[IntArray, FloatArray]:
    """Labels that are the best of few or of all allowed ones for their weights; perhaps some are not."""
    d = int(rng.integers(3, 8))
    box = np.array(list(product(range(2 if d > 4 else 3), repeat=d)), np.int64)
    allowed = np.ones(len(box), bool)
    for _ in range(int(rng.integers(1, 4))):
        row = rng.integers(-2, 4, d)
        values = box @ row
        allowed &= values == values[rng.integers(len(box))] if rng.random() < 0.2 else values <= np.median(values)
    feasible = box[allowed] if allowed.any() else box
    if rng.random() < 0.2:
        feasible = spanning_trees()
    weights = rng.normal(size=(n, feasible.shape[1])) + (rng.random() < 0.5)
    weights = np.round(100 * weights) if rng.random() < 0.5 else np.round(weights, 8)
    labels = feasible[(weights @ feasible.T).argmax(axis=1)]
    if rng.random() < 0.5:
        labels = with_odd_rows(rng, labels, int(box.min()), int(box.max()))
    return labels, weights
