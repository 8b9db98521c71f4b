"""Repairs of damaged rows: `check` accepts every one that is offered, and none changes more cells than the damage."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import unwritten
from unwritten.samples import SampleName, sample_rows


@cache
def model_of(name: SampleName) -> unwritten.Model:
    return unwritten.mine(sample_rows(name))


def damaged(name: SampleName, cells: int, seed: int) -> dict[str, Any]:
    """A row of which some cells hold the values of other rows."""
    rows, rng = sample_rows(name), np.random.default_rng([seed, cells])
    row = dict(rows[int(rng.integers(len(rows)))])
    for column in rng.choice(list(row), cells, replace=False).tolist():
        row[column] = rows[int(rng.integers(len(rows)))][column]
    return row


@pytest.mark.parametrize("name", ["orders", "shifts", "sensors"])
@pytest.mark.parametrize("cells", [1, 2, 3, 4])
def test_every_repair_repairs(name: SampleName, cells: int) -> None:
    """A damaged row gets repairs if it is wrong; each of them is accepted and changes as few cells as were damaged."""
    model = model_of(name)
    for seed in range(4):
        row = damaged(name, cells, seed)
        explained = model.explain(row)
        assert explained.feasible == bool(model.check([row]).feasible[0])
        assert explained.feasible or explained.repairs or explained.notes
        for repair in explained.repairs:
            repaired = row | {change.column: change.new for change in repair.changes}
            assert model.check([repaired]).feasible[0], (row, repair)
            assert len(repair.changes) <= cells


def test_a_row_that_breaks_two_kinds_of_rules_is_repaired_for_both() -> None:
    """A broken dependency between values and a broken order of dates need two changes, and get them."""
    model = model_of("orders")
    row = next(r for r in sample_rows("orders") if r["country"] == "DE" and r["delivered_at"])
    wrong = row | {"currency": "USD", "shipped_at": "2031-01-01"}
    explained = model.explain(wrong)
    assert {change.column for change in explained.repairs[0].changes} == {"currency", "shipped_at"}
    repaired = wrong | {change.column: change.new for change in explained.repairs[0].changes}
    assert model.check([repaired]).feasible.all()


@pytest.mark.parametrize("kind", ["records", "pandas", "polars"])
def test_a_table_is_repaired(kind: str) -> None:
    """All wrong rows of a frame are repaired, and the others stay as they are."""
    model, rows = model_of("orders"), [dict(row) for row in sample_rows("orders")[:200]]
    for place in range(0, 200, 20):
        rows[place] |= {"gross": "1.00", "currency": "XYZ"}
    given: Any = rows if kind == "records" else pytest.importorskip(kind).DataFrame(rows)
    repaired = model.repair(given)
    assert set(repaired.changes) == set(range(0, 200, 20)) and repaired.left == ()
    assert model.check(repaired.frame).feasible.all()
    assert {change.column for change in repaired.changes[20]} == {"gross", "currency"}
    assert len(repaired.to_frame()) == sum(map(len, repaired.changes.values()))


def test_what_other_rows_make_wrong_is_left() -> None:
    """A second row with the same key is not changed, because nobody knows which of the two is right."""
    model, rows = model_of("orders"), sample_rows("orders")
    repaired = model.repair([rows[0], rows[1], rows[0]])
    assert (repaired.changes, repaired.left) == ({}, (2,))
    with pytest.raises(unwritten.errors.DataError, match="mined from labels"):
        unwritten.mine([[1, 0], [0, 1]] * 20).repair([{"y0": 1, "y1": 1}])
