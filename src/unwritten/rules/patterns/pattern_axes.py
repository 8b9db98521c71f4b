"""The axes of all grids of a layout, and the place of every variable on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np

from unwritten.data import IntArray
from unwritten.data.layout import Axis, Layout

ABSENT = -1  # the coordinate on an axis that a variable's grid does not have
WHOLE = -2  # all places on an axis that hold a variable


@dataclass(frozen=True, eq=False)
class PatternAxes:
    """The distinct axes of a layout: axes of two grids are the same one if they have the same name and values.

    Axes that are only numbered, such as "index 1", are the same if they have the same values. `dims[g]` are the axes of
    grid g; `grid_of` and `coordinates` say where each variable is (grid −1: in none).
    """

    layout: Layout
    axes: tuple[Axis, ...]
    dims: tuple[tuple[int, ...], ...]
    grid_of: IntArray
    coordinates: IntArray

    @classmethod
    def of(cls, layout: Layout, width: int) -> PatternAxes:
        """Collect the axes of the layout of `width` variables."""
        known: dict[tuple[str, tuple[str, ...]], int] = {}
        axes: list[Axis] = []
        dims = []
        for grid in sorted(layout.grids, key=lambda grid: -len(grid.axes)):
            values = [axis.values for axis in grid.axes]
            for axis in grid.axes:
                if _key(axis, values) not in known:
                    known[_key(axis, values)] = len(axes)
                    axes.append(axis)
        for grid in layout.grids:
            values = [axis.values for axis in grid.axes]
            dims.append(tuple(known[_key(axis, values)] for axis in grid.axes))
        grid_of = np.full(width, -1, np.int64)
        coordinates = np.full((width, len(axes)), ABSENT, np.int64)
        for g, grid in enumerate(layout.grids):
            cells = np.argwhere(grid.places >= 0)
            places = grid.places[tuple(cells.T)]
            grid_of[places] = g
            coordinates[places[:, None], np.array(dims[g])[None, :]] = cells
        return cls(layout, tuple(axes), tuple(dims), grid_of, coordinates)

    @cached_property
    def mixed(self) -> frozenset[int]:
        """The axes that have a value in common with another axis of one of their grids."""
        pairs = {pair for own in self.dims for pair in permutations(own, 2)}
        return frozenset(a for a, b in pairs if not set(self.axes[a].values).isdisjoint(self.axes[b].values))

    def cells(self, g: int, coordinates: IntArray) -> IntArray:
        """The places of the variables of grid g at these coordinates; `WHOLE` stands for all that there are."""
        where = tuple(slice(None) if coordinates[a] == WHOLE else int(coordinates[a]) for a in self.dims[g])
        places = np.atleast_1d(self.layout.grids[g].places[where]).ravel()
        return places[places >= 0]


def is_numbered(axis: Axis) -> bool:
    """True if the axis has no name of its own: "index 1"."""
    return axis.name.startswith("index ") and axis.name[6:].isdecimal()


def _key(axis: Axis, values: list[tuple[str, ...]]) -> tuple[str, tuple[str, ...]]:
    if is_numbered(axis) and values.count(axis.values) == 1:
        return "", axis.values
    return axis.name, axis.values
