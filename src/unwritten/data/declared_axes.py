"""Declared axes: the structure of variables as a person gives it, and the names that it gives to variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from unwritten.data.index_order import NUMBER
from unwritten.data.layout import Axis, Grid, Layout
from unwritten.errors import DataError

AxisValues = Mapping[str, Sequence[Any]]
Axes = AxisValues | Mapping[str, AxisValues] | Sequence[AxisValues]
"""What `mine(axes=...)` takes: the axes of one grid, or those of several grids, in the order of the columns."""

SHAPE = "write {'nurse': [1, 2, 3], 'day': ['mon', 'tue']}, one list of values per axis"


def declared_layout(axes: object) -> Layout:
    """Return the layout that a person declared: columns run through the values of the last axis fastest.

    >>> declared_layout({"nurse": [1, 2, 3], "day": ["mon", "tue"]}).grids
    (Grid(3 nurse × 2 day),)
    """
    if isinstance(axes, Layout):
        return axes
    grids, start = [], 0
    for stem, own in _each_grid(axes):
        axes_of_grid = tuple(_axis(name, values) for name, values in own.items())
        shape = tuple(len(axis.values) for axis in axes_of_grid)
        places = np.arange(start, start + prod(shape), dtype=np.int64).reshape(shape)
        grids.append(Grid(stem, axes_of_grid, places))
        start += prod(shape)
    return Layout(tuple(grids))


def _each_grid(axes: object) -> list[tuple[str, Mapping[Any, Any]]]:
    """The stem and the axes of every declared grid."""
    if isinstance(axes, Mapping) and any(isinstance(part, Mapping) for part in axes.values()):
        grids = [(str(stem), part) for stem, part in axes.items()]
    elif isinstance(axes, Sequence) and not isinstance(axes, str | bytes):
        grids = [("", part) for part in axes]
    else:
        grids = [("", axes)]
    for _, part in grids:
        if not isinstance(part, Mapping):
            raise DataError(f"axes hold {_shown(part)}: {SHAPE}")
        if not part:
            raise DataError(f"axes name no axis: {SHAPE}")
    if not grids:
        raise DataError(f"axes are empty: {SHAPE}")
    return grids


def _axis(name: object, values: object) -> Axis:
    if not isinstance(name, str) or not name.strip():
        raise DataError(f"an axis has the name {name!r}: {SHAPE}")
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise DataError(f"the axis {name!r} has {_shown(values)} as its values: {SHAPE}")
    texts = tuple(str(value) for value in values)
    if not texts or not all(text.strip() for text in texts):
        raise DataError(f"the axis {name!r} has no values, or an empty one: list its values in order")
    for k, text in enumerate(texts):
        if text in texts[:k]:
            raise DataError(f"the axis {name!r} has the value {text!r} twice: list every value once")
    return Axis(name, texts, ordered=True)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{type(value).__name__} {text[:40]}…"


def require_width(layout: Layout, width: int) -> None:
    """Raise unless the grids have as many cells as there are columns."""
    sizes = [" × ".join(str(len(axis.values)) for axis in grid.axes) for grid in layout.grids]
    cells = sum(int(np.count_nonzero(grid.places >= 0)) for grid in layout.grids)
    if cells != width:
        raise DataError(
            f"the axes have {' + '.join(sizes)} = {cells} combinations but there are {width} columns: give every axis "
            "all its values, and every column its place"
        )


def declared_names(layout: Layout) -> list[str]:
    """Names for the variables of grids that cover all columns: `nurse 3 / mon / night`, with the stem before them.

    The name of an axis stands before its values if they are numbers.

    >>> declared_names(declared_layout({"nurse": [3], "day": ["mon", "tue"]}))
    ['nurse 3 / mon', 'nurse 3 / tue']
    """
    names: dict[int, str] = {}
    for grid in layout.grids:
        labels = [axis_labels(axis) for axis in grid.axes]
        stem = [grid.stem] if grid.stem else []
        for where in np.argwhere(grid.places >= 0):
            parts = stem + [texts[k] for texts, k in zip(labels, where, strict=True)]
            names[int(grid.places[tuple(where)])] = " / ".join(parts)
    if len(set(names.values())) < len(names):
        raise DataError("two grids of axes have the same values: name the grids, {'work': {…}, 'rest': {…}}")
    return [names[place] for place in sorted(names)]


def axis_labels(axis: Axis) -> list[str]:
    """The text of each value in names: "nurse 3" if the values are numbers and the axis has a name of its own."""
    if axis.name.startswith("index ") or not all(NUMBER.fullmatch(value) for value in axis.values):
        return list(axis.values)
    return [f"{axis.name} {value}" for value in axis.values]
