"""Counts and capacities: knapsacks, bins, sets and amounts."""

from __future__ import annotations

from itertools import product

import numpy as np

from experiments.families.problem import FamilyProblem, fair
from experiments.families.rows import Row, total, weighted
from experiments.families.space import Space
from experiments.families.walk import walked
from unwritten.data import IntArray


def k_of_n(seed: int) -> FamilyProblem:
    """Exactly 6 of 20 things; all choices are listed."""
    del seed  # there is one such problem
    return _chosen("k of n", [f"x[{i}]" for i in range(20)], [total(range(20), 6, 6)])


def at_most_k(seed: int) -> FamilyProblem:
    """At most 6 of 20 things; all choices are listed."""
    del seed
    return _chosen("at most k", [f"item {i}" for i in range(20)], [total(range(20), most=6)])


def between(seed: int) -> FamilyProblem:
    """From 2 to 4 of 12 things; all choices are listed."""
    del seed
    return _chosen("between 2 and 4", [f"pick_{i}" for i in range(12)], [total(range(12), 2, 4)])


def subset_sum(seed: int) -> FamilyProblem:
    """Things whose sizes add up to a given sum; all choices are listed."""
    sizes = np.random.default_rng(seed).integers(1, 20, 16)
    half = int(sizes.sum()) // 2
    return _chosen("subset sum", [f"take[{i}]" for i in range(16)], [weighted(range(16), sizes, half, half)])


def knapsack(seed: int) -> FamilyProblem:
    """Sets of 20 items that fit; 40 % of all would."""
    return _knapsacks("knapsack", 1, seed)


def three_knapsacks(seed: int) -> FamilyProblem:
    """Sets of 20 items that fit by weight, by volume and by price; walks."""
    return _knapsacks("three knapsacks", 3, seed)


def set_packing(seed: int) -> FamilyProblem:
    """Sets of which no two share one of 16 elements; all packings are listed."""
    rng = np.random.default_rng(seed)
    holds = np.array([rng.permutation(16) < rng.integers(2, 5) for _ in range(20)])
    rows = [total(np.flatnonzero(element).tolist(), most=1) for element in holds.T if element.sum() > 1]
    return _chosen("set packing", [f"set[{i}]" for i in range(20)], rows)


def set_covering(seed: int) -> FamilyProblem:
    """Sets that hold each of 12 elements at least once; each element is in two to five of 18 sets. Walks."""
    rng = np.random.default_rng(seed)
    rows = [total(rng.choice(18, rng.integers(2, 6), replace=False).tolist(), least=1) for _ in range(12)]
    return FamilyProblem("set covering", tuple(f"s[{i}]" for i in range(18)), Space.of(18, rows))


def generalised_assignment(seed: int) -> FamilyProblem:
    """An agent for each of 12 tasks; what a task takes depends on the agent, and agents have capacities. Walks."""
    tasks, agents = 12, 4
    sizes = np.random.default_rng(seed).integers(3, 12, (tasks, agents))
    capacity = sizes.sum(axis=0) * 3 // 10
    rows = [
        Row(hits={(task, agent): int(sizes[task, agent]) for task in range(tasks)}, most=int(capacity[agent]))
        for agent in range(agents)
    ]
    names = tuple(f"agent[{task}]" for task in range(tasks))
    hot = tuple(tuple(f"x[{task},{agent}]" for agent in range(agents)) for task in range(tasks))
    return FamilyProblem("generalised assignment", names, Space.of(tasks, rows, 0, agents - 1), hot=hot)


def bin_packing(seed: int) -> FamilyProblem:
    """A bin for each of 12 items; four bins are as large. Walks."""
    items, bins = 12, 4
    sizes = np.random.default_rng(seed).integers(2, 10, items).tolist()
    capacity = sum(sizes) // bins + 4
    rows = [Row(hits={(item, b): sizes[item] for item in range(items)}, most=capacity) for b in range(bins)]
    names = tuple(f"bin of item {item}" for item in range(items))
    hot = tuple(tuple(f"item {item} in bin {b}" for b in range(bins)) for item in range(items))
    return FamilyProblem("bin packing", names, Space.of(items, rows, 0, bins - 1), hot=hot)


def warehouse(seed: int) -> FamilyProblem:
    """Amounts of five products in three warehouses: volumes fit, and of each product there is enough. Walks."""
    rng = np.random.default_rng(seed)
    products, houses, most = 5, 3, 6
    volume = rng.integers(1, 6, products)
    capacity = [int(volume.sum() * most * share // 100) for share in (35, 45, 55)]
    rows = [weighted(range(h, products * houses, houses), volume, most=capacity[h]) for h in range(houses)]
    rows += [total(range(p * houses, (p + 1) * houses), least=int(rng.integers(4, 8))) for p in range(products)]
    names = tuple(f"stock[p{p},w{h}]" for p, h in product(range(products), range(houses)))
    return FamilyProblem("warehouse", names, Space.of(products * houses, rows, 0, most))


def portfolio(seed: int) -> FamilyProblem:
    """Shares of ten assets: none, or from 2 to 8 of those that are held; at most four are held. Walks.

    Amounts and "held" change together in one walk, so the walk is over amounts, of which 1 is forbidden.
    """
    del seed
    assets, most_held = 10, 4
    links = [Row({i: 1, assets + i: -8}, most=0) for i in range(assets)]
    links += [Row({i: 1, assets + i: -2}, least=0) for i in range(assets)]
    rows = [*links, total(range(assets, 2 * assets), most=most_held)]
    names = (*(f"x[{i}]" for i in range(assets)), *(f"held[{i}]" for i in range(assets)))
    amounts = Space.of(
        assets,
        [Row({i: 1}, hole=(1, 1)) for i in range(assets)]
        + [Row(hits={(i, v): 1 for i in range(assets) for v in range(2, 9)}, most=most_held)],
        upper=8,
    )

    def draw(n: int, rng: np.random.Generator) -> IntArray:
        drawn = walked(amounts, n, rng)
        return np.hstack([drawn, np.asarray(drawn > 0, np.int64)])

    return FamilyProblem("portfolio", names, Space.of(2 * assets, rows, 0, np.repeat([8, 1], assets)), draw)


def lot_sizing(seed: int) -> FamilyProblem:
    """Amounts made, open periods and stock: a period must be open to make up to 8, and stock is what is left over.

    Walks over amounts and open periods; the stock follows from them.
    """
    periods, capacity, room = 8, 8, 12
    demand = np.random.default_rng(seed).integers(1, 6, periods)
    opening = [Row({t: 1, periods + t: -capacity}, most=0) for t in range(periods)]
    needed = np.cumsum(demand).tolist()
    stored = [total(range(t + 1), needed[t], needed[t] + room) for t in range(periods)]
    made = Space.of(2 * periods, [*opening, *stored], upper=np.repeat([capacity, 1], periods))
    balance = []
    for t in range(periods):
        kept = {2 * periods + t - 1: -1} if t else {}
        balance.append(Row({2 * periods + t: 1, t: -1} | kept, least=-int(demand[t]), most=-int(demand[t])))

    def draw(n: int, rng: np.random.Generator) -> IntArray:
        drawn = walked(made, n, rng)
        return np.hstack([drawn, np.cumsum(drawn[:, :periods] - demand, axis=1)])

    names = tuple(f"{what}[{t}]" for what in ("make", "open", "stock") for t in range(periods))
    upper = np.repeat([capacity, 1, room], periods)
    return FamilyProblem("lot sizing", names, Space.of(3 * periods, [*opening, *balance], 0, upper), draw)


def _knapsacks(name: str, knapsacks: int, seed: int) -> FamilyProblem:
    sizes = np.random.default_rng(seed).integers(1, 20, (knapsacks, 20))
    rows = [weighted(range(20), size, most=int(size.sum()) * 2 // 5) for size in sizes]
    return FamilyProblem(name, tuple(f"x[{i}]" for i in range(20)), Space.of(20, rows))


def _chosen(name: str, names: list[str], rows: list[Row]) -> FamilyProblem:
    """A problem over 0/1 variables whose solutions are all listed."""
    space = Space.of(len(names), rows)
    return FamilyProblem(name, tuple(names), space, fair(space))
