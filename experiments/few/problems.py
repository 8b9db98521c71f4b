"""Small problems whose feasible labels can all be listed, so that examples and tests of them are exact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

import numpy as np

from unwritten.data import FloatArray, IntArray, Variables
from unwritten.rules import RuleSet
from unwritten.samples import trees

BLOCK = 1 << 22  # the most values that are computed at once
Triple = tuple[dict[str, int], str, int]


@dataclass(frozen=True)
class Problem:
    """All feasible labels of a problem, the rules that define it, and whether its labels are the bases of a matroid."""

    family: str
    name: str
    feasible: IntArray
    own: RuleSet
    matroid: bool = False

    def best(self, weights: FloatArray) -> IntArray:
        """Return the feasible label of greatest value for each row of weights."""
        step = max(1, BLOCK // len(self.feasible))
        parts = [weights[k : k + step] @ self.feasible.T for k in range(0, len(weights), step)]
        places: IntArray = np.concatenate([values.argmax(axis=1) for values in parts])
        return self.feasible[places]

    def sample(self, n: int, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
        """Draw weights uniformly from [−1, 1), and return them with the best label of each row."""
        weights = rng.uniform(-1, 1, (n, self.feasible.shape[1]))
        return weights, self.best(weights)


def matchings(nodes: int) -> Problem:
    """Perfect matchings of a complete graph: exactly one edge touches each node."""
    names = trees.names(nodes)
    stars = _stars(nodes)
    labels = _rows(names, _pairings(tuple(range(nodes))))
    return _problem("matchings", f"matchings of K{nodes}", names, labels, [(star, "==", 1) for star in stars])


def assignments(size: int) -> Problem:
    """Assignments of workers to equally many jobs: one job for each worker and one worker for each job."""
    names = [f"{i}→{j}" for i, j in product(range(size), repeat=2)]
    labels = _rows(names, ([f"{i}→{j}" for i, j in enumerate(jobs)] for jobs in permutations(range(size))))
    lines = [[f"{i}→{j}" for j in range(size)] for i in range(size)]
    own = [(dict.fromkeys(line, 1), "==", 1) for line in [*lines, *map(list, zip(*lines, strict=True))]]
    return _problem("assignments", f"assignments {size}×{size}", names, labels, own)


def paths(size: int) -> Problem:
    """Shortest paths between opposite corners of a square grid: a path that enters an inner node leaves it."""
    nodes = [f"{i}{j}" for i, j in product(range(size), repeat=2)]
    names = [f"{i}{j}→{i}{j + 1}" for i, j in product(range(size), range(size - 1))]
    names += [f"{i}{j}→{i + 1}{j}" for i, j in product(range(size - 1), range(size))]
    own: list[Triple] = []
    for node in nodes:
        flow = {name: 1 if name.endswith(node) else -1 for name in names if node in name.split("→")}
        own.append((flow, "==", int(node == nodes[-1]) - int(node == nodes[0])))
    return _problem("paths", f"paths in a {size}×{size} grid", names, _rows(names, _paths_from(0, 0, size)), own)


def packings(items: int) -> Problem:
    """Sets of items that fit into a knapsack; two items that together are too large exclude each other."""
    size = np.random.default_rng(items).integers(1, 10, items)
    capacity = 12
    every = np.array(list(product((0, 1), repeat=items)), np.int64)
    names = [f"item {i}" for i in range(items)]
    own: list[Triple] = [
        ({names[i]: 1, names[j]: 1}, "<=", 1) for j in range(items) for i in range(j) if size[i] + size[j] > capacity
    ]
    return _problem("packings", f"packings of {items} items", names, every[every @ size <= capacity], own)


def spanning_trees(nodes: int) -> Problem:
    """Spanning trees of a complete graph; two known rules are the number of edges, and an edge at each node."""
    names = trees.names(nodes)
    every = _rows(names, combinations(names, nodes - 1))
    own = [(dict.fromkeys(names, 1), "==", nodes - 1), *((star, ">=", 1) for star in _stars(nodes))]
    labels = every[trees.is_tree(every, nodes)]
    return _problem("spanning trees", f"spanning trees of K{nodes}", names, labels, own, matroid=True)


def choices(groups: int) -> Problem:
    """Choices of one item from each of several groups: the bases of a partition matroid."""
    kinds = [[f"{'abcdefgh'[i]}{k}" for k in range(2 + i % 3)] for i in range(groups)]
    names = [name for kind in kinds for name in kind]
    own = [(dict.fromkeys(kind, 1), "==", 1) for kind in kinds]
    return _problem("choices", f"choices from {groups} groups", names, _rows(names, product(*kinds)), own, matroid=True)


def _problem(
    family: str, name: str, names: list[str], feasible: IntArray, own: Sequence[Triple], matroid: bool = False
) -> Problem:
    return Problem(family, name, feasible, RuleSet.of(Variables.named(names), own), matroid)


def _rows(names: Sequence[str], sets: Iterable[Iterable[str]]) -> IntArray:
    """Encode sets of names as 0/1 rows."""
    place = {name: j for j, name in enumerate(names)}
    chosen = [[place[name] for name in names_of_set] for names_of_set in sets]
    rows = np.zeros((len(chosen), len(names)), np.int64)
    for row, columns in zip(rows, chosen, strict=True):
        row[columns] = 1
    return rows


def _stars(nodes: int) -> list[dict[str, int]]:
    """List the edges at each node."""
    return [{f"{i}-{j}": 1 for i, j in trees.edges(nodes) if node in (i, j)} for node in range(nodes)]


def _pairings(nodes: tuple[int, ...]) -> Iterator[list[str]]:
    """Yield every way to pair the nodes off, as names of edges."""
    if not nodes:
        yield []
    for k in range(1, len(nodes)):
        for rest in _pairings(nodes[1:k] + nodes[k + 1 :]):
            yield [f"{nodes[0]}-{nodes[k]}", *rest]


def _paths_from(i: int, j: int, size: int) -> Iterator[list[str]]:
    """Yield every path from a node right and down to the last corner, as names of steps."""
    if i == j == size - 1:
        yield []
    for down, right in ((i, j + 1), (i + 1, j)):
        if max(down, right) < size:
            for rest in _paths_from(down, right, size):
                yield [f"{i}{j}→{down}{right}", *rest]
