"""Queries under limits: the engine that is chosen by default against best-first and lazy rows on HiGHS, in one run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

import unwritten
from benchmarks.timing import MarkdownTable, best_of
from unwritten.data import FloatArray
from unwritten.solving.solver_choices import EngineName

Row = tuple[list[int], str, int]


def knapsack(items: int, capacities: int, rng: np.random.Generator) -> list[Row]:
    """Draw sizes from 1 to 19; half of all items fit."""
    return [(sizes.tolist(), "<=", int(sizes.sum()) // 2) for sizes in rng.integers(1, 20, (capacities, items))]


def dense(variables: int, rows: int, rng: np.random.Generator) -> list[Row]:
    """Draw rows of both signs over all variables, which 0 obeys."""
    return [(row.tolist(), "<=", int(rng.integers(5, 30))) for row in rng.integers(-9, 10, (rows, variables))]


def assignment(items: int, bins: int, rng: np.random.Generator) -> list[Row]:
    """Every item is in one of the bins, whose capacities leave a tenth of their space free."""
    rows: list[Row] = []
    for i in range(items):
        in_one = np.zeros((items, bins), int)
        in_one[i] = 1
        rows.append((in_one.ravel().tolist(), "==", 1))
    sizes = rng.integers(3, 20, (items, bins))
    for k in range(bins):
        within = np.zeros((items, bins), int)
        within[:, k] = sizes[:, k]
        rows.append((within.ravel().tolist(), "<=", int(1.1 * sizes[:, k].sum() / bins)))
    return rows


def roster(nurses: int, days: int, rng: np.random.Generator) -> list[Row]:
    """One of three shifts or none a day, five of seven days, no morning after a night, and staff for every shift."""
    cells = np.arange(nurses * days * 4).reshape(nurses, days, 4)  # off, morning, evening, night
    parts = [(group, 1, "==", 1) for group in cells.reshape(-1, 4)]
    parts += [(each[:, 1:], 1, "<=", 5 * days // 7) for each in cells]
    parts += [(each[[day, day + 1], [3, 1]], 1, "<=", 1) for each in cells for day in range(days - 1)]
    parts += [(cells[:, day, shift], -1, "<=", -max(1, nurses // 5)) for day in range(days) for shift in (1, 2)]
    parts += [(cells[:, day, 3], -1, "<=", -1) for day in range(days)]
    parts += [(cells[:, day, 3], 1, "<=", max(1, nurses // 4)) for day in range(days)]
    every = np.arange(cells.size)
    return [((sign * np.isin(every, part)).tolist(), sense, rhs) for part, sign, sense, rhs in parts]


def compare(table: MarkdownTable, case: str, model: unwritten.Model, weights: FloatArray, reference: int) -> None:
    """Time `engine="auto"` on all queries, two other engines on the first few; all must have the same values."""
    model.decide(weights[:1])  # loads the rows
    fast, chosen = best_of(2, lambda: model.decide(weights))
    fast /= len(weights)
    others: dict[EngineName, float] = {}
    same = np.ones(reference, bool)
    rivals: tuple[EngineName, ...] = ("best-first", "lazy")
    for engine in rivals:
        model.decide(weights[:1], engine=engine)
        seconds, decided = best_of(1, partial(model.decide, weights[:reference], engine=engine))
        others[engine] = seconds / reference
        same &= np.abs(decided.values - chosen.values[:reference]) < 1e-9
    engines, counts = np.unique(chosen.engine.astype(str), return_counts=True)
    table.add(
        case=case,
        cuts=len(model.cuts),
        engine=", ".join(f"{e} {c}" for e, c in zip(engines, counts, strict=True)),
        ms_per_query=1000 * fast,
        best_first_ms=1000 * others["best-first"],
        lazy_ms=1000 * others["lazy"],
        ratio=others["lazy"] / fast,
        same_values=f"{int(same.sum())} of {reference}",
    )


def limits(quick: bool) -> MarkdownTable:
    """Queries under limits (capacities, dense rows, assignments, rosters), with and without cuts, against lazy rows."""
    queries, examples, reference = (10, 50, 2) if quick else (100, 500, 10)
    table = MarkdownTable(f"Limits: {queries} queries, {reference} of them also best-first and by lazy rows on HiGHS")
    cases: dict[str, tuple[Callable[..., list[Row]], tuple[int, int], tuple[int, int]]] = {
        f"knapsack of {items} items, capacities: {rows}": (knapsack, (items, rows), (0, 1))
        for items in ((30,) if quick else (30, 50, 100))
        for rows in ((1, 2) if quick else (1, 2, 5))
    }
    cases |= {
        f"16 variables from {low} to {high}, rows: {rows}": (dense, (16, rows), (low, high))
        for low, high in ((0, 1), (-5, 5))
        for rows in ((2,) if quick else (1, 2, 4, 8))
    }
    cases |= {
        f"{items} items in {bins} bins": (assignment, (items, bins), (0, 1))
        for items, bins in (((8, 3),) if quick else ((8, 3), (15, 3), (30, 4)))
    }
    cases |= {
        f"roster of {nurses} nurses for {days} days": (roster, (nurses, days), (0, 1))
        for nurses, days in (((5, 3),) if quick else ((5, 7), (8, 7), (16, 7)))
    }
    for case, (draw, size, bounds) in cases.items():
        rng = np.random.default_rng(0)
        rows = draw(*size, rng)
        width = len(rows[0][0])
        weights = rng.normal(size=(examples + queries, width)) + (draw is not dense)
        given, asked = weights[:examples], weights[examples:]
        without = unwritten.mine(np.zeros((1, width), int), rules=[], bounds=bounds).with_rules(rows)
        compare(table, case, without, asked, reference)
        labels = without.decide(given).labels
        with_cuts = unwritten.mine(labels, given, rules=[], bounds=bounds).with_rules(rows)
        compare(table, case, with_cuts, asked, reference)
    return table
