"""Networks and graphs: assignments, flows, paths, tours, colours and sets of nodes or edges."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
from numpy.random import Generator

from experiments.families.problem import FamilyProblem, fair
from experiments.families.rows import Row, all_different, count, differ, total
from experiments.families.space import Space
from unwritten.data import BoolArray, IntArray


def assignment(seed: int) -> FamilyProblem:
    """Seven workers and seven jobs, one each: random permutations."""
    del seed
    size = 7
    space = Space.of(size, all_different(range(size)), 0, size - 1)
    hot = tuple(tuple(f"x[{i},{j}]" for j in range(size)) for i in range(size))

    def draw(n: int, rng: Generator) -> IntArray:
        return np.asarray(rng.random((n, size)).argsort(axis=1), np.int64)

    return FamilyProblem("assignment", tuple(f"job[{i}]" for i in range(size)), space, draw, hot)


def flow(seed: int) -> FamilyProblem:
    """Six units from a source through three layers of three nodes to a sink; arcs carry up to 4.

    Each unit takes a random path; draws with too much on an arc are thrown away.
    """
    del seed
    layers, width, units, most = 3, 3, 6, 4
    nodes = ["s", *(f"{'abc'[layer]}{k}" for layer, k in product(range(layers), range(width))), "t"]
    steps = [range(1)] + [range(1 + width * layer, 1 + width * (layer + 1)) for layer in range(layers)]
    steps.append(range(1 + layers * width, 2 + layers * width))
    arcs = [(i, j) for left, right in pairwise(steps) for i in left for j in right]
    rows = []
    for node in range(len(nodes)):
        terms = {k: (node == j) - (node == i) for k, (i, j) in enumerate(arcs) if node in (i, j)}
        surplus = units * ((node == len(nodes) - 1) - (node == 0))
        rows.append(Row(terms, least=surplus, most=surplus))
    space = Space.of(len(arcs), rows, 0, most)
    place = {arc: k for k, arc in enumerate(arcs)}
    where = np.array([[place.get((i, j), -1) for j in range(len(nodes))] for i in range(len(nodes))])

    def draw(n: int, rng: Generator) -> IntArray:
        kept = [np.zeros((0, len(arcs)), np.int64)]
        while sum(map(len, kept)) < n:
            stops = np.stack([rng.choice(np.array(step), (n, units)) for step in steps], axis=2)
            taken = where[stops[:, :, :-1], stops[:, :, 1:]].reshape(n, -1)
            values = np.zeros((n, len(arcs)), np.int64)
            np.add.at(values, (np.arange(n)[:, None], taken), 1)
            kept.append(values[(values <= most).all(axis=1)])
        return np.concatenate(kept)[:n]

    return FamilyProblem("flow", tuple(f"flow[{nodes[i]},{nodes[j]}]" for i, j in arcs), space, draw)


def paths(seed: int) -> FamilyProblem:
    """Paths right and down between opposite corners of a 7×7 grid: random orders of steps."""
    del seed
    size = 7
    arcs = [((i, j), (i, j + 1)) for i, j in product(range(size), range(size - 1))]
    arcs += [((i, j), (i + 1, j)) for i, j in product(range(size - 1), range(size))]
    rows = []
    for node in product(range(size), repeat=2):
        terms = {k: (node == end) - (node == start) for k, (start, end) in enumerate(arcs) if node in (start, end)}
        surplus = (node == (size - 1, size - 1)) - (node == (0, 0))
        rows.append(Row(terms, least=surplus, most=surplus))

    def draw(n: int, rng: Generator) -> IntArray:
        down = rng.random((n, 2 * size - 2)).argsort(axis=1) < size - 1
        row, column = (np.cumsum(steps, axis=1) - steps for steps in (down.astype(np.int64), 1 - down.astype(np.int64)))
        taken = np.where(down, size * (size - 1) + size * row + column, (size - 1) * row + column)
        values = np.zeros((n, len(arcs)), np.int64)
        np.put_along_axis(values, taken, 1, axis=1)
        return values

    names = tuple(f"e[{i}.{j},{k}.{m}]" for (i, j), (k, m) in arcs)
    return FamilyProblem("paths", names, Space.of(len(arcs), rows), draw)


def tour(seed: int) -> FamilyProblem:
    """Round tours of eight places: random orders. Two edges meet at each place, and all places are on one tour."""
    del seed
    size = 8
    edges = list(combinations(range(size), 2))
    rows = [total([k for k, edge in enumerate(edges) if node in edge], 2, 2) for node in range(size)]
    place = np.zeros((size, size), np.int64)
    for k, (i, j) in enumerate(edges):
        place[i, j] = place[j, i] = k

    def draw(n: int, rng: Generator) -> IntArray:
        order = rng.random((n, size)).argsort(axis=1)
        values = np.zeros((n, len(edges)), np.int64)
        np.put_along_axis(values, place[order, np.roll(order, 1, axis=1)], 1, axis=1)
        return values

    def connected(values: IntArray) -> BoolArray:
        reach = np.eye(size, dtype=np.int64) + values[:, place] * (1 - np.eye(size, dtype=np.int64))
        for _ in range(3):
            reach = np.minimum(reach @ reach, 1)
        return np.asarray(reach.all(axis=(1, 2)))

    names = tuple(f"x[{i},{j}]" for i, j in edges)
    return FamilyProblem("tour", names, Space.of(len(edges), rows), draw, also=connected)


def independent_set(seed: int) -> FamilyProblem:
    """Nodes of a graph without neighbours; all sets are listed."""
    edges = _edges(20, 45, seed)
    return _listed("independent set", [f"v[{i}]" for i in range(20)], [total(edge, most=1) for edge in edges])


def vertex_cover(seed: int) -> FamilyProblem:
    """Nodes of a graph that touch every edge; all covers are listed."""
    edges = _edges(18, 30, seed)
    return _listed("vertex cover", [f"node {i}" for i in range(18)], [total(edge, least=1) for edge in edges])


def matching(seed: int) -> FamilyProblem:
    """Edges of a graph that share no node; all matchings are listed."""
    edges = _edges(12, 24, seed)
    rows = [total([k for k, edge in enumerate(edges) if node in edge], most=1) for node in range(12)]
    return _listed("matching", [f"m[{i},{j}]" for i, j in edges], [row for row in rows if len(row.weights) > 1])


def colouring(seed: int) -> FamilyProblem:
    """One of four colours for each node of a graph, and neighbours differ; all colourings are listed."""
    nodes, colours = 12, 4
    rows = [differ(i, j) for i, j in _edges(nodes, 22, seed)]
    names = tuple(f"colour[{i}]" for i in range(nodes))
    hot = tuple(tuple(f"c[{i},{colour}]" for colour in range(1, colours + 1)) for i in range(nodes))
    space = Space.of(nodes, rows, 1, colours)
    return FamilyProblem("colouring", names, space, fair(space), hot)


def facility_location(seed: int) -> FamilyProblem:
    """Eight clients, each with an open site: at most three of five are open, each for at most four. All are listed."""
    del seed
    clients, sites = 8, 5
    rows = [
        Row({clients + site: -1}, {(client, site): 1}, most=0) for client, site in product(range(clients), range(sites))
    ]
    rows += [total(range(clients, clients + sites), most=3)]
    rows += [count(range(clients), [site], 0, 4) for site in range(sites)]
    upper = np.repeat([sites - 1, 1], [clients, sites])
    opened = [f"open[{site}]" for site in range(sites)]
    names = (*(f"site[{client}]" for client in range(clients)), *opened)
    hot = (
        *(tuple(f"serve[{client},{site}]" for site in range(sites)) for client in range(clients)),
        *((name,) for name in opened),
    )
    space = Space.of(clients + sites, rows, 0, upper)
    return FamilyProblem("facility location", names, space, fair(space), hot)


def _edges(nodes: int, number: int, seed: int) -> list[tuple[int, int]]:
    """Draw the edges of a graph."""
    pairs = list(combinations(range(nodes), 2))
    drawn = np.random.default_rng(seed).choice(len(pairs), number, replace=False)
    return [pairs[k] for k in sorted(drawn.tolist())]


def _listed(name: str, names: list[str], rows: list[Row]) -> FamilyProblem:
    space = Space.of(len(names), rows)
    return FamilyProblem(name, tuple(names), space, fair(space))
