"""Services, teams and plants: problems that were added after the miners were built. Solutions are drawn by walks."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np

from experiments.families.problem import FamilyProblem
from experiments.families.rosters import DAYS
from experiments.families.rows import Row, all_different, apart, count, differ, total
from experiments.families.space import Space
from experiments.families.walk import walked
from unwritten.data import IntArray


def call_centre(seed: int) -> FamilyProblem:
    """A shift or none for ten agents on seven days.

    At least two early, one to three late; no early shift after a late one; four or five shifts a week; one day of the
    weekend free.
    """
    del seed
    agents, days = 10, len(DAYS)
    cells = np.arange(agents * days).reshape(agents, days).tolist()
    rows = []
    for day in zip(*cells, strict=True):
        rows += [count(day, [1], 2), count(day, [2], 1, 3)]
    for week in cells:
        rows += [count(week, [0], 2, 3), count(week[-2:], [0], 1)]
        rows += [Row(hits={(one, 2): 1, (other, 1): 1}, most=1) for one, other in pairwise(week)]
    names = [f"agent {i} / {day}" for i, day in product(range(1, agents + 1), DAYS)]
    hot = tuple(tuple(f"{name} / {shift}" for shift in ("off", "early", "late")) for name in names)
    return FamilyProblem("call centre", tuple(names), Space.of(agents * days, rows, 0, 2), hot=hot)


def bins_with_conflicts(seed: int) -> FamilyProblem:
    """A bin for each of 14 items: at most four in a bin, and 12 pairs of items are never together."""
    items, bins = 14, 5
    rows = [differ(i, j) for i, j in _some_pairs(items, 12, seed)]
    rows += [count(range(items), [b], 0, 4) for b in range(bins)]
    names = tuple(f"bin[{i}]" for i in range(items))
    hot = tuple(tuple(f"put[{i},{b}]" for b in range(bins)) for i in range(items))
    return FamilyProblem("bins with conflicts", names, Space.of(items, rows, 0, bins - 1), hot=hot)


def open_shop(seed: int) -> FamilyProblem:
    """Start times of three jobs on three machines in any order: neither a job nor a machine does two things at once."""
    rng = np.random.default_rng(seed)
    jobs, machines, horizon = 3, 3, 16
    lengths = rng.integers(1, 5, jobs * machines).tolist()
    tasks = list(product(range(jobs), range(machines)))
    rows = [
        apart(i, k, lengths[i], lengths[k])
        for (i, one), (k, other) in combinations(enumerate(tasks), 2)
        if one[0] == other[0] or one[1] == other[1]
    ]
    names = tuple(f"start[{j},{m}]" for j, m in tasks)
    return FamilyProblem("open shop", names, Space.of(len(tasks), rows, 0, horizon - np.array(lengths)))


def teams(seed: int) -> FamilyProblem:
    """A project for each of 15 people: three to five in each of four, and six pairs of people are kept apart."""
    people, projects = 15, 4
    rows = [count(range(people), [p], 3, 5) for p in range(1, projects + 1)]
    rows += [differ(i, j) for i, j in _some_pairs(people, 6, seed)]
    names = tuple(f"project of person {i}" for i in range(people))
    hot = tuple(tuple(f"person {i} / project {p}" for p in range(1, projects + 1)) for i in range(people))
    return FamilyProblem("teams", names, Space.of(people, rows, 1, projects), hot=hot)


def campaigns(seed: int) -> FamilyProblem:
    """Amounts made in ten weeks: from 3 to 9 if the plant is on; at most two of any three weeks, at least 20 in all.

    Walks over amounts, of which 1 and 2 are forbidden; "on" follows from them.
    """
    del seed
    weeks, least, most = 10, 3, 9
    hits = [{(t + k, v): 1 for k in range(3) for v in range(least, most + 1)} for t in range(weeks - 2)]
    amounts = Space.of(
        weeks,
        [Row({t: 1}, hole=(1, least - 1)) for t in range(weeks)]
        + [Row(hits=window, most=2) for window in hits]
        + [total(range(weeks), least=20)],
        upper=most,
    )
    rows = [Row({t: 1, weeks + t: -most}, most=0) for t in range(weeks)]
    rows += [Row({t: 1, weeks + t: -least}, least=0) for t in range(weeks)]
    rows += [total([weeks + t + k for k in range(3)], most=2) for t in range(weeks - 2)]
    rows.append(total(range(weeks), least=20))

    def draw(n: int, rng: np.random.Generator) -> IntArray:
        drawn = walked(amounts, n, rng)
        return np.hstack([drawn, np.asarray(drawn > 0, np.int64)])

    names = tuple(f"{what}[{t}]" for what in ("made", "on") for t in range(weeks))
    return FamilyProblem("campaigns", names, Space.of(2 * weeks, rows, 0, np.repeat([most, 1], weeks)), draw)


def timetable(seed: int) -> FamilyProblem:
    """A slot for three lessons of each of five subjects: those of a subject differ, and there are three rooms.

    Six pairs of lessons share a teacher, so that they differ too.
    """
    subjects, lessons, slots = ("art", "biology", "chemistry", "drama", "english"), 3, 7
    number = len(subjects) * lessons
    rows = [row for s in range(len(subjects)) for row in all_different(range(lessons * s, lessons * (s + 1)))]
    rows += [differ(i, j) for i, j in _some_pairs(number, 6, seed) if i // lessons != j // lessons]
    rows += [count(range(number), [slot], 0, 3) for slot in range(1, slots + 1)]
    names = tuple(f"lesson[{subject},{k}]" for subject in subjects for k in range(1, lessons + 1))
    hot = tuple(tuple(f"{name[:-1]},{slot}]" for slot in range(1, slots + 1)) for name in names)
    return FamilyProblem("timetable", names, Space.of(number, rows, 1, slots), hot=hot)


def crews(seed: int) -> FamilyProblem:
    """People in four teams over six weeks: 12 to 20 a week, and no team changes by more than two from week to week."""
    del seed
    number, weeks = 4, 6
    cells = np.arange(number * weeks).reshape(number, weeks).tolist()
    rows = [total(week, 12, 20) for week in zip(*cells, strict=True)]
    rows += [Row({one: 1, other: -1}, least=-2, most=2) for line in cells for one, other in pairwise(line)]
    names = tuple(f"crew[{team},{week}]" for team, week in product("ABCD", range(1, weeks + 1)))
    return FamilyProblem("crews", names, Space.of(number * weeks, rows, 0, 9))


def _some_pairs(number: int, size: int, seed: int) -> list[tuple[int, int]]:
    pairs = list(combinations(range(number), 2))
    chosen = np.random.default_rng(seed).choice(len(pairs), size, replace=False)
    return [pairs[k] for k in sorted(chosen.tolist())]
