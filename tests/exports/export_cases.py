"""Models to export, and rows with the model's own verdict on them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import unwritten
from experiments import datasets
from unwritten.data import BoolArray, IntArray
from unwritten.rules import RuleSet
from unwritten.tables import Schema, Table
from unwritten.tables.column import Column

MINERS = ["groups", "equalities", "pairs", "covers"]

HOSTILE = [
    "two words",
    "a\nb\r\n",
    "'; DROP TABLE decisions; --",
    'double " quote',
    "*/ /* \\",
    "__import__('os').system('exit 1')",
    "% \\(x1) $ # {0}",
    "naïve − ≤ 日本\u2028\u202e",
    "st",
    "free",
    "e1",
    "1e5",
    "x3",
    "inf",
    "a=b: c",
    "\x1b[31m\x07",
    "n" * 3000,
    "End",
]


def _points(low: int, high: int, width: int, keep: Callable[[IntArray], BoolArray]) -> IntArray:
    axes = np.meshgrid(*[np.arange(low, high + 1)] * width, indexing="ij")
    every = np.stack([axis.ravel() for axis in axes], axis=1)
    return every[keep(every)]


def _binary(**options: Any) -> unwritten.Model:
    """Random clauses and a group over ten 0/1 variables."""
    rng = np.random.default_rng(1)
    rows = [(rng.integers(-2, 3, 10), int(rng.integers(0, 4))) for _ in range(6)]
    labels = _points(0, 1, 10, lambda y: np.all([y @ a <= b for a, b in rows], axis=0) & (y[:, :3].sum(axis=1) == 1))
    prior = [(a, "<=", b) for a, b in rows]
    return unwritten.mine(labels, rules=MINERS, prior=prior, **options)


def _integers(**options: Any) -> unwritten.Model:
    """Integers with negative, fixed and uneven bounds."""
    labels = _points(-3, 4, 4, lambda y: (y[:, 0] + 2 * y[:, 1] <= 3) & (y[:, 0] - y[:, 2] == 1) & (y[:, 3] >= -2))
    labels = np.column_stack([labels, np.full(len(labels), -5), labels[:, 3] > 0])
    return unwritten.mine(
        labels, rules=MINERS, prior=[([1, 2, 0, 0, 0, 0], "<=", 3), ([0, 0, 0, 1, 0, -4], "<=", 0)], **options
    )


def _hostile() -> unwritten.Model:
    return named_model(HOSTILE)


def named_model(names: list[str]) -> unwritten.Model:
    """As many variables as names, some of them integers."""
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 2, (300, len(names)))
    labels[:, 1] = 1 - labels[:, 0]
    labels[:, 3] &= labels[:, 2]
    labels[:, 5] = labels[:, 4] * 3 - 2
    labels = labels[labels.sum(axis=1) <= 7]
    return unwritten.mine(labels, rules=MINERS, names=names, prior=[(np.ones(len(names), int), "<=", 7)])


def _cuts() -> unwritten.Model:
    """Labels with the weights that they were decided for."""
    rng = np.random.default_rng(3)
    feasible = _points(0, 1, 6, lambda y: y @ [3, 5, 2, 7, 4, 1] <= 11)
    weights = np.round(rng.normal(size=(40, 6)), 3)
    return unwritten.mine(feasible[np.argmax(weights @ feasible.T, axis=1)], weights, rules=MINERS, sense="max")


def _gaps() -> unwritten.Model:
    """Gaps of every kind, over variables with few values and over one with many."""
    every = _points(0, 4, 4, lambda y: (y[:, 0] != y[:, 1]) & (y[:, 0] != y[:, 2]) & (y[:, 1] != y[:, 2]))
    every = every[(np.abs(every[:, 2] - every[:, 3]) != 2) & (every[:, 0] + 1 != every[:, 3])]
    late = 100 - 30 * every[:, 3] + 7 * every[:, 1]
    labels = np.column_stack([every, 90 - late % 40, late])
    labels = labels[(labels[:, 4] + 9 <= labels[:, 5]) | (labels[:, 5] + 5 <= labels[:, 4])]
    sentences = ["all different: y0, y1, y2", "|y2 - y3| != 2", "y0 + 1 != y3", "y4 + 9 <= y5 or y5 + 5 <= y4"]
    return unwritten.mine(labels, rules=MINERS, prior=sentences)


def _differences() -> unwritten.Model:
    """Four marks whose differences differ, in any order."""
    pairs = [(i, j) for j in range(4) for i in range(j)]
    every = _points(-1, 5, 4, lambda y: np.array([len({m[j] - m[i] for i, j in pairs}) == len(pairs) for m in y]))
    return unwritten.mine(every[::40], rules=[], prior=["all differences differ: y0, y1, y2, y3"], bounds=(-1, 5))


def _table() -> unwritten.Model:
    return table_model()[0]


def _renault() -> unwritten.Model:
    return renault_model()[0]


MODELS: dict[str, Callable[[], unwritten.Model]] = {
    "binary": _binary,
    "minimised": lambda: _binary(sense="min"),
    "integers": _integers,
    "hostile": _hostile,
    "latents": lambda: unwritten.mine(_points(0, 1, 4, lambda y: y.sum(axis=1) % 2 == 0), rules=MINERS, lifts="pairs"),
    "no rules": lambda: unwritten.mine(_points(0, 1, 3, lambda y: y[:, 0] >= 0), rules=[]),
    "gaps": _gaps,
    "differences": _differences,
    "table": _table,
    "renault": _renault,
    "cuts": _cuts,
}
WHOLE = [name for name in MODELS if name != "cuts"]  # for targets that know integers only


@cache
def model_of(name: str) -> unwritten.Model:
    return MODELS[name]()


def queries(model: unwritten.Model, count: int = 3) -> list[tuple[list[int], float]]:
    """Random integer weights, and the value of what the model decides."""
    weights = np.random.default_rng(4).integers(-9, 10, (count, len(model.variables)))
    found = model.decide(weights)
    assert all(status == unwritten.Status.OPTIMAL for status in found.status)
    return [(row, float(value)) for row, value in zip(weights.tolist(), found.values, strict=True)]


Judged = tuple[unwritten.Model, pa.Table, BoolArray]


@cache
def table_model() -> tuple[unwritten.Model, pd.DataFrame]:
    """Categories, booleans of three types, integers, missing values and bins, and rules between them."""
    return _mined(["trim", "engine", "roof", "towbar", "doors", "led", "seats", "reach", "price", "gap", "flag", "id"])


@cache
def hostile_table_model() -> tuple[unwritten.Model, pd.DataFrame]:
    """The same with hostile names of columns and values."""
    return _mined([*HOSTILE[:8], *HOSTILE[9:11], *HOSTILE[15:17]], hostile=True)


def _mined(names: list[str], hostile: bool = False) -> tuple[unwritten.Model, pd.DataFrame]:
    rng, n = np.random.default_rng(5), 600
    trims = ["base", "sport", "lux", 'o\'neil "x"', ""]
    trim = rng.choice(trims, n)
    engine = np.where(trim == "sport", "V6", rng.choice(["I4", "V6", "EV"], n))
    roof = np.where(engine == "EV", "yes", rng.choice(["yes", "no"], n))
    towbar = np.where(trim == "lux", None, rng.choice(["a", "b"], n))
    doors = np.where(trim == "sport", 3, rng.choice([4, 5], n))
    seats = rng.integers(-20, 40, n)
    price = np.where(trim == "sport", rng.uniform(30, 60, n), rng.uniform(10, 30, n))
    price[towbar == "a"] = np.nan
    gap = np.where(roof == "yes", rng.choice([2.0, 7.0], n), np.nan)
    flag = np.where(roof == "yes", rng.choice([True, False], n), None)  # truth with gaps: compared as text
    columns = [trim, engine, roof, towbar, doors, roof == "yes", seats, seats + (trim == "lux"), price, gap, flag]
    frame = pd.DataFrame(dict(zip(names, [*columns, [f"row {i}" for i in range(n)]], strict=True)))
    if hostile:
        words = dict(zip([*trims, "V6", "EV", "a"], HOSTILE, strict=False))
        frame[names[:4]] = frame[names[:4]].map(lambda cell: words.get(cell, cell) if cell is not None else None)
    model = unwritten.mine(Table.of(pa.Table.from_pandas(frame), types={names[8]: "bins:20|30"}))
    assert {column.kind for column in model.schema.columns} == {"category", "boolean", "integer", "bins", "skip"}
    return model, frame


@cache
def gap_table_model() -> tuple[unwritten.Model, pd.DataFrame]:
    """Integer columns with gaps of every kind, one of them with a hostile name."""
    rng, quay = np.random.default_rng(8), 'quay "1"; --'
    rows = rng.integers(0, 9, (4000, 4))
    first, second, third, fourth = rows.T
    fine = (first != second) & (first != third) & (second != third) & (np.abs(third - fourth) != 2)
    rows = rows[fine & ((second + 3 <= fourth) | (fourth + 2 <= second))][:500]
    frame = pd.DataFrame(rows, columns=["a", quay, "c", "d"])
    frame["ship"] = rng.choice(["red", "blue"], len(frame))
    frame["id"] = [f"row {i}" for i in range(len(frame))]
    types = dict.fromkeys(["a", quay, "c", "d"], "integer")
    sentences = [
        f"all different: a, {json.dumps(quay)}, c",
        "|c - d| != 2",
        f"{json.dumps(quay)} + 3 <= d or d + 2 <= {json.dumps(quay)}",
    ]
    return unwritten.mine(Table.of(pa.Table.from_pandas(frame), types=types), rules=[], prior=sentences), frame


@cache
def renault_model() -> tuple[unwritten.Model, pd.DataFrame]:
    """Sales of a car maker; the test is skipped without the data."""
    if not os.environ.get(datasets.VARIABLE):
        pytest.skip(f"set {datasets.VARIABLE} to the directory of the data sets")
    frame = pd.read_csv(datasets.find("renault-sales"), sep=" ").drop_duplicates(ignore_index=True)
    frame["id"] = [f"row {i}" for i in range(len(frame))]
    return unwritten.mine(Table.of(pa.Table.from_pandas(frame))), frame


def wide_model(columns: int, rows: list[tuple]) -> unwritten.Model:
    """Columns of three values, and rules as given."""
    schema = Schema(tuple(Column(f"c{k}", "category", ("a", "b", "c")) for k in range(columns)))
    rules = RuleSet.of(schema.variables, rows)
    small = unwritten.mine([[0, 1], [1, 0]] * 9)
    return replace(small, variables=schema.variables, schema=schema, rules=rules)


TABLES: dict[str, Callable[[], tuple[unwritten.Model, pd.DataFrame]]] = {
    "table": table_model,
    "hostile": hostile_table_model,
    "gaps": gap_table_model,
    "renault": renault_model,
}


@cache
def judged(name: str, count: int = 1000) -> Judged:
    """Rows of every sort, each with its own id, and whether the model accepts them.

    A third are rows of the table, a third have one cell changed, and a third are random; some cells are missing and
    some hold what the table never did.
    """
    model, frame = TABLES[name]()
    rng = np.random.default_rng(6)
    columns = {column.name: column for column in model.schema.columns}
    used = [column.name for column in model.schema.used]
    pools = {each: _pool(frame[each], columns[each].kind, columns[each].dtype) for each in used}
    records = frame.iloc[rng.integers(0, len(frame), count)].to_dict("records")
    for i, record in enumerate(records):
        changed = used if i % 3 == 2 else [used[rng.integers(len(used))]] if i % 3 == 1 else []
        for each in changed:
            strange = rng.random() < (0.02 if i % 3 == 2 else 0.3)
            pool = pools[each]
            record[each] = pool[rng.integers(len(pool) - 2, len(pool)) if strange else rng.integers(len(pool) - 2)]
        record[next(c for c in columns if columns[c].kind == "skip")] = f"row {i}"
    rows = [{key: _plain(cell) for key, cell in record.items()} for record in records]
    table = pa.table({each: pa.array([row[each] for row in rows]) for each in frame.columns})
    fine = model.check(table).feasible
    assert 100 < fine.sum() < count - 100
    return model, table, fine


def _pool(cells: pd.Series, kind: str, dtype: str) -> list[Any]:
    """The values that a cell may be changed to; the last two may be new to the table."""
    known = [cell for cell in cells.unique() if not pd.isna(cell)]
    truth = all(isinstance(cell, bool | np.bool_) for cell in known)
    odd = 60.0 if kind == "bins" else None if truth else {"integer": 1234}.get(dtype, "never seen")
    return [*known, *([None] if cells.isna().any() else []), odd, None]


def _plain(cell: Any) -> Any:
    """The value as a plain Python object; None if it is missing."""
    if cell is None or (isinstance(cell, float) and np.isnan(cell)):
        return None
    cell = cell.item() if isinstance(cell, np.generic) else cell
    return int(cell) if isinstance(cell, float) and cell.is_integer() and abs(cell) < 10 else cell
