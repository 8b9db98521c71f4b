"""Five small problems whose labels are the best choices for random weights; the best choice is found by listing all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray, Sense

BLOCK = 1 << 22  # the most values that are computed at once


@dataclass(frozen=True)
class ChoiceProblem:
    """A problem with fixed constraints and random weights.

    `candidates` are the feasible labels that can be best for some weights of this problem. `spread` has the least and
    the largest weight of each variable. `feasible` tells of any labels (n × d) which obey the constraints.
    """

    name: str
    sense: Sense
    names: tuple[str, ...]
    candidates: IntArray
    spread: FloatArray
    feasible: Callable[[IntArray], BoolArray]

    def best(self, weights: FloatArray) -> IntArray:
        """The best label for each row of weights."""
        signed = weights if self.sense == "max" else -weights
        step = max(1, BLOCK // len(self.candidates))
        parts = [signed[k : k + step] @ self.candidates.T for k in range(0, len(signed), step)]
        places: IntArray = np.concatenate([values.argmax(axis=1) for values in parts])
        return self.candidates[places]

    def sample(self, n: int, seed: int) -> tuple[FloatArray, IntArray]:
        """Draw n rows of weights, and return them with the best label of each."""
        low, high = self.spread
        weights = np.random.default_rng(seed).uniform(low, high, (n, len(self.names)))
        return weights, self.best(weights)


def independent_set(seed: int = 0, nodes: int = 18, density: float = 0.25) -> ChoiceProblem:
    """Nodes of a random graph, no two of them joined by an edge."""
    rng = np.random.default_rng(seed)
    edges = [pair for pair in combinations(range(nodes), 2) if rng.random() < density]

    def feasible(labels: IntArray) -> BoolArray:
        first, second = np.array(edges, np.int64).T
        return np.asarray((labels[:, first] + labels[:, second] <= 1).all(axis=1) & _binary(labels))

    return _binary_problem("independent set", "max", [f"node {i}" for i in range(nodes)], feasible, (0.0, 1.0))


def matching(seed: int = 0, nodes: int = 9, density: float = 0.6) -> ChoiceProblem:
    """Edges of a random graph, no two of them at the same node."""
    rng = np.random.default_rng(seed)
    edges = [pair for pair in combinations(range(nodes), 2) if rng.random() < density]
    at_node = np.array([[node in edge for edge in edges] for node in range(nodes)], np.int64)

    def feasible(labels: IntArray) -> BoolArray:
        return (labels @ at_node.T <= 1).all(axis=1) & _binary(labels)

    labels = np.array(list(_matchings(edges, 0, 0)), np.int64)
    return ChoiceProblem(
        "matching", "max", tuple(f"{i}-{j}" for i, j in edges), labels, _spread([0.0] * len(edges), 1.0), feasible
    )


def knapsack(seed: int = 0, items: int = 15) -> ChoiceProblem:
    """Items of different sizes that fit together into a knapsack."""
    sizes = np.random.default_rng(seed).integers(3, 20, items)
    capacity = int(sizes.sum()) // 3

    def feasible(labels: IntArray) -> BoolArray:
        return (labels @ sizes <= capacity) & _binary(labels)

    return _binary_problem("knapsack", "max", [f"item {i}" for i in range(items)], feasible, (0.0, 1.0))


def set_cover(seed: int = 0, sets: int = 18, elements: int = 25) -> ChoiceProblem:
    """The cheapest sets that together hold all elements."""
    rng = np.random.default_rng(seed)
    holds = rng.random((elements, sets)) < 0.2
    for row in holds:
        row[rng.choice(sets, 2, replace=False)] = True  # so that no set is needed for lack of others

    def feasible(labels: IntArray) -> BoolArray:
        return (labels @ holds.T.astype(np.int64) >= 1).all(axis=1) & _binary(labels)

    return _binary_problem("set cover", "min", [f"set {i}" for i in range(sets)], feasible, (0.2, 1.0))


def lot_sizing(seed: int = 0, periods: int = 5, capacity: int = 9) -> ChoiceProblem:
    """The cheapest plan for the demand of some periods: what to make, whether to set up the machine, and the stock."""
    demand = np.random.default_rng(seed).integers(1, 6, periods)

    def feasible(labels: IntArray) -> BoolArray:
        made, open_, stock = (labels[:, k * periods : (k + 1) * periods] for k in range(3))
        before = np.column_stack([np.zeros(len(labels), np.int64), stock[:, :-1]])
        return np.asarray(
            (before + made - demand == stock).all(axis=1)
            & (stock >= 0).all(axis=1)
            & ((made >= 0) & (made <= capacity * open_)).all(axis=1)
            & _binary(open_)
        )

    plans = np.array(list(product(range(capacity + 1), repeat=periods)), np.int64)
    plans = plans[plans.sum(axis=1) == demand.sum()]  # nothing is left at the end of a cheapest plan
    stock = np.cumsum(plans - demand, axis=1)
    labels = np.column_stack([plans, plans > 0, stock]).astype(np.int64)
    names = [f"{what} {t}" for what in ("make", "set up", "stock") for t in range(periods)]
    low, high = np.repeat([1.0, 1.0, 0.1], periods), np.repeat([3.0, 12.0, 1.0], periods)
    return ChoiceProblem("lot sizing", "min", tuple(names), labels[feasible(labels)], np.array([low, high]), feasible)


PROBLEMS: dict[str, Callable[[int], ChoiceProblem]] = {
    "independent set": independent_set,
    "matching": matching,
    "knapsack": knapsack,
    "set cover": set_cover,
    "lot sizing": lot_sizing,
}


def _binary_problem(
    name: str, sense: Sense, names: list[str], feasible: Callable[[IntArray], BoolArray], spread: tuple[float, float]
) -> ChoiceProblem:
    """A problem over 0/1 variables whose labels are found by testing all of them."""
    every = (np.arange(1 << len(names))[:, None] >> np.arange(len(names))) & 1
    return ChoiceProblem(
        name, sense, tuple(names), every[feasible(every)], _spread([spread[0]] * len(names), spread[1]), feasible
    )


def _spread(low: list[float], high: float) -> FloatArray:
    return np.array([low, [high] * len(low)])


def _binary(labels: IntArray) -> BoolArray:
    return np.asarray(((labels >= 0) & (labels <= 1)).all(axis=1))


def _matchings(edges: list[tuple[int, int]], used: int, k: int) -> Iterator[list[int]]:
    """Yield every matching of the edges from the k-th on that touches no used node, as 0/1 rows."""
    if k == len(edges):
        yield []
        return
    touched = sum(1 << node for node in edges[k])
    for rest in _matchings(edges, used, k + 1):
        yield [0, *rest]
    if not used & touched:
        for rest in _matchings(edges, used | touched, k + 1):
            yield [1, *rest]
