"""Read a target from an array, a list, a sparse matrix or a data frame."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.errors import DataError

TargetValues = NDArray[Any]
"""Integers, bools, whole floats, texts or objects: n × columns, or the classes of one column."""


def target_values(source: object) -> tuple[TargetValues, list[str] | None]:
    """Read the values (n × columns), and the names of the columns if the source has them."""
    if source is None:
        raise DataError("requires y to be passed, but the target y is None: give the labels")
    values, names = _array(source)
    if values.dtype.kind == "O":
        if all(isinstance(value, int | float | np.number | np.bool_) for value in values.flat):
            values = np.array(values.tolist())
        elif any(value is None or (isinstance(value, float) and np.isnan(value)) for value in values.flat):
            raise DataError("labels have missing values: fill or drop them")
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            raise DataError("labels hold NaN or infinity: fill or drop those rows")
        if (values != np.floor(values)).any():
            raise DataError("Unknown label type: labels hold fractions: give 0/1 labels or classes, not probabilities")
    elif values.dtype.kind not in "buiUO":
        raise DataError(f"labels are of type {values.dtype}: give 0/1 labels, or classes as integers or texts")
    if values.ndim != 2 or values.shape[1] == 0:
        raise DataError(
            f"labels have shape {values.shape}: give one row per sample and one column per label or output "
            "(with a single column of classes no rule can help: use the estimator itself)"
        )
    return values, names


def _array(source: Any) -> tuple[TargetValues, list[str] | None]:
    if "scipy.sparse" in sys.modules and sys.modules["scipy.sparse"].issparse(source):
        return np.asarray(source.toarray()), None
    if isinstance(source, list | tuple | np.ndarray):
        try:
            return np.asarray(source), None
        except ValueError as error:
            raise DataError("labels have rows of different lengths: give every row the same columns") from error
    import narwhals.stable.v1 as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(source, pass_through=True)
    except DuplicateError as error:
        raise DataError("labels have two columns of one name: rename one of them") from error
    if not isinstance(frame, nw.DataFrame):
        return np.asarray(source), None
    if any(column.null_count() for column in frame.iter_columns()):
        raise DataError("labels have missing values: fill or drop them")
    columns = [column.to_numpy() for column in frame.iter_columns()]
    all_numbers = all(column.dtype.kind in "buif" for column in columns)
    values = np.empty((len(frame), len(columns)), np.result_type(*columns) if columns and all_numbers else object)
    for j, column in enumerate(columns):
        values[:, j] = column
    return values, [str(name) for name in frame.columns]
