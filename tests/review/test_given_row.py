"""The row to explain may be given in many ways; each is the same row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import unwritten
from unwritten.errors import DataError
from unwritten.review import explain
from unwritten.tables import Table

ROW: dict[str, Any] = {"trim": "sport", "roof": "no", "doors": 3}
WAYS = {
    "mapping": lambda: ROW,
    "pandas Series": lambda: pd.Series(ROW),
    "row of a pandas frame": lambda: pd.DataFrame([ROW, ROW]).iloc[1],
    "pandas frame": lambda: pd.DataFrame([ROW]),
    "polars frame": lambda: pl.DataFrame([ROW]),
    "lazy polars frame": lambda: pl.LazyFrame([ROW]),
    "pyarrow table": lambda: pa.Table.from_pylist([ROW]),
}
LABELS = {
    "list": lambda: [1, 1, 0],
    "tuple": lambda: (1, 1, 0),
    "array": lambda: np.array([1, 1, 0]),
    "pandas Series": lambda: pd.Series([1, 1, 0]),
    "named pandas Series": lambda: pd.Series([0, 1, 1], index=["blue", "green", "red"]),
    "polars Series": lambda: pl.Series([1, 1, 0]),
    "frame": lambda: pd.DataFrame({"red": [True], "green": [True], "blue": [False]}),
    "mapping": lambda: {"red": 1, "green": np.int8(1), "blue": 0},
}


@pytest.fixture(scope="module")
def cars() -> unwritten.Model:
    table = {"trim": ["base", "sport"] * 60, "roof": ["no", "yes"] * 60, "doors": [3, 5, 5, 3] * 30}
    return unwritten.mine(Table.of(pa.table(table)))


@pytest.fixture(scope="module")
def colours() -> unwritten.Model:
    return unwritten.mine([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 60, names=["red", "green", "blue"])


@pytest.mark.parametrize("way", WAYS)
def test_one_row_of_a_table(cars: unwritten.Model, way: str) -> None:
    """The explanation does not depend on how the row is given."""
    assert explain(cars, WAYS[way]()) == explain(cars, ROW)


@pytest.mark.parametrize("way", LABELS)
def test_one_label(colours: unwritten.Model, way: str) -> None:
    """A label can be given as numbers in the order of the variables, or by name."""
    assert explain(colours, LABELS[way]()) == explain(colours, [1, 1, 0])


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT])
def test_missing_values_of_pandas(cars: unwritten.Model, missing: Any) -> None:
    """All missing values of pandas mean an empty cell."""
    assert explain(cars, pd.Series(ROW | {"roof": missing}, dtype=object)).unknown == (("roof", None),)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (pd.DataFrame([ROW, ROW]), r"has 2 rows: give one row, such as frame\[:1\]"),
        (pd.DataFrame([["sport", "no", 3]], columns=["trim", "trim", "doors"]), "two columns of one name: rename one"),
        (pa.Table.from_pylist([ROW])[:0], "has 0 rows: give one row"),
        (pl.Series(["sport", "no", "3"]), "a Series indexed by column"),  # a polars Series has no index
        (pd.Series(["sport", "no", "3"]), "lacks the columns 'trim'"),
    ],
)
def test_what_is_not_one_row(cars: unwritten.Model, row: object, words: str) -> None:
    """A row that is not one row is refused with one sentence and the cure."""
    with pytest.raises(DataError, match=words):
        explain(cars, row)


def test_column_names_that_are_numbers() -> None:
    """Column names that are numbers are read as text, as in a table."""
    frame = pd.DataFrame([["a", "x"], ["b", "y"]] * 60)
    model = unwritten.mine(Table.of(frame))
    for row in (frame[:1], frame.iloc[0]):
        assert explain(model, row).feasible


def test_how_an_explanation_is_shown(cars: unwritten.Model) -> None:
    """An explanation has a short repr, and HTML in which no value is markup."""
    wrong = explain(cars, ROW)
    assert repr(wrong).startswith("Explanation(1 broken rule; repair: ")
    assert repr(explain(cars, ROW | {"trim": "base"})) == "Explanation(the row obeys every rule)"
    assert str(wrong.repairs[0].changes[0]) in ("trim: sport → base", "roof: no → yes")
    assert repr(wrong.repairs[0]) == f"Repair({wrong.repairs[0]})"
    assert wrong._repr_html_().count("<table") == 2
    page = explain(cars, ROW | {"trim": "<b>"})._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
