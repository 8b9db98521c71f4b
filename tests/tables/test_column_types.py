"""Kinds of columns, by inspection or as asked for, and the encoding of values as variables and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unwritten.errors import DataError, FormatError
from unwritten.tables import Column, Schema, Table
from unwritten.tables.cell_texts import texts_of
from unwritten.tables.quoting import quoted, shown

N = 40
EACH = list(range(N))


@pytest.mark.parametrize(
    ("values", "kind", "levels"),
    [
        (["b", "a"] * 20, "category", ("a", "b")),
        (["b", None] * 20, "category", ("b", None)),
        ([10, 9] * 20, "category", ("9", "10")),
        ([0, 1] * 20, "boolean", ("0", "1")),
        ([1, 1] * 20, "category", ("1",)),
        ([0, None] * 20, "category", ("0", None)),
        ([True, False] * 20, "boolean", ("false", "true")),
        (["yes", "no"] * 20, "boolean", ("no", "yes")),
        (["Y", "N"] * 20, "boolean", ("N", "Y")),
        (["007", "7"] * 20, "category", ("007", "7")),
        ([k * k for k in EACH], "integer", ()),
        ([-5, *[k * k for k in EACH[1:]]], "integer", ()),
        (EACH, "skip", ()),
        ([f"id{k}" for k in EACH], "skip", ()),
        ([f"id{k % 18}" for k in EACH], "category", None),
        ([f"id{k % 30}" for k in EACH], "skip", ()),  # half of the rows have a value of their own
        ([f"{k % 3}.0" for k in EACH], "category", ("0", "1", "2")),
        ([None if k == 3 else k * k for k in EACH], "skip", ()),
        ([f"2024-01-{1 + k % 9:02}" for k in EACH], "category", None),
        ([f"2024-{1 + k // 28:02}-{1 + k % 28:02}" for k in EACH], "skip", ()),
        ([0.5 * k for k in EACH], "skip", ()),
        ([float(k % 3) for k in EACH], "category", ("0", "1", "2")),
        ([None] * N, "skip", ()),
        ([2**40 + k % 2 for k in EACH], "category", (str(2**40), str(2**40 + 1))),
    ],
)
def test_kinds_by_inspection(values: list[Any], kind: str, levels: tuple[str, ...] | None) -> None:
    """Inspection gives each column the kind that a person would give it."""
    column = Table.of(pa.table({"x": values, "other": ["p", "q"] * 20})).schema["x"]
    assert column.kind == kind
    if levels is not None:
        assert column.levels == levels
    assert (column.reason != "") == (kind == "skip")


def test_bounds_of_integers() -> None:
    """An integer column has the observed range as bounds, whichever value comes first."""
    for values in ([0, *range(5, 90)], [*range(-90, -5), 0], [7, *range(-50, 50, 2)]):
        column = Table.of(pa.table({"x": values + values[:3]})).schema["x"]
        assert (column.kind, column.lower, column.upper) == ("integer", min(values), max(values))


def test_bins() -> None:
    """Bins have about equal sizes or given edges; every number falls into one, and missing is a level of its own."""
    numbers = [0.5, 1.5, 2.5, 3.5, None] * 8
    column = Table.of(pa.table({"x": numbers}), {"x": "bins:2"}).schema["x"]
    assert (column.kind, column.edges, column.levels) == ("bins", (2.5,), ("<2.5", "≥2.5", None))
    column = Table.of(pa.table({"x": numbers}), {"x": "bins:1|3"}).schema["x"]
    assert column.levels == ("<1", "1..3", "≥3", None)
    codes, unknown = column.codes(["-7", "1", "2.999", "3", "1e9", None, "x"], np.arange(7))
    assert codes.tolist()[:6] == [0, 1, 1, 2, 2, 3]
    assert unknown.tolist() == [False] * 6 + [True]


@pytest.mark.parametrize(
    ("types", "words"),
    [
        ({"nope": "skip"}, "which the table lacks"),
        ({"x": "colour"}, "is not a type of column"),
        ({"x": "category:3"}, "is not a type of column"),
        ({"x": "bins"}, "is not a type of column"),
        ({"x": "bins:1"}, "not a possible number of bins"),
        ({"x": "bins:a|b"}, "neither a number of bins nor a list of edges"),
        ({"x": "bins:1|inf"}, "not finite"),
        ({"t": "bins:3"}, "holds 'a', which is not a number and fits no bin"),
        ({"x": "boolean"}, "is not boolean"),
        ({"t": "integer"}, "values that are not integers"),
        ({"x": "skip", "t": "skip"}, "no column of the table is used"),
    ],
)
def test_bad_types(types: dict[str, str], words: str) -> None:
    """Types that do not exist or do not fit the column are refused with the cure."""
    with pytest.raises(DataError, match=words):
        Table.of(pa.table({"x": [1, 2, 3], "t": ["a", "b", "c"]}), types)


def test_columns_of_many_values_are_left_out_with_a_reason() -> None:
    """Many different values cost a column its variables, never the run; who asks for a category is told the cure."""
    many = [f"v{k % 10_000}" for k in range(20_000)]
    column = Table.of(pa.table({"x": many, "y": ["a", "b"] * 10_000})).schema["x"]
    assert (column.kind, column.role, column.reason) == ("skip", "text", "more than 1,000 different values")
    wide = Table.of(pa.table({"x": many, "y": ["a", "b"] * 10_000}), max_levels=20_000).schema
    assert [column.kind for column in wide.columns] == ["skip", "category"]
    assert "would make more than 5,000 variables" in wide["x"].reason
    with pytest.raises(
        DataError,
        match=r"'x' has more than 1,000 different values: leave it out with types={'x': 'skip'} \(--types x=skip",
    ):
        Table.of(pa.table({"x": many, "y": ["a", "b"] * 10_000}), {"x": "category"})
    with pytest.raises(DataError, match=r"columns 'x', 'y' have more .*--types x=skip,y=skip\), or allow more"):
        Table.of(pa.table({"x": many, "y": many}), {"x": "category", "y": "category"})


@pytest.mark.parametrize(
    ("values", "role", "scale"),
    [
        (["b", "a"] * 20, "category", 0),
        ([True, False] * 20, "boolean", 0),
        ([k * k for k in EACH], "integer", 0),
        ([None if k == 3 else k * k for k in EACH], "integer", 0),
        ([0.25 * k for k in EACH], "decimal", 2),
        ([f"{k}.50" for k in EACH], "decimal", 1),
        ([1 / (k + 3) for k in EACH], "float", 0),
        (EACH, "identifier", 0),
        ([f"id{k}" for k in EACH], "identifier", 0),
        ([f"row number {k}" for k in EACH], "text", 0),
        ([f"2024-{1 + k // 28:02}-{1 + k % 28:02}" for k in EACH], "date", 0),
        ([f"2024-01-01 {k % 24:02}:{k:02}:00" for k in EACH], "timestamp", 0),
        (["2024-02-31", "2024-01-01"] * 20, "category", 0),
        ([None] * N, "empty", 0),
    ],
)
def test_roles_by_inspection(values: list[Any], role: str, scale: int) -> None:
    """Every column has a role, whether or not it has variables, and a reason if it has none."""
    column = Table.of(pa.table({"x": values, "other": ["p", "q"] * 20})).schema["x"]
    assert (column.role, column.scale) == (role, scale)
    assert Column.restore(column.state()) == column


def test_roles_as_asked() -> None:
    """A person can name the role of a column, if its values can have it."""
    table = pa.table({"x": [1, 2, 3] * 9, "t": ["a", "b", "c"] * 9})
    columns = Table.of(table, {"x": "decimal", "t": "text"}).schema.columns
    assert [(c.kind, c.role) for c in columns] == [("skip", "decimal"), ("skip", "text")]
    with pytest.raises(DataError, match="values that are no date"):
        Table.of(table, {"t": "date"})


def test_missing_values_as_an_error() -> None:
    """With `missing="error"` the error names the column and the number of missing values."""
    with pytest.raises(DataError, match="column 'x' has 1 missing values"):
        Table.of(pa.table({"x": ["a", None]}), missing="error")
    with pytest.raises(DataError, match="missing is 'drop'"):
        Table.of(pa.table({"x": ["a", None]}), missing="drop")


cells = st.one_of(
    st.none(), st.text(max_size=4), st.integers(-3, 40).map(str), st.booleans().map(lambda b: str(b).lower())
)


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=30), st.sampled_from(["p", "a=b", 'q"', "requires", " "]))
def test_encoding_is_exact_and_reversible(rows: list[tuple[str | None, str | None]], name: str) -> None:
    """decode(encode(rows)) = rows, for every table of texts, and the schema survives its state."""
    if name == " ":
        name = "x y"
    frame = pa.table(
        {name: pa.array([a for a, _ in rows], pa.string()), "z": pa.array([b for _, b in rows], pa.string())}
    )
    try:
        schema = Table.of(frame).schema
    except DataError as error:
        assert "no column of the table is used" in str(error)
        return
    assert Schema.restore(schema.state()) == schema
    found = schema.encode(frame)
    assert not found.unknown.any()
    back = schema.decode(found.labels)
    for row, (a, b) in zip(back, rows, strict=True):
        for column, text in ((name, a), ("z", b)):
            if schema[column].width:
                value = row[column]
                assert (
                    str(value).lower() if isinstance(value, bool) else None if value is None else str(value)
                ) == text
    assert len(set(schema.variables.names)) == len(schema.variables)


def test_names_of_variables_never_meet() -> None:
    """Column `a` with value `b=c` and column `a=b` with value `c` have different variables."""
    table = Table.of(pa.table({"a": ["b=c", "x"], "a=b": ["c", "y"], "missing": ["missing", None]}))
    names = table.schema.variables.names
    assert len(set(names)) == len(names)
    assert '"a=b"=c' in names
    assert 'a="b=c"' in names
    assert '"missing"="missing"' in names
    assert '"missing"=missing' in names


def test_quoting() -> None:
    """Plain words need no quotes, and control characters are escaped before they reach a terminal."""
    assert [quoted(text) for text in ("v1", "-1", "2.5", "", "in", "a,b")] == ["v1", "-1", "2.5", '""', '"in"', '"a,b"']
    assert shown("a\x1b[31m\n") == "a\\x1b[31m\\n"


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "colour"},
        {"levels": ["a", "a"]},
        {"levels": [1]},
        {"edges": [2.0, 1.0]},
        {"lower": 2**40},
        {"dtype": "integer"},
        {"name": 5},
        {"more": 1},
    ],
)
def test_a_damaged_state_is_refused(change: dict[str, Any]) -> None:
    """The state of a column is checked when it is restored from a file."""
    state = Column("x", "category", ("a", "b")).state()
    with pytest.raises((DataError, FormatError), match="again"):
        Column.restore(state | change)


def test_texts_of_sliced_dictionaries() -> None:
    """Unused and repeated entries of an Arrow dictionary, and nulls in it or in the indices, are read correctly."""
    array = pa.DictionaryArray.from_arrays(pa.array([2, None, 0, 3, 1], pa.int8()), pa.array(["a", None, "b", "a"]))
    texts, index = texts_of(array, "x")
    assert [texts[k] for k in index] == ["b", None, "a", "a", None]
