"""Data whose columns have several indices: xarray arrays, and pandas frames with a MultiIndex of columns.

Neither library is imported here: whoever gives such data has imported it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data.declared_axes import declared_names
from unwritten.data.index_order import index_order
from unwritten.data.layout import Axis, Grid, Layout


def is_labelled_array(source: object) -> bool:
    """True for an xarray.DataArray; xarray itself is not imported."""
    return type(source).__module__.partition(".")[0] == "xarray" and all(
        hasattr(source, name) for name in ("dims", "coords", "values")
    )


def flat_array(source: Any) -> NDArray[Any]:
    """The values of a labelled array with one row per example: its first dimension; all others become columns."""
    values = np.asarray(source.values)
    return values.reshape(len(values), -1) if values.ndim > 1 and len(values) else values


def has_index_levels(frame: object) -> bool:
    """True for a pandas frame whose columns have several levels."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(frame, pandas.DataFrame) and isinstance(frame.columns, pandas.MultiIndex)


def layout_of(source: Any) -> Layout | None:
    """The layout of labelled data: one axis per dimension or level; None for other data, and if labels are repeated."""
    if has_index_levels(source):
        return _layout([_level(source.columns, k) for k in range(source.columns.nlevels)])
    if is_labelled_array(source) and len(source.dims) > 1:
        columns = [_coordinates(source, dim) for dim in source.dims[1:]]
        places = np.indices([len(values) for values in columns]).reshape(len(columns), -1)
        return _layout(
            [
                _Index(str(dim), [values[k] for k in where], ())
                for dim, values, where in zip(source.dims[1:], columns, places.tolist(), strict=True)
            ]
        )
    return None


def column_names(source: Any) -> list[str]:
    """The names of the columns of labelled data: `nurse 3 / mon / night`."""
    layout = layout_of(source)
    if layout is not None:
        return declared_names(layout)
    index = source.columns  # two columns have the same labels, which is refused where names are checked
    return [" / ".join(str(part) for part in label) for label in index]


def with_plain_columns(frame: Any) -> Any:
    """The same frame, or the same row as a pandas Series, with one name per column instead of several labels."""
    if has_index_levels(frame):
        return frame.set_axis(column_names(frame), axis=1)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(frame, pandas.Series) and isinstance(frame.index, pandas.MultiIndex):
        row = frame.to_frame().T
        return frame.set_axis(column_names(row))
    return frame


@dataclass(frozen=True)
class _Index:
    """One index of all columns: its name, its value in each column, and the order of its values if that is declared."""

    name: str
    values: list[str]
    order: Sequence[str]


def _layout(indices: list[_Index]) -> Layout | None:
    axes, where = [], []
    for index in indices:
        axis = _axis(index)
        at = {value: place for place, value in enumerate(axis.values)}
        axes.append(axis)
        where.append(np.array([at[value] for value in index.values], np.int64))
    width = len(where[0])
    places = np.full(tuple(len(axis.values) for axis in axes), -1, np.int64)
    places[tuple(where)] = np.arange(width)
    return Layout((Grid("", tuple(axes), places),)) if np.count_nonzero(places >= 0) == width else None


def _level(index: Any, k: int) -> _Index:
    level = index.levels[k]
    order = _texts(level.categories) if getattr(level, "ordered", False) else ()
    name = index.names[k]
    return _Index(f"index {k + 1}" if name is None else str(name), _texts(index.get_level_values(k)), order)


def _coordinates(source: Any, dim: Any) -> list[str]:
    if dim in source.coords:
        return _texts(source.coords[dim].values)
    return [str(k) for k in range(source.sizes[dim])]


def _axis(index: _Index) -> Axis:
    """An axis in the order that was declared, else in that of its kind of values, else in that of their appearance."""
    distinct = dict.fromkeys(index.values)
    if index.order:
        return Axis(index.name, tuple(value for value in index.order if value in distinct), ordered=True)
    order = index_order(list(distinct))
    if order is None:
        return Axis(index.name, tuple(distinct), ordered=False)
    return Axis(index.name, order.values, order.is_ordered)


def _texts(values: Any) -> list[str]:
    """Labels as text; dates without a time of day lose their midnight."""
    array = np.asarray(values)
    if array.dtype.kind == "M":
        return [text.removesuffix("T00:00:00") for text in np.datetime_as_string(array, unit="s").tolist()]
    return [str(value) for value in array.tolist()]
