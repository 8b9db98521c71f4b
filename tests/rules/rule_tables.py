"""Small tables for the tests of sentences: random schemas with awkward names, and every row that they can hold."""

from __future__ import annotations

from itertools import chain, product

import numpy as np
from hypothesis import strategies as st

from unwritten.data import IntArray, Variables
from unwritten.rules import RuleSet
from unwritten.tables.column import Column
from unwritten.tables.schema import Schema

AWKWARD = [
    "a", "b", "c", "trim", "two door", 'say "hi"', "x=y", "a, b", "{a}", "[b]", "requires", "Exactly", "missing", "in",
    "at most one of a", "é", "名前", "7", "-7", "0", "1", "2", "3d", "5.5", "2·a", "−1", "a requires b", "tab\there",
    "line\nbreak", "bell\x07", "\x7f", "a-b", "(noisy: 1 of 2 examples break it)", " ", "always", "a ↔ b", "\\", "x ",
    "_", "a.b", "missing-part", "[", "in.x", "and", "go", "<=", "+",
]  # fmt: skip
NUMBERS = ["-2", "-1", "0", "1", "2", "3", "9"]


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """One to four columns of any kind."""
    names = draw(st.lists(st.sampled_from(AWKWARD) | st.text(max_size=4), min_size=1, max_size=4, unique=True))
    return Schema(tuple(draw(_columns(name)) for name in names))


@st.composite
def _columns(draw: st.DrawFn, name: str) -> Column:
    kind = draw(st.sampled_from(["category", "category", "boolean", "integer", "alike"]))
    if kind == "integer":
        lower = draw(st.integers(-2, 1))
        return Column(name, "integer", (), "integer", lower, lower + draw(st.integers(0, 3)))
    if kind == "alike":  # columns that share their levels
        return Column(name, "category", ("1", "2", "3"))
    texts = st.sampled_from(draw(st.sampled_from([AWKWARD, NUMBERS])))
    levels = st.lists(texts | st.none(), unique=True, min_size=2 if kind == "boolean" else 1, max_size=4)
    chosen = draw(levels)
    return Column(name, "boolean", tuple(chosen[:2])) if kind == "boolean" else Column(name, "category", tuple(chosen))


def every_row(schema: Schema) -> IntArray:
    """The labels of all rows that a table with these columns can hold."""
    choices = []
    for column in schema.used:
        if column.one_hot:
            choices.append(np.eye(column.width, dtype=np.int64).tolist())
        else:
            choices.append([[value] for value in range(column.bounds[0][0], column.bounds[1][0] + 1)])
    return np.array([list(chain(*parts)) for parts in product(*choices)], np.int64)


@st.composite
def row_lists(draw: st.DrawFn, schema: Schema) -> list[tuple[list[int], str, int]]:
    """Rows over the schema's variables, arbitrary or about literals, each with random multiples of the blocks added."""
    d = len(schema.variables)
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        row, rhs = np.zeros(d, np.int64), draw(st.integers(-2, 3))
        if draw(st.booleans()):
            row += draw(st.lists(st.sampled_from([0, 0, 0, 1, -1, 2]), min_size=d, max_size=d))
        else:
            for column in draw(st.lists(st.sampled_from(schema.used), max_size=3, unique=True)):
                part = schema.places[column.name]
                chosen = st.lists(st.integers(0, 1), min_size=column.width, max_size=column.width)
                row[part] += draw(st.sampled_from([1, 1, -1])) * np.array(draw(chosen))
            rhs = draw(st.integers(0, 1))
        for block in schema.blocks:
            shift = draw(st.sampled_from([0, 0, 1, -1]))
            row[block] += shift
            rhs += shift
        times = draw(st.sampled_from([1, 1, 1, 2, -1]))
        sense = draw(st.sampled_from(["==", "<=", "<="]))
        rows.append(((times * row).tolist(), sense, times * rhs))
    return rows


def feasible(variables: Variables, rows: list[tuple[object, str, object]], labels: IntArray) -> list[bool]:
    """Which labels obey all the rows."""
    return RuleSet.of(variables, rows).obeyed_by(labels).tolist()
