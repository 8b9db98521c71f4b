"""Rosters: who works when. Solutions are drawn by walks."""

from __future__ import annotations

from itertools import product

import numpy as np

from experiments.families.problem import FamilyProblem
from experiments.families.rows import Row, count, total
from experiments.families.space import Space

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SHIFTS = ("off", "morning", "evening", "night")


def nurses(seed: int) -> FamilyProblem:
    """A shift or none for 16 nurses on 7 days.

    At least three in the morning, three in the evening and two to four at night; no morning after a night; at most five
    shifts a week.
    """
    del seed
    staff, days = 16, len(DAYS)
    cells = np.arange(staff * days).reshape(staff, days).tolist()
    rows = []
    for day in zip(*cells, strict=True):
        rows += [count(day, [1], 3), count(day, [2], 3), count(day, [3], 2, 4)]
    for week in cells:
        rows.append(count(week, [1, 2, 3], 0, 5))
        rows += [Row(hits={(week[k], 3): 1, (week[k + 1], 1): 1}, most=1) for k in range(days - 1)]
    names = [f"nurse {i} / {day}" for i, day in product(range(staff), DAYS)]
    hot = tuple(tuple(f"{name} / {shift}" for shift in SHIFTS) for name in names)
    return FamilyProblem("nurses", tuple(names), Space.of(staff * days, rows, 0, 3), hot=hot)


def days_off(seed: int) -> FamilyProblem:
    """Days off of six people in two weeks: at least two in any seven days, and at most three people at once."""
    del seed
    people, days, window = 6, 14, 7
    cells = np.arange(people * days).reshape(people, days).tolist()
    rows = [total(line[k : k + window], least=2) for line in cells for k in range(days - window + 1)]
    rows += [total(day, most=3) for day in zip(*cells, strict=True)]
    names = tuple(f"off[{person},{day}]" for person, day in product("ABCDEF", range(days)))
    return FamilyProblem("days off", names, Space.of(people * days, rows))


def weekly_shifts(seed: int) -> FamilyProblem:
    """Eight people, two weeks: three to five shifts for each person and week."""
    del seed
    people, weeks, days = 8, 2, len(DAYS)
    cells = np.arange(people * weeks * days).reshape(-1, days).tolist()
    rows = [total(week, 3, 5) for week in cells]
    names = tuple(f"works[{i},week{w},{day}]" for i, w, day in product(range(people), range(1, weeks + 1), DAYS))
    return FamilyProblem("weekly shifts", names, Space.of(people * weeks * days, rows))
