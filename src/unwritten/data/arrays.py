"""Arrays in: numpy, scipy.sparse, lists and any data frame become checked integer labels and float weights.

The one place that looks at what a user handed over.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.errors import DataError

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, made read-only."""
    array.setflags(write=False)
    return array


def labels_from(
    source: object, what: str = "labels", order: Sequence[str] | None = None
) -> tuple[IntArray, list[str] | None]:
    """Integer labels (n × d) and, where the source has them, the column names.

    They are 64-bit integers; but where a wide source has one byte per entry (as sparse 0/1 matrices are read), eight
    times that could be more than the memory, and a copy of one byte per entry is given instead.
    """
    array, names = _matrix(source, what, order)
    bulky = (
        array.dtype.itemsize == 1
        and array.shape[1] >= budgets.BYTE_LABEL_COLUMNS
        and array.size > budgets.BYTE_LABEL_ENTRIES
    )
    if bulky and array.dtype.kind in "bui" and array.min() >= 0 and array.max() <= 1:
        small: NDArray[Any] = array.astype(np.int8, order="C")
        return small, names
    return integers(array, what, names), names


def weights_from(source: object, width: int, what: str = "weights", order: Sequence[str] | None = None) -> FloatArray:
    """Float weights (n × width), finite."""
    array, names = _matrix(source, what, order)
    if array.shape[1] != width:
        raise DataError(
            f"{what} have {array.shape[1]} columns but there are {width} variables: give one weight per variable"
        )
    return floats(array, what, names)


def floats(source: object, what: str, names: list[str] | None = None) -> FloatArray:
    """A copy of the array as float64, refusing NaN, infinity, text and values whose sums might overflow."""
    array = _numbers(source, what, names, "give plain numbers")
    try:
        result: FloatArray = np.array(array, dtype=np.float64, order="C")
    except OverflowError as error:
        raise DataError(f"{what} hold integers too large for a float: rescale them") from error
    _refuse(~np.isfinite(result), result, what, names, "replace or drop missing and infinite values")
    _refuse(np.abs(result) > budgets.LARGEST_WEIGHT, result, what, names, "rescale it")
    return result


def integers(source: object, what: str, names: list[str] | None = None) -> IntArray:
    """A copy of the array as int64, refusing NaN, fractions, text and values beyond 31 bits."""
    array = _numbers(source, what, names, "encode categories and fill missing values as integers first")
    if array.dtype == np.float16:
        array = array.astype(np.float64)  # it cannot hold the limit that values are compared with
    if array.dtype.kind == "f":
        _refuse(~np.isfinite(array), array, what, names, "replace or drop missing and infinite values")
        _refuse(array != np.floor(array), array, what, names, "round, bin or rescale it to integers")
    if array.dtype.kind != "b":
        too_large = (array > budgets.LARGEST_LABEL) | (array < -budgets.LARGEST_LABEL)
        _refuse(
            too_large, array, what, names, f"rescale it or give it a code (values go up to {budgets.LARGEST_LABEL})"
        )
    return array.astype(np.int64, order="C")


def _refuse(bad: NDArray[Any], array: NDArray[Any], what: str, names: list[str] | None, cure: str) -> None:
    if bad.any():
        where = tuple(int(k) for k in np.argwhere(bad)[0]) if array.ndim else ()
        place = ""
        if len(where) == 2:
            place = f" at row {where[0]}, column {names[where[1]] if names else where[1]}"
        elif where:
            place = f" at position {where[0]}"
        raise DataError(f"{what} hold {array[where]}{place}: {cure}")


def _numbers(source: object, what: str, names: list[str] | None, cure: str) -> NDArray[Any]:
    """An array of bools, integers or floats; of objects only where all are Python integers, however large."""
    try:
        array = np.asarray(source)
    except ValueError as error:
        raise DataError(f"{what} are nested unevenly: give plain numbers, one per variable") from error
    if array.dtype.kind == "O":
        real = int | float | np.integer | np.floating | np.bool_
        number = np.vectorize(lambda x: isinstance(x, real), otypes=[bool])
        _refuse(~number(array), array, what, names, cure)
        if not all(isinstance(x, int | np.integer | np.bool_) for x in array.ravel()):
            try:
                array = array.astype(np.float64)
            except OverflowError as error:
                raise DataError(f"{what} hold integers too large for a float: rescale them") from error
    elif array.dtype.kind not in "buif":
        kinds = {"U": "text", "S": "text", "M": "dates", "m": "durations", "c": "complex numbers", "V": "records"}
        raise DataError(f"{what} hold {kinds.get(array.dtype.kind, array.dtype.name)}: {cure}")
    return array


def _matrix(source: object, what: str, order: Sequence[str] | None) -> tuple[NDArray[Any], list[str] | None]:
    """The source as a table and its column names, which must not be the names in `order` in another order."""
    array, names = _plain(source, what)
    if names is not None and order is not None and names != list(order) and sorted(names) == sorted(order):
        raise DataError(f"{what} have the right columns in another order: give them as {_some(order)}")
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
    rows = source if isinstance(source, list | tuple) else ()
    if any(isinstance(part, np.ma.MaskedArray) for part in (source, *rows)):
        raise DataError(f"{what} are a masked array: fill the masked entries first, e.g. with .filled(0)")
    if isinstance(source, np.ndarray):
        return np.asarray(source), None
    if "scipy.sparse" in sys.modules and sys.modules["scipy.sparse"].issparse(source):
        return _from_sparse(source), None
    if isinstance(source, list | tuple):
        return _from_rows(source, what), None
    return _from_frame(source, what)


def _from_sparse(source: Any) -> NDArray[Any]:
    """The matrix as an array, of one byte per entry if it is bulky and all entries are 0 or 1."""
    if (
        source.ndim == 2
        and source.shape[0] * source.shape[1] > budgets.BYTE_LABEL_ENTRIES
        and source.dtype.kind in "buif"
    ):
        rows = source.tocsr()
        if not rows.has_canonical_format:  # an entry may come in several parts
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
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(source, pass_through=True)
    except DuplicateError as error:
        raise DataError(f"{what} have two columns of one name: rename one of them") from error
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
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


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
