"""Arrays in: numpy arrays, sparse matrices, lists and data frames become checked integer labels and float weights."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data.frames import eager_frame
from unwritten.data.labelled_data import column_names, flat_array, is_labelled_array
from unwritten.errors import DataError

IntArray = NDArray[np.int64]
"""64-bit integers: rules, bounds, counts, and most labels."""

LabelArray = NDArray[Any]
"""Labels: 64-bit integers, or int8 if there are very many 0/1 labels (`labels_from`).

The element type is `Any`, so that a function declared for `IntArray` takes labels of either width.
"""

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

AnyArray = TypeVar("AnyArray", bound=NDArray[Any])

KIND_NAMES = {"U": "text", "S": "text", "M": "dates", "m": "durations", "c": "complex numbers", "V": "records"}
REAL = int | float | np.integer | np.floating | np.bool_


def frozen(array: AnyArray) -> AnyArray:
    """Make the array read-only and return it."""
    array.setflags(write=False)
    return array


def labels_from(
    source: object, what: str = "labels", order: Sequence[str] | None = None
) -> tuple[LabelArray, list[str] | None]:
    """Return a copy of the source as integer labels (n × d), and its column names if it has any.

    Labels are 64-bit integers. Only very many 0/1 labels that already have one byte each (a sparse matrix is read so)
    stay at one byte, because eight times as much might not fit into memory. `what` names the source in messages, and
    `order` are the column names that the source must have, in this order, if it has names.
    """
    array, names = _matrix(source, what, order)
    is_bulky = (
        array.dtype.itemsize == 1
        and array.shape[1] >= budgets.BYTE_LABEL_COLUMNS
        and array.size > budgets.BYTE_LABEL_ENTRIES
    )
    if is_bulky and array.dtype.kind in "bui" and array.min() >= 0 and array.max() <= 1:
        return array.astype(np.int8, order="C"), names
    return integers(array, what, names), names


def weights_from(source: object, width: int, what: str = "weights", order: Sequence[str] | None = None) -> FloatArray:
    """Return a copy of the source as finite float weights (n × width)."""
    array, names = _matrix(source, what, order)
    if array.shape[1] != width:
        if names is not None and order is not None:
            _refuse_other_columns(names, order, what)
        raise DataError(
            f"{what} have {array.shape[1]} columns but there are {width} variables: give one weight per variable"
        )
    return floats(array, what, names)


def _refuse_other_columns(names: list[str], order: Sequence[str], what: str) -> None:
    """Raise if some columns are those of the order, with the name of a column that is missing or not known."""
    missing, unknown = [name for name in order if name not in names], [name for name in names if name not in order]
    if len(missing) < len(order):
        if missing:
            raise DataError(f"{what} lack the column {missing[0]!r}: give one column per variable")
        if unknown:
            raise DataError(f"{what} have a column {unknown[0]!r} that is not a variable: leave it out")


def floats(source: object, what: str, names: list[str] | None = None) -> FloatArray:
    """Return a copy of the source as float64; refuse NaN, infinity, text and values whose sums might overflow."""
    array = _numbers(source, what, names, "give plain numbers")
    try:
        result: FloatArray = np.array(array, dtype=np.float64, order="C")
    except OverflowError as error:
        raise DataError(f"{what} hold integers too large for a float: rescale them") from error
    _refuse(~np.isfinite(result), result, what, names, "replace or drop missing and infinite values")
    _refuse(np.abs(result) > budgets.LARGEST_WEIGHT, result, what, names, "rescale it")
    return result


def integers(
    source: object, what: str, names: list[str] | None = None, largest: int = budgets.LARGEST_LABEL
) -> IntArray:
    """Return a copy of the source as int64; refuse NaN, fractions, text and values beyond `largest`."""
    array = _numbers(source, what, names, "encode categories and fill missing values as integers, or give a data frame")
    if array.dtype == np.float16:
        array = array.astype(np.float64)  # float16 cannot hold the limit that values are compared with
    if array.dtype.kind == "f":
        _refuse(~np.isfinite(array), array, what, names, "replace or drop missing and infinite values")
        _refuse(array != np.floor(array), array, what, names, "round, bin or rescale it to integers")
    if array.dtype.kind != "b":
        too_large = (array > largest) | (array < -largest)
        _refuse(too_large, array, what, names, f"rescale it or give it a code (values go up to {largest})")
    return array.astype(np.int64, order="C")


def _refuse(bad: NDArray[Any], array: NDArray[Any], what: str, names: list[str] | None, cure: str) -> None:
    """Raise if any entry is bad, with the first such entry and its place in the message."""
    if bad.any():
        first = tuple(int(k) for k in np.argwhere(bad)[0]) if array.ndim else ()
        place = ""
        if len(first) == 2:
            place = f" at row {first[0]}, column {names[first[1]] if names else first[1]}"
        elif first:
            place = f" at position {first[0]}"
        raise DataError(f"{what} hold {array[first]}{place}: {cure}")


def _numbers(source: object, what: str, names: list[str] | None, cure: str) -> NDArray[Any]:
    """Return an array of booleans, integers or floats, or of objects that are all Python integers of any size."""
    try:
        array = np.asarray(source)
    except ValueError as error:
        raise DataError(f"{what} are nested unevenly: give plain numbers, one per variable") from error
    if array.dtype.kind == "O":
        is_number = np.vectorize(lambda entry: isinstance(entry, REAL), otypes=[bool])
        _refuse(~is_number(array), array, what, names, cure)
        if not all(isinstance(x, int | np.integer | np.bool_) for x in array.ravel()):
            try:
                array = array.astype(np.float64)
            except OverflowError as error:
                raise DataError(f"{what} hold integers too large for a float: rescale them") from error
    elif array.dtype.kind not in "buif":
        raise DataError(f"{what} hold {KIND_NAMES.get(array.dtype.kind, array.dtype.name)}: {cure}")
    return array


def _matrix(source: object, what: str, order: Sequence[str] | None) -> tuple[NDArray[Any], list[str] | None]:
    """Return the source as a two-dimensional array, and its column names if it has any."""
    array, names = _plain(source, what)
    if names is not None and order is not None and names != list(order) and sorted(names) == sorted(order):
        raise DataError(f"{what} have the right columns in another order: give them as {_first_names(order)}")
    if array.ndim != 2:
        raise DataError(
            f"{what} have {array.ndim} dimension{'s' if array.ndim != 1 else ''} (shape {array.shape}): "
            "give a table with one row per example and one column per variable"
            + ("; for a single row use row.reshape(1, -1)" if array.ndim == 1 else "")
        )
    if array.shape[1] == 0:
        raise DataError(f"{what} have no columns: give at least one variable")
    return array, names


def _plain(source: object, what: str) -> tuple[NDArray[Any], list[str] | None]:
    """Return the source as a numpy array of any shape, and its column names if it has any."""
    if source is None:
        raise DataError(f"{what} are missing: give an array, a sparse matrix or a data frame")
    rows = source if isinstance(source, list | tuple) else ()
    if any(isinstance(part, np.ma.MaskedArray) for part in (source, *rows)):
        raise DataError(f"{what} are a masked array: fill the masked entries first, e.g. with .filled(0)")
    if isinstance(source, np.ndarray):
        return np.asarray(source), None
    if "scipy.sparse" in sys.modules and sys.modules["scipy.sparse"].issparse(source):
        return _from_sparse(source), None
    if isinstance(source, list | tuple):
        return _from_rows(source, what), None
    if is_labelled_array(source):
        array = flat_array(source)
        return array, column_names(source) if array.ndim == 2 else None
    return _from_frame(source, what)


def _from_sparse(source: Any) -> NDArray[Any]:
    """Return the matrix as a dense array, with one byte per entry if it is large and all entries are 0 or 1."""
    if (
        source.ndim == 2
        and source.shape[0] * source.shape[1] > budgets.BYTE_LABEL_ENTRIES
        and source.dtype.kind in "buif"
    ):
        rows = source.tocsr()
        if not rows.has_canonical_format:  # an entry may be stored as several parts that add up
            rows = rows.copy()
            rows.sum_duplicates()
        if ((rows.data == 0) | (rows.data == 1)).all():
            return np.asarray(rows.astype(np.int8, copy=False).toarray())
    return np.asarray(source.toarray())


def _from_rows(rows: list[Any] | tuple[Any, ...], what: str) -> NDArray[Any]:
    if len(rows) == 0:
        raise DataError(f"{what} are empty: give at least one example")
    try:
        return np.array([np.asarray(row) for row in rows])
    except ValueError as error:
        raise DataError(f"{what} have rows of different lengths: give every row the same columns") from error


def _from_frame(source: object, what: str) -> tuple[NDArray[Any], list[str] | None]:
    import narwhals.stable.v1 as nw

    frame = eager_frame(source, f"{what} have")
    if frame is None:
        if hasattr(source, "__array__"):
            return np.asarray(source), None
        raise DataError(
            f"{what} are of type {type(source).__name__}: give a numpy array, a scipy.sparse matrix, a list of rows "
            "or a data frame"
        )
    names = [str(name) for name in frame.columns]
    columns = []
    for name, column in zip(names, frame.iter_columns(), strict=True):
        if column.null_count():
            raise DataError(f"{what} have missing values in column {name!r}: fill or drop them")
        if not (column.dtype.is_numeric() or column.dtype == nw.Boolean):
            raise DataError(f"{what} have text or dates in column {name!r}: encode it as integers first")
        columns.append(column.to_numpy())
    if not columns:
        raise DataError(f"{what} have no columns: give at least one variable")
    return np.stack(columns, axis=1), names


def _first_names(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
