"""Problems with a hidden feasible set, from which examples are the best choices.

All feasible labels are listed: a rule is true if each of them obeys it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from experiments.few import problems
from unwritten.data import BoolArray, FloatArray, IntArray, Sense
from unwritten.rules import RuleSet

BLOCK = 1 << 23  # the most values that are computed at once
Draw = Callable[[np.random.Generator, int], FloatArray]
Allowed = Callable[[IntArray], Any]  # which labels (rows) are feasible


@dataclass(frozen=True)
class HiddenProblem:
    """All feasible labels, whether the best one is largest or smallest, and how the weights of examples are drawn."""

    family: str
    feasible: IntArray
    sense: Sense
    draw: Draw
    bounds: tuple[list[int], list[int]]

    def sample(self, n: int, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
        """Draw n rows of weights; return them with the best feasible label of each."""
        weights = self.draw(rng, n)
        return weights, self.best(weights)

    def best(self, weights: FloatArray) -> IntArray:
        """The best feasible label for each row of weights."""
        signed = weights if self.sense == "max" else -weights
        step = max(1, BLOCK // len(self.feasible))
        labels = self.feasible.T.astype(np.float64)
        places = [(signed[k : k + step] @ labels).argmax(axis=1) for k in range(0, len(signed), step)]
        best: IntArray = self.feasible[np.concatenate(places)]
        return best

    def true(self, rules: RuleSet) -> BoolArray:
        """Which rules every feasible label obeys."""
        return np.array([not rules[k : k + 1].broken(self.feasible).any() for k in range(len(rules))], bool)


def positive(width: int) -> Draw:
    """Weights between 0.05 and 1: everything chosen is a gain, or a cost."""
    return lambda rng, n: rng.uniform(0.05, 1, (n, width))


def mixed(width: int) -> Draw:
    """Weights between −1 and 1: some choices are gains, others are costs."""
    return lambda rng, n: rng.uniform(-1, 1, (n, width))


def whole(width: int) -> Draw:
    """Small whole numbers, so that many labels are equally good."""
    return lambda rng, n: rng.integers(1, 6, (n, width)).astype(np.float64)


def _binary(family: str, allowed: Allowed, width: int, sense: Sense, draw: Draw) -> HiddenProblem:
    every = _all_sets(width)
    return HiddenProblem(family, every[np.asarray(allowed(every), bool)], sense, draw, ([0] * width, [1] * width))


def _all_sets(width: int) -> IntArray:
    return (np.arange(2**width)[:, None] >> np.arange(width)) & 1


def _random_graph(nodes: int, share: float, rng: np.random.Generator) -> IntArray:
    pairs = np.array([(i, j) for i in range(nodes) for j in range(i)])
    return pairs[rng.random(len(pairs)) < share]


def independent_set(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Sets of nodes of a random graph without two neighbours."""
    width = int(rng.integers(12, 19))
    edges = _random_graph(width, float(rng.uniform(0.15, 0.4)), rng)
    return _binary(
        "independent set", lambda y: ~(y[:, edges[:, 0]] & y[:, edges[:, 1]]).any(axis=1), width, "max", draw(width)
    )


def vertex_cover(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Sets of nodes of a random graph that touch every edge."""
    width = int(rng.integers(12, 18))
    edges = _random_graph(width, float(rng.uniform(0.15, 0.4)), rng)
    return _binary(
        "vertex cover", lambda y: (y[:, edges[:, 0]] | y[:, edges[:, 1]]).all(axis=1), width, "min", draw(width)
    )


def matching(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Sets of edges of a random graph of which no two share a node."""
    nodes = int(rng.integers(6, 9))
    edges = _random_graph(nodes, 0.65, rng)
    edges = edges[: min(len(edges), 18)]
    stars = np.array([(edges == node).any(axis=1) for node in range(nodes)]).astype(np.int64)
    return _binary("matching", lambda y: (y @ stars.T <= 1).all(axis=1), len(edges), "max", draw(len(edges)))


def knapsack(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Sets of items that fit together."""
    width = int(rng.integers(12, 17))
    sizes = rng.integers(2, 20, width)
    capacity = int(sizes.sum() * rng.uniform(0.2, 0.5))
    return _binary("knapsack", lambda y: y @ sizes <= capacity, width, "max", draw(width))


def knapsack_with_conflicts(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Sets of items that fit together, some pairs of which exclude each other."""
    width = int(rng.integers(12, 17))
    sizes = rng.integers(2, 20, width)
    capacity = int(sizes.sum() * rng.uniform(0.25, 0.5))
    edges = _random_graph(width, 0.15, rng)
    return _binary(
        "knapsack with conflicts",
        lambda y: (y @ sizes <= capacity) & ~(y[:, edges[:, 0]] & y[:, edges[:, 1]]).any(axis=1),
        width, "max", draw(width),
    )  # fmt: skip


def set_cover(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Families of sets that contain every element."""
    width, elements = int(rng.integers(12, 17)), int(rng.integers(8, 15))
    contains = rng.random((elements, width)) < 0.3
    contains[np.arange(elements), rng.integers(0, width, elements)] = True
    rows = contains.astype(np.int64)
    return _binary("set cover", lambda y: (y @ rows.T >= 1).all(axis=1), width, "min", draw(width))


def set_packing(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Families of sets that share no element."""
    width, elements = int(rng.integers(12, 17)), int(rng.integers(6, 10))
    rows = (rng.random((elements, width)) < 0.25).astype(np.int64)
    return _binary("set packing", lambda y: (y @ rows.T <= 1).all(axis=1), width, "max", draw(width))


def selection(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """At most k of n items, at most one of each of some pairs."""
    width = int(rng.integers(12, 17))
    most = int(rng.integers(3, 7))
    edges = _random_graph(width, 0.05, rng)
    return _binary(
        "selection",
        lambda y: (y.sum(axis=1) <= most) & ~(y[:, edges[:, 0]] & y[:, edges[:, 1]]).any(axis=1),
        width, "max", draw(width),
    )  # fmt: skip


def assignment(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """At most one job for each worker and one worker for each job."""
    workers, jobs = int(rng.integers(3, 5)), int(rng.integers(3, 5))
    names = list(product(range(workers), range(jobs)))
    rows = [[w == i for w, _ in names] for i in range(workers)] + [[j == k for _, j in names] for k in range(jobs)]
    lines = np.array(rows).astype(np.int64)
    return _binary("assignment", lambda y: (y @ lines.T <= 1).all(axis=1), len(names), "max", draw(len(names)))


def exact_assignment(rng: np.random.Generator, draw: Callable[[int], Draw] = mixed) -> HiddenProblem:
    """Exactly one job for each worker and one worker for each job."""
    names = list(product(range(4), range(4)))
    rows = [[w == i for w, _ in names] for i in range(4)] + [[j == k for _, j in names] for k in range(4)]
    lines = np.array(rows).astype(np.int64)
    return _binary("exact assignment", lambda y: (y @ lines.T == 1).all(axis=1), len(names), "max", draw(len(names)))


def facility_location(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Every client is served by at least one open facility."""
    facilities, clients = 4, int(rng.integers(2, 4))
    serves = np.array([[facilities + c * facilities + f for f in range(facilities)] for c in range(clients)])
    width = facilities * (clients + 1)
    return _binary(
        "facility location",
        lambda y: np.all([y[:, s].any(axis=1) & (y[:, s] <= y[:, :facilities]).all(axis=1) for s in serves], axis=0),
        width, "min", draw(width),
    )  # fmt: skip


def implications(rng: np.random.Generator, draw: Callable[[int], Draw] = mixed) -> HiddenProblem:
    """Sets that contain all that their members require."""
    width = int(rng.integers(12, 17))
    arcs = _random_graph(width, 0.12, rng)
    return _binary(
        "implications", lambda y: (y[:, arcs[:, 0]] <= y[:, arcs[:, 1]]).all(axis=1), width, "max", draw(width)
    )


def lot_sizing(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Amounts and open periods: demand is met in time, and amounts need an open period."""
    periods, most = 4, 5
    demand = rng.integers(1, 4, periods)
    total = np.cumsum(demand)
    amounts = np.array(list(product(range(most + 1), repeat=periods)))
    amounts = amounts[(np.cumsum(amounts, axis=1) >= total).all(axis=1)]
    stock = np.cumsum(amounts, axis=1) - total
    labels = []
    for opened in _all_sets(periods):
        can = (amounts <= most * opened).all(axis=1)
        labels.append(np.hstack([amounts[can], np.tile(opened, (can.sum(), 1)), stock[can]]))
    feasible = np.concatenate(labels)
    scale = np.concatenate([np.ones(periods), np.full(periods, 4.0), np.full(periods, 0.4)])
    upper = [most] * periods + [1] * periods + stock.max(axis=0).tolist()
    plain = draw(3 * periods)
    return HiddenProblem("lot sizing", feasible, "min", lambda r, n: plain(r, n) * scale, ([0] * 3 * periods, upper))


def paths(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Cheapest ways from one corner of a grid to the other, right and down."""
    feasible = problems.paths(int(rng.integers(3, 5))).feasible
    width = feasible.shape[1]
    return HiddenProblem("paths", feasible, "min", draw(width), ([0] * width, [1] * width))


def spanning_trees(rng: np.random.Generator, draw: Callable[[int], Draw] = positive) -> HiddenProblem:
    """Cheapest spanning trees of a complete graph."""
    feasible = problems.spanning_trees(int(rng.integers(5, 7))).feasible
    width = feasible.shape[1]
    return HiddenProblem("spanning trees", feasible, "min", draw(width), ([0] * width, [1] * width))


Make = Callable[[np.random.Generator, Callable[[int], Draw]], HiddenProblem]

#: the problems that the method was chosen by, and those that it was only tested on
SHOWN: tuple[Make, ...] = (independent_set, matching, knapsack, set_cover, lot_sizing)
HELD_OUT: tuple[Make, ...] = (
    vertex_cover, assignment, exact_assignment, facility_location, implications, knapsack_with_conflicts, paths,
    selection, set_packing, spanning_trees,
)  # fmt: skip
