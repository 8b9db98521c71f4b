"""Rows over one-hot blocks: every shift keeps the meaning, and each does what it is for."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.rule_tables import every_row, row_lists, schemas
from unwritten.data import IntArray, Variables
from unwritten.rules import RuleSet
from unwritten.rules.columns.one_hot_rows import commonest, level_values, with_fewest_entries, with_least_zero
from unwritten.rules.columns.scope import Scope
from unwritten.tables.column import Column
from unwritten.tables.schema import Schema

CAR = Schema(
    (
        Column("trim", "category", ("base", "sport", "lux")),
        Column("roof", "boolean", ("no", "yes")),
        Column("cargo", "integer", (), "integer", 0, 9),
    )
)
SCOPE = Scope.of(CAR.variables + Variables.named(["latent"]), CAR)


def test_level_values_by_hand() -> None:
    """Levels of one-hot columns in order, booleans as two levels, integers as factors; untouched columns are absent."""
    assert level_values(np.array([0, 2, -1, 3, 4, 5]), SCOPE) == ({0: [0, 2, -1], 1: [0, 3], 3: [0, 5]}, {2: 4})
    assert level_values(np.zeros(6, np.int64), SCOPE) == ({}, {})


@settings(deadline=None)
@given(st.data())
def test_level_values_add_up_to_the_row(data: st.DataObject) -> None:
    """Summing what the columns of a row of a table add gives the product of its label and the coefficients."""
    schema = data.draw(schemas())
    scope = Scope.of(schema.variables, schema)
    coefficients = np.array(data.draw(row_lists(schema))[0][0])
    levels, factors = level_values(coefficients, scope)
    for label in every_row(schema):
        total = 0
        for c, values in levels.items():
            part = label[scope.starts[c] : scope.starts[c] + scope.columns[c].width]
            total += values[int(part.argmax()) if scope.columns[c].one_hot else int(part[0])]
        total += sum(factor * int(label[scope.starts[c]]) for c, factor in factors.items())
        assert total == int(label @ coefficients)


@given(st.lists(st.integers(-9, 9), min_size=1))
def test_least_zero(values: list[int]) -> None:
    """The least value becomes 0 and all differences stay."""
    shifted, least = with_least_zero(values)
    assert min(shifted) == 0
    assert [value + least for value in shifted] == values


@given(st.lists(st.integers(-2, 2), min_size=1))
def test_commonest(values: list[int]) -> None:
    """No value is more frequent; of equally frequent ones 0 goes first, then the least."""
    chosen = commonest(values)
    most = max(values.count(value) for value in values)
    equals = {value for value in values if values.count(value) == most}
    assert chosen == (0 if 0 in equals else min(equals))


def entries(row: IntArray) -> int:
    """The number of coefficients of a row `[a, −b]`."""
    return int(np.count_nonzero(row[:-1]))


@settings(deadline=None)
@given(st.data())
def test_fewest_entries(data: st.DataObject) -> None:
    """Equalities mean the same with no more coefficients than before, or than after any other shift of one block."""
    schema = data.draw(schemas())
    rules = RuleSet.of(schema.variables, [(a, "==", b) for a, _, b in data.draw(row_lists(schema))])[:1]
    (short,) = with_fewest_entries(rules.rows, schema.blocks) if schema.blocks else rules.rows
    again = RuleSet.of_rows(schema.variables, short[None], "mined", None)
    labels = every_row(schema)
    assert again.obeyed_by(labels).tolist() == rules.obeyed_by(labels).tolist()
    assert entries(short) <= entries(rules.rows[0])
    for block in schema.blocks:
        for value in set(short[block].tolist()):
            other = short.copy()
            other[block] -= value
            assert entries(short) <= entries(other)


def test_rows_without_blocks_stay_as_they_are() -> None:
    """Without one-hot columns, or without rows, there is nothing to take off."""
    rows = np.array([[2, 2, -2]])
    assert with_fewest_entries(rows, ()) is rows
    assert with_fewest_entries(rows[:0], (np.array([0, 1]),)).shape == (0, 3)
