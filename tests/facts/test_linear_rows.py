"""Linear rows have the solutions that a condition does not refuse: all rows of a small table, random conditions."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from unwritten.conditions import (
    Alike,
    All,
    Condition,
    Decides,
    Either,
    LinearRow,
    LinearRows,
    Missing,
    MultipleOf,
    Not,
    OneOf,
    Readable,
    Same,
    Within,
    WithinBy,
)
from unwritten.data import BoolArray
from unwritten.tables import Schema
from unwritten.tables.column import Column
from unwritten.tables.typed_rows import TypedRows

SCHEMA = Schema(
    (
        Column("a", "integer", role="integer", lower=-1, upper=2),
        Column("b", "category", ("1", "3", None), "integer", role="integer"),
        Column("c", "skip", role="decimal", scale=1),
        Column("k", "category", ("x", "y", "z")),
        Column("f", "boolean", ("x", "y")),
    )
)
BOUNDS = All((Readable("c"), Within(((1, "c"),), 0, 12)))  # in tenths
CELLS = {
    "a": ["-1", "0", "1", "2"],
    "b": ["1", "3", None],
    "c": ["0", "0.3", "1", "1.2", None],
    "k": ["x", "y", "z"],
    "f": ["x", "y"],
}
ROWS = [dict(zip(CELLS, row, strict=True)) for row in product(*CELLS.values())]


def random_condition(rng: np.random.Generator, depth: int) -> Condition:
    """A condition of conditions, or a test of cells."""
    if depth and rng.random() < 0.7:
        parts = tuple(random_condition(rng, depth - 1) for _ in range(2))
        kinds: list[Condition] = [Not(parts[0]), All(parts), Either(parts), Same(*parts)]
        return kinds[int(rng.integers(4))]
    low = float(rng.integers(-9, 12)) if rng.random() < 0.7 else None
    high = (low or 0.0) + float(rng.integers(0, 15)) if rng.random() < 0.7 or low is None else None
    names = [str(name) for name in rng.permutation(["a", "b", "c"])[: int(rng.integers(1, 4))]]
    terms: list[tuple[int, Any]] = [(int(rng.choice([-2, -1, 1, 3])), name) for name in names]
    terms += [(int(rng.integers(1, 4)), OneOf("k", ("x",)))] if rng.random() < 0.2 else []
    tests: list[Condition] = [
        Within(tuple(terms), low, high, float(rng.choice([0, 0, 1.5])), bool(rng.random() < 0.2 and high is not None)),
        OneOf("k", ("x", "z")),
        OneOf("b", ("3", None)),
        OneOf("f", ("y",)),
        Missing("c"),
        Alike("k", "f"),
        WithinBy("k", "c", (("x", low, high), ("y", 3, None))),
    ]
    return tests[int(rng.choice([0, 0, 0, 0, 1, 2, 3, 4, 5, 6]))]


def solved(rows: list[LinearRow], writer: LinearRows) -> BoolArray:
    """Which rows of the small table are part of a solution; all values of other variables are tried."""
    labels = SCHEMA.encode_rows(ROWS).labels
    numbers = [None if row["c"] is None else round(float(row["c"]) * 10) for row in ROWS]
    yes = np.zeros(len(ROWS), bool)
    for i, (label, number) in enumerate(zip(labels.tolist(), numbers, strict=True)):
        own = {"c=missing": [int(number is None)]} | ({} if number is None else {"c": [number]})
        domains = [own.get(each.name, range(int(each.low), int(each.high) + 1)) for each in writer.added]
        points = np.array([[*label, *point] for point in product(*domains)])
        fine = np.ones(len(points), bool)
        for row in rows:
            total = sum(factor * points[:, j] for factor, j in row.terms)
            fine &= (total == row.rhs) if row.equality else (total <= row.rhs)
        yes[i] = fine.any()
    return yes


@pytest.mark.parametrize("seed", range(60))
def test_rows_have_the_solutions_of_a_condition(seed: int) -> None:
    """A condition that is false for a row leaves no solution; one that is true or unknown leaves some."""
    rng = np.random.default_rng(seed)
    while True:
        condition = random_condition(rng, 2)
        writer = LinearRows(SCHEMA, [BOUNDS], len(SCHEMA.variables), fractions=False)
        rows = writer.rows(condition)
        if len(writer.added) <= 4:  # few enough to try all their values
            break
    cells = {name: ([row[name] for row in ROWS], np.arange(len(ROWS))) for name in CELLS}
    broken = condition.truth(TypedRows.of_cells(SCHEMA, len(ROWS), cells), {}).no
    assert (solved(rows, writer) == ~broken).all(), condition


@pytest.mark.parametrize(
    "condition",
    [
        MultipleOf("c", 3),
        MultipleOf("b", 3),
        Decides(("k",), "f", (("x", "x"), ("y", "x"))),
        Decides(("k", "f"), "b", (("x", "y", "3"), ("z", "y", None))),
    ],
)
def test_rows_of_steps_and_dependencies(condition: Condition) -> None:
    """So do multiples, and dependencies whose values are known."""
    writer = LinearRows(SCHEMA, [BOUNDS], len(SCHEMA.variables), fractions=False)
    rows = writer.rows(condition)
    cells = {name: ([row[name] for row in ROWS], np.arange(len(ROWS))) for name in CELLS}
    broken = condition.truth(TypedRows.of_cells(SCHEMA, len(ROWS), cells), {}).no
    assert broken.any()
    assert (solved(rows, writer) == ~broken).all()
