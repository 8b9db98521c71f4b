"""The structure of variables: grids of variables whose names differ only in their indices.

`nurse 3 / mon / night` has three indices; all names of that form are one grid with three axes. Sums over the slices of a
grid, and over windows along its ordered axes, are what limits are often about.
"""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.data.arrays import IntArray


@dataclass(frozen=True)
class Axis:
    """One index of a grid: its name, its values in order, and whether that order means something."""

    name: str
    values: tuple[str, ...]
    ordered: bool


@dataclass(frozen=True, eq=False)
class Grid:
    """Variables of one form. `places` has one dimension per axis: the place of each variable, or −1 if there is none."""

    stem: str
    axes: tuple[Axis, ...]
    places: IntArray


@dataclass(frozen=True, eq=False)
class Layout:
    """The grids of the variables; variables without indices are in none."""

    grids: tuple[Grid, ...]
