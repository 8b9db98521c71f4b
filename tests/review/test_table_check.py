"""The whole outcome of checking a table: the same findings as the stream, by row and as a frame."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from unwritten.errors import DataError
from unwritten.review import Findings, TableCheck, check_table
from unwritten.tables import Table

RIGHT = {"trim": ["base", "sport", "base", "sport"], "roof": ["no", "yes", "no", "yes"], "seats": [4, 2, 5, 3]}
NEW = {"trim": ["base", "sport", "lux", "base"], "roof": ["no", "no", "no", "no"], "seats": [4, 2, 5, 7]}


@pytest.fixture(scope="module")
def model() -> unwritten.Model:
    table = pa.table({name: values * 60 for name, values in RIGHT.items()})
    return unwritten.mine(Table.of(table, types={"seats": "integer"}))


@pytest.fixture(scope="module")
def checked(model: unwritten.Model) -> TableCheck:
    return check_table(model, pa.table(NEW))


def test_a_table_without_errors(model: unwritten.Model) -> None:
    """Every row is feasible, and nothing is listed."""
    outcome = check_table(model, pa.table(RIGHT))
    assert outcome.feasible.tolist() == [True] * 4
    assert (len(outcome), outcome.rows, outcome.findings) == (4, 4, ())
    assert repr(outcome) == "TableCheck(0 of 4 rows are wrong)"
    assert outcome.to_frame().num_rows == 0
    assert "<table" not in outcome._repr_html_()


def test_rows_count_from_zero_and_findings_from_one(checked: TableCheck) -> None:
    """Row 1 breaks the rule, row 2 holds an unknown value; the last entry can be asked for as -1."""
    assert checked.feasible.tolist() == [True, False, False, True]
    assert [finding.row for finding in checked.findings] == [2, 3]
    assert [sentence.text for sentence in checked.broken(1)] == ["trim = sport exactly when roof = yes"]
    assert checked.broken(-3) == checked.broken(1)
    assert checked.broken(0) == checked.broken(2) == ()
    assert [(ok, len(broken)) for ok, broken in checked] == [(True, 0), (False, 1), (False, 0), (True, 0)]
    for place in (4, -5):
        with pytest.raises(IndexError):
            checked.broken(place)


def test_new_values_are_wrong_only_where_none_are_to_be_expected() -> None:
    """A third trim is an alarm after 600 rows of two; a new colour is a remark, since many colours came once."""
    rng = np.random.default_rng(0)
    colours = [f"{'red' if k % 2 else 'light blue'} {k:x}" for k in rng.zipf(1.6, 600).clip(max=400).tolist()]
    model = unwritten.mine(pa.table({"trim": rng.choice(["base", "sport"], 600), "colour": colours}))
    outcome = check_table(model, pa.table({"trim": ["base", "lux"], "colour": ["mauve", "red 1"]}))
    assert outcome.feasible.tolist() == [True, False]
    assert outcome.findings[0].texts == ("trim = lux was never seen",)
    assert "new value of colour, as was to be expected" in outcome.summary()


def test_strict_counts_integers_outside_the_range(model: unwritten.Model, checked: TableCheck) -> None:
    """7 seats were never seen: mentioned in the summary, and wrong only if checking is strict."""
    assert "1 row has an integer outside the range seen" in checked.summary()
    strict = check_table(model, pa.table(NEW), strict=True)
    assert strict.feasible.tolist() == [True, False, False, False]
    assert strict.findings[-1].texts == ("seats = 7 is outside the range seen",)


def test_the_summary_is_that_of_the_findings(model: unwritten.Model, checked: TableCheck) -> None:
    """The summary of the check equals that of the findings."""
    findings = Findings(model, pa.table(NEW))
    assert tuple(findings) == checked.findings
    assert str(checked) == checked.summary() == findings.summary()
    assert repr(checked) == "TableCheck(2 of 4 rows are wrong)"
    assert repr(findings) == "Findings(2 of 4 rows read are wrong)"
    assert repr(checked.findings[1]) == "Finding(row 3: trim = lux was never seen)"


def test_the_frame_has_one_line_per_problem(checked: TableCheck) -> None:
    """A broken rule has its id in the frame; an unknown value has no id."""
    sentence = checked.broken(1)[0]
    assert checked.to_frame().to_pylist() == [
        {"row": 2, "id": sentence.id, "problem": sentence.text},
        {"row": 3, "id": None, "problem": "trim = lux was never seen"},
    ]


def test_html_shows_the_first_findings_as_text(model: unwritten.Model) -> None:
    """The HTML shows at most 20 rows, and a value of the table is never markup."""
    table = pa.table({"trim": ["<b>"] * 30, "roof": ["no"] * 30, "seats": [4] * 30})
    page = check_table(model, table)._repr_html_()
    assert "The first 20 of 30 wrong rows" in page
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_labels_are_checked_by_the_model() -> None:
    """A model of labels checks labels, because it has no table."""
    with pytest.raises(DataError, match=r"use model.check\(labels\)"):
        check_table(unwritten.mine([[1, 0], [0, 1]] * 3), pa.table(NEW))
