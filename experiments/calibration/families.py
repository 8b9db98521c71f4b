"""Twenty families of labels with true rules, drawn at random: choices that are skewed and correlated, as real ones are.

A family draws one problem (its graph, sizes, preferences), then labels of it. Nothing is solved: labels grow by random
steps that keep every rule.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

import numpy as np
from numpy.random import Generator

from experiments.calibration.draws import Draw, as_ints, choice, one_hot, ranking
from unwritten.data import BoolArray, IntArray
from unwritten.samples import trees

Family = Callable[[Generator], Draw]  # → the labels of one problem of this family


def k_of_n(rng: Generator) -> Draw:
    """Exactly k of n things, some of them liked more."""
    d = int(rng.integers(8, 25))
    k, utility = int(rng.integers(1, d // 2)), rng.normal(0, 1, d)
    return lambda n, r: as_ints(np.argsort(ranking(utility, n, r), axis=1) < k)


def latin_squares(rng: Generator) -> Draw:
    """Squares in which every row and column has every symbol once, as 0/1 labels."""
    size = int(rng.integers(4, 6))
    cyclic = np.add.outer(np.arange(size), np.arange(size)) % size

    def draw(n: int, r: Generator) -> IntArray:
        rows, columns, symbols = (np.argsort(r.random((n, size)), axis=1) for _ in range(3))
        squares = cyclic[rows[:, :, None], columns[:, None, :]].reshape(n, -1)
        return one_hot(np.take_along_axis(symbols, squares, axis=1), size)

    return draw


def assignments(rng: Generator) -> Draw:
    """One job for each worker and one worker for each job."""
    size = int(rng.integers(4, 8))
    utility = rng.normal(0, 1, size)
    return lambda n, r: one_hot(ranking(utility, n, r), size)


def forbidden_pairs(rng: Generator) -> Draw:
    """One value in each of several columns; some pairs of values exclude each other."""
    blocks, size = int(rng.integers(4, 8)), int(rng.integers(3, 6))
    utility = rng.normal(0, 1, (blocks, size))
    pairs = rng.random((blocks, size, blocks, size)) < 0.15
    pairs[:, :, :, 0] = False  # the first value is always allowed
    return lambda n, r: one_hot(_sequence(utility, pairs, n, r), size)


def spanning_trees(rng: Generator) -> Draw:
    """Best spanning trees of a complete graph, whose edges differ in their mean weights."""
    nodes = int(rng.integers(5, 8))
    mean = rng.normal(0, 0.4, len(trees.edges(nodes)))
    return lambda n, r: trees.best(mean + r.uniform(-1, 1, (n, len(mean))), nodes)


def subset_sums(rng: Generator) -> Draw:
    """Sets of items whose sizes add up to a given total."""
    d = int(rng.integers(9, 13))
    sizes = rng.integers(1, 8, d)
    every = np.array(list(product((0, 1), repeat=d)), np.int64)
    totals = every @ sizes
    chosen = every[totals == np.bincount(totals).argmax()]
    odds = np.exp(chosen @ rng.normal(0, 0.7, d))
    return lambda n, r: chosen[r.choice(len(chosen), n, p=odds / odds.sum())]


def hierarchies(rng: Generator) -> Draw:
    """A tree of classes: a class only with its parent; brothers and sisters are rarely together."""
    d = int(rng.integers(10, 30))
    parent = np.array([-1, *(rng.integers(0, j) for j in range(1, d))])
    share = rng.uniform(0.2, 0.9, d)

    def draw(n: int, r: Generator) -> IntArray:
        labels = np.zeros((n, d), bool)
        labels[:, 0] = r.random(n) < 0.95
        for j in range(1, d):
            sibling = labels[:, 1:j][:, parent[1:j] == parent[j]].any(axis=1)
            labels[:, j] = labels[:, parent[j]] & (r.random(n) < share[j] * np.where(sibling, 0.15, 1))
        return as_ints(labels)

    return draw


def rosters(rng: Generator) -> Draw:
    """Each day has a fixed number of workers, and nobody works three days in a row."""
    need, days = int(rng.integers(2, 4)), int(rng.integers(4, 8))
    workers = 2 * need + int(rng.integers(1, 4))
    utility = rng.normal(0, 1, (days, workers))

    def draw(n: int, r: Generator) -> IntArray:
        works = np.zeros((n, days, workers), bool)
        for day in range(days):
            tired = works[:, day - 1] & works[:, day - 2] if day > 1 else np.zeros((n, workers), bool)
            scores = np.where(tired, -np.inf, utility[day] + r.gumbel(size=(n, workers)))
            works[:, day] = np.argsort(np.argsort(-scores, axis=1), axis=1) < need
        return as_ints(works.reshape(n, -1))

    return draw


def colourings(rng: Generator) -> Draw:
    """Colours of the nodes of a graph; neighbours differ."""
    nodes, colours = int(rng.integers(6, 10)), 4
    pairs = np.zeros((nodes, colours, nodes, colours), bool)
    degree = np.zeros(nodes, int)
    for i, j in rng.permutation(list(combinations(range(nodes), 2)))[: 2 * nodes].tolist():
        if max(degree[i], degree[j]) < colours - 1:
            degree[[i, j]] += 1
            pairs[i, range(colours), j, range(colours)] = True
    utility = rng.normal(0, 0.7, (nodes, colours))
    return lambda n, r: one_hot(_sequence(utility, pairs, n, r), colours)


def flows(rng: Generator) -> Draw:
    """Units that walk from a source to a sink through layers: what enters a node leaves it."""
    width, layers, units = int(rng.integers(2, 4)), int(rng.integers(3, 5)), int(rng.integers(1, 4))
    utility = rng.normal(0, 1, (layers, width, width))
    open_arcs = rng.random((layers, width, width)) < 0.7
    open_arcs[:, np.arange(width), np.arange(width)] = True

    def draw(n: int, r: Generator) -> IntArray:
        arcs = np.zeros((n, layers, width, width), np.int64)
        for _ in range(units):
            node = r.integers(0, width, n)
            for layer in range(layers):
                after = choice(utility[layer][node], open_arcs[layer][node], r)
                arcs[np.arange(n), layer, node, after] += 1
                node = after
        return arcs[:, open_arcs]

    return draw


def independent_sets(rng: Generator) -> Draw:
    """Sets of nodes of a graph without neighbours."""
    d = int(rng.integers(10, 19))
    clash = np.triu(rng.random((d, d)) < 0.25, 1)
    return _packing(clash | clash.T, rng)


def matchings(rng: Generator) -> Draw:
    """Sets of edges of a graph that share no node."""
    nodes = int(rng.integers(6, 9))
    ends = [edge for edge in combinations(range(nodes), 2) if rng.random() < 0.6] or [(0, 1)]
    return _packing(np.array([[a != b and bool(set(a) & set(b)) for b in ends] for a in ends]), rng)


def set_covers(rng: Generator) -> Draw:
    """Sets that cover all elements, taken in a random order while they cover something new."""
    sets, elements = int(rng.integers(8, 16)), int(rng.integers(8, 16))
    has = rng.random((sets, elements)) < 0.3
    has[rng.integers(0, sets, elements), np.arange(elements)] = True
    utility = rng.normal(0, 1, sets)

    def draw(n: int, r: Generator) -> IntArray:
        taken, covered = np.zeros((n, sets), bool), np.zeros((n, elements), bool)
        for one in ranking(utility, n, r).T:
            useful = (has[one] & ~covered).any(axis=1)
            taken[np.arange(n), one] = useful
            covered |= has[one] & useful[:, None]
        return as_ints(taken)

    return draw


def knapsacks(rng: Generator) -> Draw:
    """Sets of items that fit into a knapsack, with their load."""
    d = int(rng.integers(8, 16))
    sizes, utility = rng.integers(1, 10, d), rng.normal(0, 1, d)
    capacity, keen = int(sizes.sum() * rng.uniform(0.3, 0.6)), rng.uniform(0.6, 1)

    def draw(n: int, r: Generator) -> IntArray:
        taken, load = np.zeros((n, d + 1), np.int64), np.zeros(n, np.int64)
        for one in ranking(utility, n, r).T:
            fits = (load + sizes[one] <= capacity) & (r.random(n) < keen)
            taken[np.arange(n), one] = fits
            load += sizes[one] * fits
        taken[:, -1] = load
        return taken

    return draw


def sequences(rng: Generator) -> Draw:
    """States that follow one another, some of them never."""
    steps, states = int(rng.integers(5, 9)), int(rng.integers(3, 6))
    utility, open_steps = rng.normal(0, 1.2, (states, states)), rng.random((states, states)) < 0.7
    open_steps[np.arange(states), rng.integers(0, states, states)] = True

    def draw(n: int, r: Generator) -> IntArray:
        walk = r.integers(0, states, (n, steps))
        for k in range(1, steps):
            walk[:, k] = choice(utility[walk[:, k - 1]], open_steps[walk[:, k - 1]], r)
        return one_hot(walk, states)

    return draw


def sums(rng: Generator) -> Draw:
    """A table of counts with their totals, a code that fixes a region and a price, and columns that only correlate."""
    codes, regions = int(rng.integers(4, 8)), int(rng.integers(2, 4))
    region, price, share = rng.integers(0, regions, codes), rng.integers(1, 20, codes), rng.dirichlet(np.ones(codes))
    mean = rng.uniform(0.5, 4, 4)

    def draw(n: int, r: Generator) -> IntArray:
        code = r.choice(codes, n, p=share)
        counts = r.poisson(mean * r.gamma(2, 0.5, (n, 1)))
        totals = np.column_stack([counts[:, :2].sum(axis=1), counts.sum(axis=1), price[code]])
        busy = counts.sum(axis=1) + r.normal(0, 1, n) > mean.sum()
        return np.column_stack(
            [one_hot(code[:, None], codes), one_hot(region[code][:, None], regions), counts, totals, as_ints(busy)]
        )

    return draw


def mixtures(rng: Generator) -> Draw:
    """Several kinds of labels, each with its own shares; some columns require or exclude an earlier one."""
    d, kinds = int(rng.integers(10, 25)), int(rng.integers(2, 6))
    share, weight = rng.beta(0.5, 0.5, (kinds, d)).clip(0.02, 0.98), rng.dirichlet(np.ones(kinds) * 2)
    rules = [(j, int(rng.integers(0, j)), bool(rng.random() < 0.5)) for j in range(1, d) if rng.random() < 0.4]

    def draw(n: int, r: Generator) -> IntArray:
        labels = r.random((n, d)) < share[r.choice(kinds, n, p=weight)]
        for j, other, requires in rules:
            labels[:, j] &= labels[:, other] == requires
        return as_ints(labels)

    return draw


def orders(rng: Generator) -> Draw:
    """The places of tasks in a random order in which some come before others."""
    tasks = int(rng.integers(6, 10))
    before = np.triu(rng.random((tasks, tasks)) < 0.25, 1)
    utility = rng.normal(0, 1, tasks)

    def draw(n: int, r: Generator) -> IntArray:
        place = np.zeros((n, tasks), np.int64)
        for step in range(1, tasks + 1):
            waits = (place == 0) @ before.astype(np.int64) > 0
            task = choice(np.broadcast_to(utility, (n, tasks)), (place == 0) & ~waits, r)
            place[np.arange(n), task] = step
        return place

    return draw


def cars(rng: Generator) -> Draw:
    """Cars: the model allows some engines and trims, options require trims, and one option tells two others apart."""
    models, engines, trims, options = 3, 4, 3, int(rng.integers(5, 9))
    allowed = rng.random((models, engines + trims)) < 0.7
    allowed[:, [0, engines]] = True
    utility, needs = rng.normal(0, 1, engines + trims), rng.integers(-1, trims, options)
    share, favourite = rng.uniform(0.1, 0.9, options), rng.dirichlet(np.ones(models) * 2)

    def draw(n: int, r: Generator) -> IntArray:
        model = r.choice(models, n, p=favourite)
        engine = choice(np.broadcast_to(utility[:engines], (n, engines)), allowed[model, :engines], r)
        trim = choice(np.broadcast_to(utility[engines:], (n, trims)), allowed[model, engines:], r)
        chosen = (r.random((n, options)) < share) & ((needs < 0) | (trim[:, None] == needs))
        differ = chosen[:, 0] ^ chosen[:, 1]
        parts = [one_hot(model[:, None], models), one_hot(engine[:, None], engines), one_hot(trim[:, None], trims)]
        return np.column_stack([*parts, as_ints(chosen), as_ints(differ)])

    return draw


def stocks(rng: Generator) -> Draw:
    """Periods with what is made, sold and kept: the stock is what was kept, plus what is made, less what is sold."""
    periods, most = int(rng.integers(3, 6)), int(rng.integers(3, 7))
    share = rng.dirichlet(np.ones(most), periods)

    def draw(n: int, r: Generator) -> IntArray:
        labels, stock = np.zeros((n, periods, 3), np.int64), np.zeros(n, np.int64)
        for t in range(periods):
            made = r.choice(most, n, p=share[t])
            sold = np.minimum(stock + made, r.integers(0, most, n))
            stock = stock + made - sold
            labels[:, t] = np.column_stack([made, sold, stock])
        return labels.reshape(n, -1)

    return draw


FAMILIES: dict[str, Family] = {
    "k of n": k_of_n, "Latin squares": latin_squares, "assignments": assignments, "forbidden pairs": forbidden_pairs,
    "spanning trees": spanning_trees, "subset sums": subset_sums, "exact hierarchies": hierarchies, "rosters": rosters,
    "colourings": colourings, "flows": flows, "independent sets": independent_sets, "matchings": matchings,
    "set covers": set_covers, "knapsacks": knapsacks, "sequences": sequences, "sums": sums,
    "mixtures with rules": mixtures, "orders": orders, "cars": cars, "stocks": stocks,
}  # fmt: skip


def _sequence(
    utility: np.ndarray[tuple[int, ...], np.dtype[np.float64]], pairs: BoolArray, n: int, rng: Generator
) -> IntArray:
    """Choose a value for one column after another; `pairs[i, a, j, b]`: value b in column j is excluded by a in i."""
    blocks, size = utility.shape
    values = np.zeros((n, blocks), np.int64)
    for j in range(blocks):
        allowed = np.ones((n, size), bool)
        for i in range(j):
            allowed &= ~pairs[i, :, j][values[:, i]]
        values[:, j] = choice(np.broadcast_to(utility[j], (n, size)), allowed, rng)
    return values


def _packing(clash: BoolArray, rng: Generator) -> Draw:
    """Columns in a random order, each taken (mostly) if it clashes with none that was taken."""
    utility, keen = rng.normal(0, 1, len(clash)), rng.uniform(0.5, 1)

    def draw(n: int, r: Generator) -> IntArray:
        taken = np.zeros((n, len(clash)), bool)
        for one in ranking(utility, n, r).T:
            taken[np.arange(n), one] = ~(clash[one] & taken).any(axis=1) & (r.random(n) < keen)
        return as_ints(taken)

    return draw
