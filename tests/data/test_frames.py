"""Frames in, frames out: every kind of data frame is recognised, read as a row, and returned as its own kind."""

from __future__ import annotations

import datetime
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import narwhals
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from unwritten.data import FrameLike, frame_like, holds_only_integers, is_frame, labels_from, row_mapping
from unwritten.errors import DataError

Columns = dict[str, list[Any]]

MAKERS: dict[str, Callable[[Columns], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars, lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "pyarrow, batch": lambda columns: pa.table(columns).to_batches()[0],
    "narwhals": lambda columns: narwhals.from_native(pl.DataFrame(columns)),
}

RESULT = np.array([[1, 0], [0, 1], [1, 1]])


def content(frame: Any) -> dict[str, list[Any]]:
    """The columns of any frame as lists."""
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pa.Table | pa.RecordBatch):
        return dict(frame.to_pydict())
    return {name: frame[name].to_list() for name in frame.columns}


@pytest.mark.parametrize("kind", MAKERS)
def test_frames_are_recognised(kind: str) -> None:
    """Every kind of data frame is recognised as a frame."""
    assert is_frame(MAKERS[kind]({"a": [1, 0], "b": [0, 1]}))


def test_a_frame_with_two_columns_of_one_name_is_a_frame() -> None:
    """A frame with two columns of one name is recognised, so that the error about it speaks of a frame."""
    twice = pd.DataFrame([[1, 0]], columns=["a", "a"])
    assert is_frame(twice)
    with pytest.raises(DataError, match="the data frame has two columns of one name: rename one of them"):
        holds_only_integers(twice)


@pytest.mark.parametrize(
    "source",
    [
        None, 5, "t.csv", [[1, 0]], ((1, 0),), {"a": [1]}, np.eye(2), sparse.csr_array(np.eye(2)), object(),
        pd.Series([1]), pl.Series([1]), pd.Index([1]), pa.array([1]),
    ],
    ids=lambda source: type(source).__name__,
)  # fmt: skip
def test_what_is_not_a_frame(source: object) -> None:
    """Arrays, lists, paths, series and other objects are not; results for them stay arrays."""
    assert not is_frame(source)
    assert not holds_only_integers(source)
    assert frame_like(source, ["a", "b"], RESULT) is RESULT


def test_nothing_is_imported_to_look_at_an_array() -> None:
    """Neither narwhals nor any library of frames is loaded for arrays, and no other library for a frame of one."""
    code = (
        "import sys, numpy as np; from unwritten.data import is_frame, frame_like, row_mapping\n"
        "is_frame(np.eye(2)), is_frame([[1]]), frame_like(np.eye(2), ['a'], np.eye(2)), row_mapping([1])\n"
        "assert not {'narwhals', 'pandas', 'polars', 'pyarrow'} & set(sys.modules)\n"
        "import polars; assert is_frame(polars.DataFrame({'a': [1]}))\n"
        "assert not {'pandas', 'pyarrow', 'dask'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.bool_])
def test_results_are_frames_of_the_same_kind(kind: str, dtype: type) -> None:
    """The array comes back under the given names, in the input's own kind of frame, whatever its type."""
    source = MAKERS[kind]({"x": [1, 2, 3]})
    result = frame_like(source, ["a", "b"], RESULT.astype(dtype))
    expected = pl.DataFrame if kind == "narwhals" else type(source)
    assert type(result) is expected
    assert content(result) == {"a": RESULT[:, 0].astype(dtype).tolist(), "b": RESULT[:, 1].astype(dtype).tolist()}


@pytest.mark.parametrize("kind", MAKERS)
def test_results_without_rows(kind: str) -> None:
    """No rows make an empty frame with the names."""
    assert content(frame_like(MAKERS[kind]({"x": [1]}), ["a", "b"], RESULT[:0])) == {"a": [], "b": []}


def test_a_pandas_index_is_kept() -> None:
    """Rows keep their index, duplicates and all; another number of rows gets a new one."""
    source = pd.DataFrame({"x": [1, 2, 3]}, index=pd.Index(["mon", "tue", "mon"], name="day"))
    like = FrameLike.of(source)
    assert like.frame(["a", "b"], RESULT).index.equals(source.index)
    assert like.frame(["a", "b"], RESULT).index.name == "day"
    assert like.frame(["a", "b"], RESULT[:2]).index.tolist() == [0, 1]
    assert like.frame(["value"], RESULT[:, 0])["value"].tolist() == [1, 0, 1]


def test_a_result_can_be_written_to() -> None:
    """The frame is a copy: it can be changed, and changing it does not reach the array."""
    array = RESULT.copy()
    array.setflags(write=False)
    frame = frame_like(pd.DataFrame({"x": [1, 2, 3]}), ["a", "b"], array)
    frame.loc[0, "a"] = 9
    assert array[0, 0] == 1


INTEGERS: dict[str, tuple[Any, bool]] = {
    "integers": ([1, 0], True),
    "booleans": ([True, False], True),
    "whole floats": ([1.0, -2.0], True),
    "fractions": ([1.0, 0.5], False),
    "infinity": ([1.0, float("inf")], False),
    "missing integers": ([1, None], False),
    "missing booleans": ([True, None], False),
    "text": (["a", "b"], False),
    "digits as text": (["1", "0"], False),
    "dates": ([datetime.date(2024, 1, 1)] * 2, False),
    "lists": ([[1], [2]], False),
}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("case", INTEGERS)
def test_frames_of_integers_can_be_read_as_labels(kind: str, case: str) -> None:
    """A frame holds only integers exactly when it can be read as labels."""
    values, expected = INTEGERS[case]
    frame = MAKERS[kind]({"a": [1, 0], "b": values})
    assert holds_only_integers(frame) is expected
    if expected:
        assert labels_from(frame)[0].tolist() == [[1, int(values[0])], [0, int(values[1])]]
    else:
        with pytest.raises(DataError):
            labels_from(frame)


def test_unsigned_nullable_and_categorical_columns() -> None:
    """Nullable integers without gaps are integers; categories of integers are not numbers."""
    assert holds_only_integers(pd.DataFrame({"a": pd.array([1, 0], "Int64"), "b": np.array([1, 0], np.uint8)}))
    assert not holds_only_integers(pd.DataFrame({"a": pd.array([1, None], "Int64")}))
    assert not holds_only_integers(pd.DataFrame({"a": pd.Categorical([1, 0])}))


ROW = {"n": 3, "share": 0.5, "name": "x", "on": True, "gap": None}


@pytest.mark.parametrize(
    "row",
    [
        ROW,
        {**ROW, "n": np.int64(3), "on": np.bool_(True), "gap": float("nan")},
        pd.Series(ROW),
        pd.DataFrame([ROW]),
        pd.DataFrame([ROW, ROW]).iloc[1],
        pl.DataFrame([ROW]),
        pl.DataFrame([ROW, ROW])[1:],
        pl.LazyFrame([ROW]),
        pa.Table.from_pylist([ROW]),
        pa.Table.from_pylist([ROW]).to_batches()[0],
    ],
    ids=["dict", "numpy values", "Series", "pandas", "iloc", "polars", "slice", "lazy", "pyarrow", "batch"],
)
def test_a_row_in_any_form_is_a_dict(row: object) -> None:
    """Mappings, series and frames of one row give plain values by column, with None for what is missing."""
    mapping = row_mapping(row)
    assert mapping == ROW
    assert mapping is not None
    assert {name: type(value) for name, value in mapping.items()} == {name: type(value) for name, value in ROW.items()}


def test_values_that_are_missing_or_dates() -> None:
    """NaT and NA are None; dates keep their value; names are text."""
    when = datetime.datetime(2024, 5, 1, 12)
    row = pd.Series({"a": pd.NaT, "b": pd.NA, "c": pd.Timestamp(when), 4: np.datetime64("2024-05-01T12", "ns")})
    assert row_mapping(row) == {"a": None, "b": None, "c": when, "4": when}


@pytest.mark.parametrize("row", [None, [1, 0], np.array([1, 0]), "a=1", 5, object(), pl.Series([1, 0])])
def test_what_has_no_column_names_is_not_a_row(row: object) -> None:
    """A row without column names gives None."""
    assert row_mapping(row) is None


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (pd.DataFrame([ROW, ROW]), "the data frame has 2 rows: give one row"),
        (pl.DataFrame([ROW])[:0], "the data frame has 0 rows: give one row"),
        (pd.Series([1, 2], ["a", "a"]), "two values for the column 'a': rename one of them"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "the row has two columns of one name: rename one of them"),
    ],
)
def test_bad_rows(row: object, words: str) -> None:
    """More or less than one row, and a column that is there twice, are refused with the cure."""
    with pytest.raises(DataError, match=words):
        row_mapping(row)
