"""The structure of variables: grids of variables whose names differ only in their indices.

`nurse 3 / mon / night` has three indices; all names of that form are one grid with three axes. Sums over the slices
of a grid, and over windows along its ordered axes, are what limits are often about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten import budgets
from unwritten.data.index_names import IndexedNames, indexed_names
from unwritten.data.index_order import index_order
from unwritten.errors import DataError
from unwritten.shapes import read

if TYPE_CHECKING:
    from unwritten.data.arrays import IntArray  # arrays read frames, whose columns may have a layout


@dataclass(frozen=True)
class Axis:
    """One index of a grid: its name, its values in order, and whether that order means something."""

    name: str
    values: tuple[str, ...]
    ordered: bool


@dataclass(frozen=True, eq=False)
class Grid:
    """Variables of one form. `places` has one dimension per axis: each variable's place, or −1 where there is none."""

    stem: str
    axes: tuple[Axis, ...]
    places: IntArray

    def __post_init__(self) -> None:
        self.places.setflags(write=False)

    def __repr__(self) -> str:
        axes = " × ".join(f"{len(axis.values)} {axis.name}" for axis in self.axes)
        return f"Grid({axes})" if not self.stem else f"Grid({self.stem}: {axes})"


@dataclass(frozen=True)
class _SavedGrid:
    """A grid as a file has it: the places row by row."""

    stem: str
    axes: tuple[tuple[str, tuple[str, ...], bool], ...]
    places: tuple[int, ...]

    def grid(self) -> Grid:
        """The grid; raises DataError if its parts do not fit."""
        axes = tuple(Axis(*axis) for axis in self.axes)
        shape = tuple(len(axis.values) for axis in axes)
        names = {axis.name for axis in axes}
        repeats = len(names) < len(axes) or any(len(set(axis.values)) < len(axis.values) for axis in axes)
        if not axes or repeats or not self.places or prod(shape) != len(self.places):
            raise DataError("the axes of a layout do not fit its places: save the model again")
        return Grid(self.stem, axes, np.array(self.places, np.int64).reshape(shape))


@dataclass(frozen=True, eq=False)
class Layout:
    """The grids of the variables; variables without indices are in none.

    >>> Layout.of_names(["r1c1=1", "r1c1=2", "r1c2=1", "r1c2=2", "r2c1=1", "total"]).grids
    (Grid(2 r × 2 c × 2 value),)
    """

    grids: tuple[Grid, ...]

    @classmethod
    def of_names(cls, names: Sequence[str]) -> Layout:
        """Read the indices in names.

        Numbers, dates, week days and months are in their own order; other text is in the order of its first appearance,
        which is not taken to mean anything. Axes are named after the text before the index (`nurse 3`), or "day" and
        "month", else "index 1", "index 2" and so on. Names that clash or are ambiguous are in no grid, and neither are
        the names y0, y1 … that columns without names get.
        """
        if all(name == f"y{j}" for j, name in enumerate(names)):
            return cls(())
        grids = (_grid(form) for form in indexed_names(names))
        return cls(tuple(grid for grid in grids if grid is not None))

    def state(self) -> list[dict[str, Any]]:
        """The layout as plain JSON, for a file."""
        return [
            {
                "stem": grid.stem,
                "axes": [[axis.name, list(axis.values), axis.ordered] for axis in grid.axes],
                "places": grid.places.ravel().tolist(),
            }
            for grid in self.grids
        ]

    @classmethod
    def restore(cls, state: list[dict[str, Any]], width: int) -> Layout:
        """Put a layout of `width` variables together from its state; raises DataError if its parts do not fit."""
        grids = tuple(part.grid() for part in read(tuple[_SavedGrid, ...], state, "the file's layout"))
        places = np.concatenate([grid.places.ravel() for grid in grids] or [np.zeros(0, np.int64)])
        used = places[places >= 0]
        if (places < -1).any() or (used >= width).any() or len(np.unique(used)) < len(used):
            raise DataError("the places of a layout are not those of its variables: save the model again")
        return cls(grids)

    def followed_by(self, other: Layout, width: int) -> Layout:
        """The grids of `width` variables, and those of further variables behind them."""
        moved = (replace(grid, places=np.where(grid.places < 0, -1, grid.places + width)) for grid in other.grids)
        return Layout((*self.grids, *moved))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.state() == other.state()

    __hash__ = None  # type: ignore[assignment]


def _grid(form: IndexedNames) -> Grid | None:
    """The grid of names of one form; None if it has one variable only, if names clash, or if nearly all are missing."""
    names: list[str] = []
    axes: list[Axis] = []
    where: list[IntArray] = []
    for k, label in enumerate(form.labels):
        column = [values[k] for values in form.values]
        distinct = list(dict.fromkeys(column))
        if len(distinct) == 1:
            continue  # text that all names share is no index
        order = index_order(distinct)
        if order is None:
            return None
        calendar = order.kind if order.kind in ("day", "month") else ""
        name = _unused(label or calendar or f"index {k + 1}", names)
        names.append(name)
        axes.append(Axis(name, order.values, order.is_ordered))
        at = {value: place for place, value in enumerate(order.values)}
        where.append(np.array([at[value] for value in column], np.int64))
    shape = tuple(len(axis.values) for axis in axes)
    if not axes or prod(shape) > max(budgets.LAYOUT_CELLS, len(form.places)):
        return None
    places = np.full(shape, -1, np.int64)
    places[tuple(where)] = form.places
    if np.count_nonzero(places >= 0) < len(form.places):
        return None
    return Grid(form.stem, tuple(axes), places)


def _unused(name: str, used: Sequence[str]) -> str:
    """The name, with a number behind it if another axis has it already."""
    return next(text for k in range(1, len(used) + 2) if (text := f"{name} {k}" if k > 1 else name) not in used)
