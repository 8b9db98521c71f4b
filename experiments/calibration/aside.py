"""Laws and families that were kept aside: they were not looked at while the evidence was made."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from experiments.calibration.draws import Draw, as_ints, choice, one_hot, ranking
from experiments.calibration.families import Family
from experiments.calibration.laws import Law
from unwritten.data import IntArray


def network(d: int, rng: Generator) -> Draw:
    """A Bayesian network: each column depends on up to three earlier ones, by a logistic function."""
    parents = [rng.choice(j, min(j, int(rng.integers(0, 4))), replace=False) for j in range(d)]
    slopes, base = [rng.normal(0, 2.5, len(p)) for p in parents], rng.normal(0, 1.2, d)

    def draw(n: int, r: Generator) -> IntArray:
        labels = np.zeros((n, d), np.int64)
        for j in range(d):
            score = base[j] + (labels[:, parents[j]] - 0.5) @ slopes[j]
            labels[:, j] = r.random(n) < 0.01 + 0.98 / (1 + np.exp(-score))
        return labels

    return draw


def prototypes(d: int, rng: Generator) -> Draw:
    """Five to forty typical labels, some of them common, with 1 to 6 % of the cells flipped."""
    typical, flips = rng.integers(0, 2, (int(rng.integers(5, 41)), d)), rng.uniform(0.01, 0.06)
    weight = rng.dirichlet(np.ones(len(typical)) * 0.7)
    return lambda n, r: typical[r.choice(len(typical), n, p=weight)] ^ (r.random((n, d)) < flips)


def counts(d: int, rng: Generator) -> Draw:
    """Counts with common causes: Poisson numbers whose means are mixtures of a few topics."""
    topics = rng.gamma(0.4, 1.5, (int(rng.integers(2, 5)), d))
    return lambda n, r: r.poisson(r.gamma(0.8, 1, (n, len(topics))) @ topics + 0.02)


def grid_neighbours(d: int, rng: Generator) -> Draw:
    """Columns on a grid that like to equal their neighbours, after twelve rounds of random updates."""
    width, pull, tilt = max(2, round(d**0.5)), rng.uniform(0.4, 1.3), rng.normal(0, 0.5, d)
    near = [[k for k in (j - width, j - 1, j + 1, j + width) if 0 <= k < d] for j in range(d)]

    def draw(n: int, r: Generator) -> IntArray:
        labels = r.integers(0, 2, (n, d))
        for _ in range(12):
            for j in range(d):
                score = tilt[j] + pull * (2 * labels[:, near[j]] - 1).sum(axis=1)
                labels[:, j] = r.random(n) < 1 / (1 + np.exp(-score))
        return labels

    return draw


def timetables(rng: Generator) -> Draw:
    """A slot for each course; courses that share students are never in one slot."""
    courses, slots = int(rng.integers(6, 9)), 5
    clash, utility = np.triu(rng.random((courses, courses)) < 0.35, 1), rng.normal(0, 0.8, (courses, slots))

    def draw(n: int, r: Generator) -> IntArray:
        taken = np.full((n, courses), -1)
        for j in range(courses):
            busy = (taken[:, :, None] == np.arange(slots)) & clash[:, j][None, :, None]
            free = ~busy.any(axis=1)
            free[~free.any(axis=1), 0] = True  # a clash is allowed in the first slot if nothing else is left
            taken[:, j] = choice(np.broadcast_to(utility[j], (n, slots)), free, r)
        return one_hot(taken, slots)

    return draw


def allocations(rng: Generator) -> Draw:
    """A budget that is spent whole, in whole units, on things that have most amounts and a smallest amount if any."""
    things, budget = int(rng.integers(4, 8)), int(rng.integers(8, 16))
    most, utility = rng.integers(3, 8, things), rng.normal(0, 1, things)
    most[0] = budget

    def draw(n: int, r: Generator) -> IntArray:
        spent = np.zeros((n, things), np.int64)
        for _ in range(budget):
            where = choice(np.broadcast_to(utility, (n, things)), spent < most, r)
            spent[np.arange(n), where] += 1
        return np.column_stack([spent, as_ints(spent > 0)])

    return draw


def bins(rng: Generator) -> Draw:
    """A bin for each item; the load of a bin is the sum of its sizes and fits."""
    items, boxes = int(rng.integers(6, 11)), int(rng.integers(3, 5))
    sizes, utility = rng.integers(1, 6, items), rng.normal(0, 0.7, boxes)
    room = int(np.ceil(sizes.sum() / boxes)) + 5

    def draw(n: int, r: Generator) -> IntArray:
        load, where = np.zeros((n, boxes), np.int64), np.zeros((n, items), np.int64)
        for j in np.argsort(-sizes):
            where[:, j] = choice(np.broadcast_to(utility, (n, boxes)), load + sizes[j] <= room, r)
            load[np.arange(n), where[:, j]] += sizes[j]
        return np.column_stack([one_hot(where, boxes), load])

    return draw


def patterns(rng: Generator) -> Draw:
    """Weeks of workers, each of which is one of a few allowed patterns of days."""
    days, workers = 7, int(rng.integers(2, 6))
    allowed = np.unique(rng.random((int(rng.integers(4, 9)), days)) < 0.6, axis=0)
    share = [rng.dirichlet(np.ones(len(allowed))) for _ in range(workers)]
    return lambda n, r: as_ints(np.column_stack([allowed[r.choice(len(allowed), n, p=p)] for p in share]))


def projects(rng: Generator) -> Draw:
    """Projects that need others or rule them out, and at most a few of them from each department."""
    d = int(rng.integers(10, 18))
    needs = np.array([-1, *(rng.integers(-1, j) for j in range(1, d))])
    clash, department = np.triu(rng.random((d, d)) < 0.08, 1), rng.integers(0, 3, d)
    utility, keen = rng.normal(0, 1, d), rng.uniform(0.5, 0.9)
    clash = clash | clash.T

    def draw(n: int, r: Generator) -> IntArray:
        taken, used = np.zeros((n, d), bool), np.zeros((n, 3), np.int64)
        for one in [*ranking(utility, n, r).T, *ranking(utility, n, r).T]:
            rows = np.arange(n)
            ready = (needs[one] < 0) | taken[rows, needs[one]]
            fits = ready & ~(clash[one] & taken).any(axis=1) & (used[rows, department[one]] < 3) & ~taken[rows, one]
            fits &= r.random(n) < keen
            taken[rows, one] |= fits
            used[rows, department[one]] += fits
        return as_ints(taken)

    return draw


def leagues(rng: Generator) -> Draw:
    """Every two teams play once: won, drawn and lost games, and points."""
    teams = int(rng.integers(3, 5))
    skill, pairs = rng.normal(0, 1, teams), [(i, j) for i in range(teams) for j in range(i)]

    def draw(n: int, r: Generator) -> IntArray:
        tally = np.zeros((n, teams, 4), np.int64)  # won, drawn, lost, points
        for i, j in pairs:
            margin = skill[i] - skill[j] + r.logistic(size=n)
            result = np.where(np.abs(margin) < 0.5, 1, np.where(margin > 0, 0, 2))
            for team, outcome in ((i, result), (j, 2 - result)):
                tally[np.arange(n), team, outcome] += 1
                tally[:, team, 3] += np.array([3, 1, 0])[outcome]
        return tally.reshape(n, -1)

    return draw


LAWS_ASIDE: dict[str, Law] = {
    "Bayesian networks": network, "prototypes": prototypes, "counts": counts, "grid neighbours": grid_neighbours,
}  # fmt: skip
FAMILIES_ASIDE: dict[str, Family] = {
    "timetables": timetables, "allocations": allocations, "bins": bins, "patterns": patterns, "projects": projects,
    "leagues": leagues,
}  # fmt: skip
