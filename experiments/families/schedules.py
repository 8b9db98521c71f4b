"""Schedules and orders: start times, slots and sequences. Solutions are drawn by walks if nothing else is said."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from experiments.families.listing import listed
from experiments.families.problem import Draw, FamilyProblem, fair
from experiments.families.rows import Row, all_different, apart, before, count, differ, total
from experiments.families.space import Space
from experiments.families.starts import starts
from unwritten.data import IntArray

AT_ONCE = 20_000  # plans that are combined at the same time


def precedence(seed: int) -> FamilyProblem:
    """Start times of ten jobs, some of which must end before others start."""
    rng = np.random.default_rng(seed)
    jobs, horizon = 10, 24
    lengths = rng.integers(1, 6, jobs).tolist()
    rows = [before(i, j, lengths[i]) for i, j in _arcs(jobs, 14, rng)]
    space = Space.of(jobs, rows, 0, horizon - np.array(lengths))
    return FamilyProblem("precedence", tuple(f"start[{i}]" for i in range(jobs)), space)


def job_shop(seed: int) -> FamilyProblem:
    """Three jobs visit three machines, each in its own order; a machine does one thing at a time.

    All start times of each job are listed, some are drawn for each, and those that leave machines free are kept.
    """
    rng = np.random.default_rng(seed)
    jobs, machines, horizon = 3, 3, 22
    lengths = rng.integers(2, 6, (jobs, machines)).tolist()
    route = [rng.permutation(machines).tolist() for _ in range(jobs)]
    latest = horizon - np.array(lengths)
    tasks = list(product(range(jobs), range(machines)))  # the k-th task of job j
    rows, plans = [], []
    for job in range(jobs):
        rows += [before(machines * job + k, machines * job + k + 1, lengths[job][k]) for k in range(machines - 1)]
        own = [before(k, k + 1, lengths[job][k]) for k in range(machines - 1)]
        plans.append(listed(Space.of(machines, own, 0, latest[job])))
    for (i, (j, k)), (other, (job, m)) in combinations(enumerate(tasks), 2):
        if j != job and route[j][k] == route[job][m]:
            rows.append(apart(i, other, lengths[j][k], lengths[job][m]))
    space = Space.of(jobs * machines, rows, 0, latest.reshape(-1))
    names = tuple(f"start[job{j},m{route[j][k]}]" for j, k in tasks)
    return FamilyProblem("job shop", names, space, _combined(plans, space))


def car_sequencing(seed: int) -> FamilyProblem:
    """Cars of four classes in a line of 12: of any q neighbours, at most p have an option. All are listed."""
    del seed
    cars, demand = 12, (4, 3, 3, 2)
    options = ((2, 3, (0, 3)), (1, 2, (1, 3)), (1, 3, (2,)))  # at most p of q, and the classes that have it
    rows = [count(range(cars), [kind], number, number) for kind, number in enumerate(demand)]
    for p, q, kinds in options:
        rows += [count(range(k, k + q), kinds, 0, p) for k in range(cars - q + 1)]
    hot = tuple(tuple(f"car[{k},{kind}]" for kind in "ABCD") for k in range(cars))
    space = Space.of(cars, rows, 0, 3)
    return FamilyProblem("car sequencing", tuple(f"class[{k}]" for k in range(cars)), space, fair(space), hot)


def exams(seed: int) -> FamilyProblem:
    """A slot for each of 12 exams: those with common students differ, and a slot has three rooms."""
    rng = np.random.default_rng(seed)
    number, slots = 12, 5
    rows = [differ(i, j) for i, j in _arcs(number, 16, rng)]
    rows += [count(range(number), [slot], 0, 3) for slot in range(1, slots + 1)]
    names = tuple(f"exam {i}" for i in range(number))
    hot = tuple(tuple(f"exam {i} / slot {slot}" for slot in range(1, slots + 1)) for i in range(number))
    return FamilyProblem("exams", names, Space.of(number, rows, 1, slots), hot=hot)


def courses(seed: int) -> FamilyProblem:
    """A term for each of ten courses, after those it needs; at most three in a term. All plans are listed."""
    rng = np.random.default_rng(seed)
    number, terms = 10, 6
    rows = [before(i, j, 1) for i, j in _arcs(number, 9, rng)]
    rows += [count(range(number), [term], 0, 3) for term in range(1, terms + 1)]
    names = tuple(f"term[{i}]" for i in range(number))
    hot = tuple(tuple(f"takes[{i},{term}]" for term in range(1, terms + 1)) for i in range(number))
    space = Space.of(number, rows, 1, terms)
    return FamilyProblem("courses", names, space, fair(space), hot)


def unit_commitment(seed: int) -> FamilyProblem:
    """Three power stations over eight hours: on, starts and stops, with least times on and off, and a demand.

    All plans of each station are listed, one is drawn for each, and those that meet the demand are kept.
    """
    rng = np.random.default_rng(seed)
    hours, up, down = 8, (3, 2, 2), (2, 2, 3)
    power = np.array([6, 4, 3])
    demand = rng.integers(3, 7, hours)
    rows, plans = [], []
    for unit in range(3):
        own = _plan_rows(hours, up[unit], down[unit])
        plans.append(listed(Space.of(3 * hours, own)))
        shift = 3 * hours * unit
        rows += [Row({shift + j: w for j, w in row.weights.items()}, least=row.least, most=row.most) for row in own]
    for hour in range(hours):
        rows.append(Row({3 * hours * u + hour: int(power[u]) for u in range(3)}, least=int(demand[hour])))
    names = tuple(f"{what}[u{u},{t}]" for u in range(3) for what in ("on", "starts", "stops") for t in range(hours))
    space = Space.of(9 * hours, rows)
    return FamilyProblem("unit commitment", names, space, _combined(plans, space))


def league(seed: int) -> FamilyProblem:
    """Eight teams meet once each in seven rounds, and each team plays once a round.

    Solutions of CP-SAT, with teams and rounds renamed at random.
    """
    del seed
    teams, rounds = 8, 7
    games = list(combinations(range(teams), 2))
    place = {game: k for k, game in enumerate(games)}
    rows = [row for team in range(teams) for row in all_different([place[g] for g in games if team in g])]
    space = Space.of(len(games), rows, 1, rounds)

    def draw(n: int, rng: np.random.Generator) -> IntArray:
        drawn = np.resize(starts(space, min(n, 200), rng), (n, len(games)))
        for line in drawn:
            team, renamed = rng.permutation(teams), np.append(0, 1 + rng.permutation(rounds))
            moved = [place[min(team[i], team[j]), max(team[i], team[j])] for i, j in games]
            line[:] = renamed[line[moved]]
        return drawn

    names = tuple(f"round[{i},{j}]" for i, j in games)
    hot = tuple(tuple(f"g[{i},{j},{r}]" for r in range(1, rounds + 1)) for i, j in games)
    return FamilyProblem("sports league", names, space, draw, hot)


def _combined(parts: list[IntArray], space: Space) -> Draw:
    """Draw a plan for each part, each equally likely, until the parts fit together."""

    def draw(n: int, rng: np.random.Generator) -> IntArray:
        kept = [np.zeros((0, len(space.lower)), np.int64)]
        while sum(map(len, kept)) < n:
            values = np.hstack([part[rng.integers(len(part), size=AT_ONCE)] for part in parts])
            kept.append(values[space.obeyed_by(values)])
        return np.concatenate(kept)[:n]

    return draw


def _plan_rows(hours: int, up: int, down: int) -> list[Row]:
    """The rows of one station: columns on, starts, stops; the first hour is free."""
    rows = [Row({hours: 1}, most=0), Row({2 * hours: 1}, most=0)]
    for t in range(1, hours):
        rows.append(Row({t: 1, t - 1: -1, hours + t: -1, 2 * hours + t: 1}, least=0, most=0))
        rows.append(total([hours + t, 2 * hours + t], most=1))
    for t in range(hours):
        began = {hours + k: 1 for k in range(max(0, t - up + 1), t + 1)}
        ended = {2 * hours + k: 1 for k in range(max(0, t - down + 1), t + 1)}
        rows += [Row(began | {t: -1}, most=0), Row(ended | {t: 1}, most=1)]
    return rows


def _arcs(nodes: int, number: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Draw pairs i < j."""
    pairs = list(combinations(range(nodes), 2))
    return [pairs[k] for k in sorted(rng.choice(len(pairs), number, replace=False).tolist())]
