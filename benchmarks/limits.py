"""Queries under limits: the engine that is chosen by default against lazy rows on HiGHS, in one run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import unwritten
from benchmarks.timing import MarkdownTable, best_of
from unwritten.data import FloatArray

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


def compare(table: MarkdownTable, case: str, model: unwritten.Model, weights: FloatArray, reference: int) -> None:
    """Time `engine="auto"` on all queries and lazy rows on the first few; both must have the same values."""
    ours, lazily = model, unwritten.Model(**{name: getattr(model, name) for name in model.__dataclass_fields__})
    ours.decide(weights[:1])  # loads the rows
    lazily.decide(weights[:1], engine="lazy")
    fast, chosen = best_of(2, lambda: ours.decide(weights))
    slow, solved = best_of(1, lambda: lazily.decide(weights[:reference], engine="lazy"))
    fast, slow = fast / len(weights), slow / reference
    engines, counts = np.unique(chosen.engine.astype(str), return_counts=True)
    table.add(
        case=case,
        cuts=len(model.cuts),
        engine=", ".join(f"{e} {c}" for e, c in zip(engines, counts, strict=True)),
        ms_per_query=1000 * fast,
        lazy_ms=1000 * slow,
        ratio=slow / fast,
        same_values=f"{int((np.abs(solved.values - chosen.values[:reference]) < 1e-9).sum())} of {reference}",
    )


def limits(quick: bool) -> MarkdownTable:
    """Queries under limits (capacities, dense rows, assignments), with and without cuts, against lazy rows."""
    queries, examples, reference = (10, 50, 2) if quick else (100, 500, 10)
    table = MarkdownTable(f"Limits: {queries} queries, {reference} of them also by lazy rows on HiGHS")
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
