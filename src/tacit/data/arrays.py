"""Arrays in: numpy, scipy.sparse, lists and any data frame become checked integer labels and float weights.

The one place that looks at what a user handed over.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import DataError

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

LARGEST_LABEL = 2**31 - 1  # keeps every row activity and Gram entry far from the 64-bit edge


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, made read-only."""
    array.setflags(write=False)
    return array


def labels_from(source: object, what: str = "labels") -> tuple[IntArray, list[str] | None]:
    """Integer labels (n × d) and, where the source has them, the column names."""
    array, names = _matrix(source, what)
    return integers(array, what, names), names


def weights_from(source: object, width: int, what: str = "weights") -> FloatArray:
    """Float weights (n × width), finite."""
    array, names = _matrix(source, what)
    if array.dtype.kind not in "buif":
        raise DataError(f"{what} hold {array.dtype.type.__name__} values: give numbers")
    if array.shape[1] != width:
        raise DataError(
            f"{what} have {array.shape[1]} columns but there are {width} variables: give one weight per variable"
        )
    result: FloatArray = np.array(array, dtype=np.float64, order="C")  # a copy: it will be frozen
    if not np.isfinite(result).all():
        i, j = np.argwhere(~np.isfinite(result))[0]
        raise DataError(
            f"{what} hold {result[i, j]} at row {i}, column {names[j] if names else j}: "
            "replace or drop NaN and infinite values"
        )
    return result


def integers(array: NDArray[Any], what: str, names: list[str] | None = None) -> IntArray:
    """The array as int64, refusing NaN, fractions, text and values beyond 31 bits."""
    if array.dtype.kind == "O":
        array = _from_objects(array, what, names)
    if array.dtype.kind not in "buif":
        raise DataError(f"{what} hold {array.dtype.type.__name__} values: encode them as integers first")
    if array.dtype.kind == "f":
        _refuse(~np.isfinite(array), array, what, names, "replace or drop missing and infinite values")
        _refuse(array != np.floor(array), array, what, names, "labels are integers: round, bin or rescale it")
    if array.dtype.kind != "b":
        too_large = (array > LARGEST_LABEL) | (array < -LARGEST_LABEL)
        _refuse(too_large, array, what, names, f"values go up to {LARGEST_LABEL}: rescale it, or give it a code")
    return array.astype(np.int64)


def _refuse(bad: NDArray[Any], array: NDArray[Any], what: str, names: list[str] | None, cure: str) -> None:
    if bad.any():
        where = tuple(int(k) for k in np.argwhere(bad)[0]) if array.ndim else ()
        place = ""
        if len(where) == 2:
            place = f" at row {where[0]}, column {names[where[1]] if names else where[1]}"
        elif where:
            place = f" at position {where[0]}"
        raise DataError(f"{what} hold {array[where]}{place}: {cure}")


def _from_objects(array: NDArray[Any], what: str, names: list[str] | None) -> NDArray[Any]:
    """Object arrays are accepted when every entry is a real number."""
    number = np.vectorize(lambda x: isinstance(x, int | float | np.number | np.bool_), otypes=[bool])
    _refuse(~number(array), array, what, names, "encode categories and fill missing values as integers first")
    try:
        if all(isinstance(x, int | np.integer | np.bool_) for x in array.ravel()):
            return array.astype(np.int64)
        return array.astype(np.float64)
    except (OverflowError, TypeError, ValueError) as error:
        raise DataError(f"{what} cannot be read as numbers ({error}): give plain integers") from error


def _matrix(source: object, what: str) -> tuple[NDArray[Any], list[str] | None]:
    array, names = _plain(source, what)
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
    """The source as a numpy array of whatever shape it has, and its column names if it has any."""
    if source is None:
        raise DataError(f"{what} are missing: give an array, a sparse matrix or a data frame")
    if isinstance(source, np.ma.MaskedArray):
        raise DataError(f"{what} are a masked array: fill the masked entries first, e.g. with .filled(0)")
    if isinstance(source, np.ndarray):
        return source, None
    if "scipy.sparse" in sys.modules and sys.modules["scipy.sparse"].issparse(source):
        return np.asarray(source.toarray()), None  # type: ignore[attr-defined]
    if isinstance(source, list | tuple):
        return _from_rows(source, what), None
    return _from_frame(source, what)


def _from_rows(rows: list[Any] | tuple[Any, ...], what: str) -> NDArray[Any]:
    if len(rows) == 0:
        raise DataError(f"{what} are empty: give at least one example")
    try:
        return np.array([np.asarray(row) for row in rows])
    except ValueError as error:
        raise DataError(f"{what} have rows of different lengths: give every row the same columns") from error


def _from_frame(source: object, what: str) -> tuple[NDArray[Any], list[str] | None]:
    import narwhals.stable.v1 as nw

    frame = nw.from_native(source, pass_through=True)  # type: ignore[call-overload]
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        if hasattr(source, "__array__"):
            return np.asarray(source), None
        raise DataError(
            f"{what} are a {type(source).__name__}: give a numpy array, a scipy.sparse matrix, a list of rows "
            "or a data frame"
        )
    names = [str(name) for name in frame.columns]
    columns = []
    for name in frame.columns:
        column = frame[name]
        if column.null_count():
            raise DataError(f"{what} have missing values in column {name!r}: fill or drop them")
        if not (column.dtype.is_numeric() or column.dtype == nw.Boolean):
            raise DataError(f"{what} have text or dates in column {name!r}: encode it as integers first")
        columns.append(column.to_numpy())
    if not columns:
        raise DataError(f"{what} have no columns: give at least one variable")
    return np.stack(columns, axis=1), names
