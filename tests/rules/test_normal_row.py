"""The normal form of a row: one form for all rows with the same meaning modulo one-hot blocks."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.rule_tables import every_row, row_lists, schemas
from unwritten.rules import RuleSet
from unwritten.rules.columns.normal_row import NormalRow, normal_row
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


def normal(schema: Schema, row: tuple[list[int], str, int]) -> NormalRow:
    """The normal form of a triple."""
    coefficients, sense, rhs = row
    return normal_row(np.array(coefficients, np.int64), sense == "==", rhs, Scope.of(schema.variables, schema))


@settings(deadline=None)
@given(st.data())
def test_the_normal_form_does_not_depend_on_the_writing(data: st.DataObject) -> None:
    """Multiples of a block's own row, a common factor and (for equalities) the sign leave the normal form the same."""
    schema = data.draw(schemas())
    labels = every_row(schema)
    coefficients, sense, rhs = data.draw(row_lists(schema))[0]
    other = np.array(coefficients, np.int64)
    other_rhs = rhs
    for block in schema.blocks:
        shift = data.draw(st.integers(-3, 3))
        other[block] += shift
        other_rhs += shift
    factor = data.draw(st.sampled_from([1, 2, 3] if sense == "<=" else [1, 2, -1, -3]))
    before, after = (
        normal(schema, row)
        for row in ((coefficients, sense, rhs), ((factor * other).tolist(), sense, factor * other_rhs))
    )
    if before.always_holds or not RuleSet.of(schema.variables, [(coefficients, sense, rhs)]).obeyed_by(labels).any():
        assert after.always_holds == before.always_holds  # such rows have no normal form
    else:
        assert after == before


def test_normal_forms_by_hand() -> None:
    """Rows that always hold are known, and forbidden levels become 0/1 entries."""
    assert normal(CAR, ([1, 1, 1, 0, 0], "<=", 1)).always_holds
    assert not normal(CAR, ([0, 0, 0, 0, 1], "<=", 99)).always_holds
    assert normal(CAR, ([0, 5, 7, 0, 0], "<=", 4)) == NormalRow(((0, (0, 1, 1)),), (), False, 0)
    assert normal(CAR, ([0, 2, 0, 2, 0], "<=", 3)).literals == (((0, (1,)), (1, (1,))), 1)
    assert normal(CAR, ([0, 0, 0, 0, -2], "==", -6)) == NormalRow((), ((2, 1),), True, 3)
