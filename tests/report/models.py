"""Models for reports: small, noisy, hostile, large."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

import unwritten
from unwritten import Model, mine
from unwritten.data import Variables
from unwritten.mining import Cuts
from unwritten.rules import Evidence, RuleSet
from unwritten.samples import sudoku
from unwritten.tables import Table

#: Names and values that would do harm if they were taken for anything but text.
HOSTILE = (
    "<img src=x onerror=\"window.harm='img'\">",
    "</script><script>window.harm='script'</script>",
    "\"'><b onmouseover=window.harm=1>&amp;",
    "a\u2028b\u2029c\x00d\x1b[31me\u202efdp.exe",
    "long " * 2_000,
    "__proto__",
)


def cars(rows: int = 400) -> pd.DataFrame:
    """Configurations of cars: sport trim needs the big engine, a cabriolet has no roof rack, doors follow the body."""
    rng = np.random.default_rng(1)
    trim = rng.choice(["base", "comfort", "sport"], rows)
    body = rng.choice(["cabriolet", "sedan", "wagon"], rows)
    engine = np.where(trim == "sport", "big", rng.choice(["small", "middle", "big"], rows))
    rack = np.where(body == "cabriolet", "no", rng.choice(["no", "yes"], rows))
    doors = np.select([body == "cabriolet", body == "sedan"], [2, 4], 5)
    paint = rng.choice(["red", "blue", "white", "black"], rows)
    return pd.DataFrame({"trim": trim, "body": body, "engine": engine, "rack": rack, "doors": doors, "paint": paint})


@cache
def car_model() -> Model:
    return mine(Table.of(cars()))


def noisy_cars() -> tuple[Model, Table]:
    """The model of 1,200 cars with three rows that break a rule, and the table of all rows."""
    frame = cars(1200)
    frame.loc[[17, 140, 333], ["body", "doors"]] = ["cabriolet", 5]
    table = Table.of(frame)
    return mine(table, noise="auto"), table


@cache
def hostile_model() -> Model:
    """Columns and values with hostile names, linked by rules."""
    rng = np.random.default_rng(2)
    first = rng.integers(0, 3, 300)
    levels = [[f"{name} {k}" for k in range(3)] for name in HOSTILE]
    columns = {
        name: [level[k] for k in (first if place % 2 == 0 else rng.integers(0, 3, 300))]
        for place, (name, level) in enumerate(zip(HOSTILE, levels, strict=True))
    }
    return mine(Table.of(pd.DataFrame(columns)))


@cache
def sudoku_model() -> Model:
    names = [f"r{r}c{c}" for r in range(1, 10) for c in range(1, 10)]
    return mine(Table.of(pd.DataFrame(sudoku.grids(120, seed=3), columns=names).astype(str)))


def many_rules(number: int, width: int = 400) -> Model:
    """A model with this number of rules over 0/1 variables, built without mining."""
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 2, (200, width))
    matrix = np.zeros((number, width), np.int64)
    for row in matrix:
        row[rng.choice(width, 2, replace=False)] = 1, -1
    variables = Variables.named([f"option {k}" for k in range(width)])
    rules = RuleSet(
        variables,
        matrix,
        np.zeros(number, bool),
        np.zeros(number, np.int64),
        ("mined",) * number,
        tuple(Evidence(200, 0, 0.5 + 0.4 * k / number, 12.0) for k in range(number)),
    )
    return Model(variables, rules, RuleSet.empty(variables), Cuts.none(width), labels, np.ones(200, np.int64))


def plain_model() -> Model:
    """A model without a table; one of its variables is an integer."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 2, (2, 200))
    return unwritten.mine(
        np.column_stack([a, b, a + b, rng.integers(0, 2, 200)]), names=["left", "right", "both", "free"]
    )
