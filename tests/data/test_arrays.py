"""Labels and weights from users: every container is read alike, and unusable data are refused with the cure."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from unwritten.data import floats, integers, labels_from, weights_from
from unwritten.errors import DataError, UnwrittenError

LABELS = np.array([[1, 0, 2], [0, 1, 2], [1, 1, 0], [0, 0, 1]])
NAMES = ["a", "b", "c"]
NUMBERS = ["b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "e", "f", "d", "g"]  # all integers and floats of numpy

CONTAINERS: dict[str, Callable[[np.ndarray], Any]] = {
    "numpy": np.array,
    "numpy, column by column": np.asfortranarray,
    "numpy, a strided view": lambda y: np.repeat(np.repeat(y, 2, axis=0), 2, axis=1)[::2, ::2],
    "numpy, reversed strides": lambda y: np.array(y[::-1, ::-1])[::-1, ::-1],
    "numpy, big-endian": lambda y: y.astype(">i8"),
    "numpy, objects": lambda y: y.astype(object),
    "numpy, a matrix": np.asmatrix,
    "lists": lambda y: y.tolist(),
    "tuples": lambda y: tuple(map(tuple, y.tolist())),
    "a list of arrays": list,
    "csr_matrix": sparse.csr_matrix,
    "csr_array": sparse.csr_array,
    "csc_matrix": sparse.csc_matrix,
    "coo_array": sparse.coo_array,
    "dok_array": sparse.dok_array,
    "pandas": lambda y: pd.DataFrame(y, columns=NAMES),
    "pandas, numbered columns": pd.DataFrame,
    "pandas, odd index": lambda y: pd.DataFrame(y, columns=NAMES, index=[7, 7, 3, 1]),
    "pandas, nullable": lambda y: pd.DataFrame(y, columns=NAMES, dtype="Int64"),
    "pandas, mixed types": lambda y: pd.DataFrame(y, columns=NAMES).astype({"a": bool, "b": "uint8", "c": float}),
    "polars": lambda y: pl.DataFrame(y, schema=NAMES),
    "polars, lazy": lambda y: pl.LazyFrame(y, schema=NAMES),
    "polars, mixed types": lambda y: pl.DataFrame(y, schema={"a": pl.Int8, "b": pl.UInt64, "c": pl.Float32}),
    "pyarrow": lambda y: pa.table(dict(zip(NAMES, y.T, strict=True))),
    "pyarrow, in chunks": lambda y: pa.concat_tables(
        [pa.table(dict(zip(NAMES, part.T, strict=True))) for part in (y[:1], y[1:])]
    ),
}


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_gives_the_same_labels_and_weights(container: str) -> None:
    """Arrays, lists, sparse matrices and data frames with the same content give the same plain row-major arrays."""
    source = CONTAINERS[container](LABELS)
    labels, names = labels_from(source)
    weights = weights_from(source, 3)
    for array, dtype in ((labels, np.int64), (weights, np.float64)):
        assert type(array) is np.ndarray
        assert array.dtype == dtype
        assert array.flags.c_contiguous
        assert array.tolist() == LABELS.tolist()
    named = container.startswith(("pandas", "polars", "pyarrow"))
    assert names == ((["0", "1", "2"] if "numbered" in container else NAMES) if named else None)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_every_number_type_of_numpy(dtype: str) -> None:
    """Labels and weights may be any integer or float type, without a warning."""
    source = LABELS.astype(dtype)
    assert labels_from(source)[0].tolist() == LABELS.tolist()
    assert weights_from(source, 3).tolist() == LABELS.tolist()


def test_bools_are_zeros_and_ones() -> None:
    """Booleans in arrays, lists and frames are read as 0 and 1."""
    flags = LABELS > 0
    for source in (flags, flags.tolist(), pl.DataFrame(flags, schema=NAMES), sparse.csr_array(flags)):
        assert labels_from(source)[0].tolist() == flags.astype(int).tolist()


@pytest.mark.parametrize("container", ["numpy", "numpy, column by column", "numpy, objects", "pandas", "csr_array"])
@pytest.mark.parametrize("read", [lambda x: labels_from(x)[0], lambda x: weights_from(x, 3)])
def test_the_result_is_a_copy(container: str, read: Callable[[Any], np.ndarray]) -> None:
    """Writing into the result never changes the user's data, even if its type needed no conversion."""
    source = CONTAINERS[container](LABELS)
    for given in (source, source.astype(float) if container == "numpy" else source):
        read(given)[:] = 99
        assert read(given).tolist() == LABELS.tolist()


def test_the_largest_labels_are_accepted() -> None:
    """The largest and the smallest possible label are accepted, from every type that can hold them."""
    edge = 2**31 - 1
    for source in ([[edge, -edge]], np.array([[edge, -edge]], np.int32), np.array([[edge, -edge]], object)):
        assert labels_from(source)[0].tolist() == [[edge, -edge]]
    assert labels_from(np.array([[edge]], np.uint64))[0].tolist() == [[edge]]
    assert labels_from(np.array([[float(edge)]]))[0].tolist() == [[edge]]


Row = tuple[Any, str]

BAD_TABLES: dict[str, Row] = {
    # what it is: (the input, part of the message that names the trouble and the cure)
    "nothing": (None, "are missing: give an array, a sparse matrix or a data frame"),
    "a number": (5, "are of type int: give a numpy array"),
    "a string": ("abc", "are of type str: give a numpy array"),
    "a dictionary": ({"a": [1, 0]}, "are of type dict: give a numpy array"),
    "a set": ({1, 2}, "are of type set: give a numpy array"),
    "an iterator": (iter([[1, 0]]), "are of type list_iterator: give a numpy array"),
    "an object": (object(), "are of type object: give a numpy array"),
    "no rows": ([], "are empty: give at least one example"),
    "no columns": ([[], []], "have no columns: give at least one variable"),
    "no columns, array": (np.zeros((3, 0)), "have no columns: give at least one variable"),
    "no columns, frame": (pl.DataFrame(), "have no columns: give at least one variable"),
    "a scalar array": (np.array(3), r"have 0 dimensions \(shape \(\)\): give a table"),
    "one row as a vector": ([1, 0, 1], r"have 1 dimension .* use row.reshape\(1, -1\)"),
    "a series": (pd.Series([1, 0, 1]), r"have 1 dimension .* use row.reshape\(1, -1\)"),
    "a list of records": ([{"a": 1}], "have 1 dimension .*: give a table"),
    "three dimensions": (np.zeros((2, 2, 2)), r"have 3 dimensions \(shape \(2, 2, 2\)\): give a table"),
    "ragged rows": ([[1, 0], [1]], "rows of different lengths: give every row the same columns"),
    "ragged entries": ([[1, [2, 3]], [1, 2]], "rows of different lengths: give every row the same columns"),
    "a masked array": (np.ma.array([[1, 0]], mask=[[0, 1]]), r"masked array: fill .* \.filled\(0\)"),
    "masked rows": ([np.ma.array([1, 0], mask=[0, 1])], r"masked array: fill .* \.filled\(0\)"),
    "NaN": ([[1, 0], [1, np.nan]], "hold nan at row 1, column 1: replace or drop missing"),
    "infinity": ([[1, 0], [-np.inf, 1]], "hold -inf at row 1, column 0: replace or drop missing"),
    "NaN among objects": (np.array([[1, np.nan]], object), "hold nan at row 0, column 1: replace or drop"),
    "NaN in a frame": (pl.DataFrame({"a": [1.0], "b": [np.nan]}), "hold nan at row 0, column b: replace or drop"),
    "missing in pandas": (pd.DataFrame({"a": [1, None]}), "missing values in column 'a': fill or drop them"),
    "missing in nullable pandas": (
        pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}),
        "missing values in column 'a': fill or drop them",
    ),
    "missing in polars": (pl.DataFrame({"a": [1, None]}), "missing values in column 'a': fill or drop them"),
    "missing in pyarrow": (pa.table({"a": [1, None]}), "missing values in column 'a': fill or drop them"),
    "text in a frame": (pd.DataFrame({"a": [1], "b": ["x"]}), "text or dates in column 'b': encode it as integers"),
    "categories in a frame": (
        pd.DataFrame({"a": pd.Categorical(["x", "y"])}),
        "text or dates in column 'a': encode it as integers",
    ),
    "dates in a frame": (
        pl.DataFrame({"a": ["2020-01-01"]}).select(pl.col("a").str.to_date()),
        "text or dates in column 'a': encode it as integers",
    ),
    "two columns of one name, pandas": (
        pd.DataFrame([[1, 0]], columns=["a", "a"]),
        "two columns of one name: rename one of them",
    ),
    "two columns of one name, pyarrow": (
        pa.table([[1], [0]], names=["a", "a"]),
        "two columns of one name: rename one of them",
    ),
}

BAD_LABELS: dict[str, Row] = {
    "a fraction": ([[1, 0.5]], "hold 0.5 at row 0, column 1: round, bin or rescale it to integers"),
    "a fraction in a frame": (pd.DataFrame({"a": [1, 0.25]}), "hold 0.25 at row 1, column a: round, bin or rescale"),
    "text": ([["a", "b"]], "hold text: encode categories and fill missing values as integers, or give a data frame"),
    "text among numbers": ([[1, "b"]], "hold text: encode categories"),
    "None among numbers": ([[1, None]], "hold None at row 0, column 1: encode categories and fill missing values"),
    "decimals": ([[Decimal(1), 2]], "hold 1 at row 0, column 0: encode"),
    "complex numbers": ([[1j, 0]], "hold complex numbers: encode"),
    "dates": (np.array([["2020-01-01"]], "M8[D]"), "hold dates: encode"),
    "one above the limit": ([[2**31, 0]], r"hold 2147483648 at row 0, column 0: rescale it or give it a code"),
    "one below the limit": ([[-(2**31), 0]], r"hold -2147483648 .* \(values go up to 2147483647\)"),
    "beyond 63 bits": (np.array([[2**63]], np.uint64), "hold 9223372036854775808 at row 0, column 0: rescale"),
    "beyond 64 bits": ([[2**70, 0]], "hold 1180591620717411303424 at row 0, column 0: rescale"),
    "a large float": ([[1e300, 0]], r"hold 1e\+300 at row 0, column 0: rescale"),
    "beyond floats, with a fraction": ([[10**400, 0.5]], "integers too large for a float: rescale"),
}

BAD_WEIGHTS: dict[str, Row] = {
    "text": ([["a", "b"]], "hold text: give plain numbers"),
    "None among numbers": ([[1.5, None]], "hold None at row 0, column 1: give plain numbers"),
    "complex numbers": ([[1j, 0]], "hold complex numbers: give plain numbers"),
    "too few columns": ([[1.0]], "have 1 columns but there are 2 variables: give one weight per variable"),
    "too many columns": ([[1.0, 2.0, 3.0]], "have 3 columns but there are 2 variables: give one weight per variable"),
    "sums would overflow": ([[1.0, -1e308]], r"hold -1e\+308 at row 0, column 1: rescale it"),
    "beyond floats": ([[10**400, 1]], "integers too large for a float: rescale"),
}


def refuses(call: Callable[[], object], cure: str) -> None:
    """The call raises a DataError, which is also a ValueError, with this message."""
    with pytest.raises(DataError, match=cure) as raised:
        call()
    assert isinstance(raised.value, UnwrittenError)
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize("case", [*BAD_TABLES, *BAD_LABELS])
def test_bad_labels(case: str) -> None:
    """Labels that cannot be used are refused with a message that names the place and the cure."""
    source, cure = (BAD_TABLES | BAD_LABELS)[case]
    refuses(lambda: labels_from(source), f"labels .*{cure}")


@pytest.mark.parametrize("case", [*BAD_TABLES, *BAD_WEIGHTS])
def test_bad_weights(case: str) -> None:
    """Weights that cannot be used (for two variables here) are refused in the same way."""
    source, cure = (BAD_TABLES | BAD_WEIGHTS)[case]
    refuses(lambda: weights_from(source, 2), f"weights .*{cure}")


def test_named_columns_in_another_order_are_refused() -> None:
    """A frame with the right columns in another order is refused; a frame with other names is read by position."""
    frame = pd.DataFrame([[1, 0, 0]], columns=["b", "a", "c"])
    refuses(lambda: labels_from(frame, order=NAMES), "right columns in another order: give them as a, b, c")
    refuses(lambda: weights_from(frame, 3, order=NAMES), "right columns in another order: give them as a, b, c")
    assert labels_from(frame, order=["x", "y", "z"])[0].tolist() == [[1, 0, 0]]
    assert weights_from(frame[NAMES], 3, order=NAMES).tolist() == [[0, 1, 0]]
    assert labels_from(frame.to_numpy(), order=NAMES)[0].tolist() == [[1, 0, 0]]


@pytest.mark.parametrize(
    ("source", "cure"),
    [
        (0.5, "bounds hold 0.5: round"),  # no place: there is only one number
        ([1, 0.5], "bounds hold 0.5 at position 1: round"),
        ([1, [2]], "bounds are nested unevenly: give plain numbers"),
        (None, "bounds hold None: encode"),
        ("x", "bounds hold text: encode"),
        (np.nan, "bounds hold nan: replace or drop"),
        (2**40, "bounds hold 1099511627776: rescale"),
    ],
)
def test_integers_of_any_shape(source: object, cure: str) -> None:
    """Single numbers and vectors are checked in the same way as tables."""
    refuses(lambda: integers(source, "bounds"), cure)


def test_floats_of_any_shape() -> None:
    """A number, a vector and Python integers of any size below the limit become floats."""
    assert floats(2, "slack").tolist() == 2.0
    assert floats([True, 0.5], "slack").tolist() == [1.0, 0.5]
    assert floats(np.array([2**70, 1], object), "slack").tolist() == [2.0**70, 1.0]
