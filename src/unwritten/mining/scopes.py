"""Scopes: the sets of columns whose sums may have a bound, from the layout of the variables.

In a grid, every axis is fixed (one scope for each of its values), summed, cut into windows of neighbouring values (if
its order means something), or reduced to some of its values (if it has few). A choice for every axis is one family.
Square grids have diagonals, and grids whose two axes share their values have stars: all edges at a node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from math import prod

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.data.layout import Axis, Layout
from unwritten.mining.row_families import RowFamily

SUBSET_VALUES = 5  # values of an axis up to which sums over some of them are tried
Choice = tuple[str, int, list[IntArray]]  # what it is, how many values are joined, and the places for each scope


def slice_families(layout: Layout, columns: BoolArray) -> Iterator[RowFamily]:
    """The sums of all these columns, and over slices of each grid: every axis is fixed or summed."""
    whole = np.flatnonzero(columns)
    if len(whole) > 1:
        yield RowFamily.of_sums([whole], len(columns))
    for places, axes in _places(layout, columns):
        yield from _sum_families((_scopes(places, along) for along in _combined(axes, parts=False)), len(columns))


def part_families(layout: Layout, columns: BoolArray) -> Iterator[RowFamily]:
    """The sums over parts of slices: windows, some values, diagonals, stars; the shortest ones first."""
    for places, axes in _places(layout, columns):
        yield from _sum_families((_scopes(places, along) for along in _combined(axes, parts=True)), len(columns))
        for one, other in combinations(range(places.ndim), 2):
            board = np.moveaxis(places, (one, other), (0, 1)).reshape(places.shape[one], places.shape[other], -1)
            yield from _sum_families(_diagonals(board), len(columns))
            yield from _sum_families([_stars(board, axes[one].values, axes[other].values)], len(columns))


def _places(layout: Layout, columns: BoolArray) -> Iterator[tuple[IntArray, tuple[Axis, ...]]]:
    """The places of each grid, without those of other columns."""
    for grid in layout.grids:
        places = np.where((grid.places >= 0) & columns[grid.places], grid.places, -1)
        if (places >= 0).any():
            yield places, grid.axes


def _sum_families(families: Iterable[list[IntArray]], width: int) -> Iterator[RowFamily]:
    return (RowFamily.of_sums(scopes, width) for scopes in families if scopes)


def neighbour_pairs(layout: Layout, columns: BoolArray) -> Iterator[tuple[IntArray, IntArray]]:
    """For each ordered axis of a grid, the pairs of columns that are next to each other along it."""
    for grid in layout.grids:
        for k, axis in enumerate(grid.axes):
            if axis.ordered:
                along = np.moveaxis(grid.places, k, 0)
                first, second = along[:-1].ravel(), along[1:].ravel()
                both = (first >= 0) & (second >= 0) & columns[first] & columns[second]
                if both.any():
                    yield first[both], second[both]


def _combined(axes: Sequence[Axis], parts: bool) -> Iterator[list[list[IntArray]]]:
    """What to do with the axes: for each one, the places along it of each scope; some axis is cut if `parts`."""
    choices = [_choices(len(axis.values), axis.ordered, parts) for axis in axes]
    combined = [choice for choice in product(*choices) if _is_plain([kind for kind, _, _ in choice], parts)]
    for choice in sorted(combined, key=lambda choice: sum(joined for _, joined, _ in choice)):
        along = [where for _, _, where in choice]
        if prod(map(len, along)) <= budgets.BOUND_SCOPES:
            yield along


def _scopes(places: IntArray, along: list[list[IntArray]]) -> list[IntArray]:
    return _long_enough(places[np.ix_(*where)] for where in product(*along))


def _is_plain(kinds: list[str], parts: bool) -> bool:
    """At most one axis is cut into windows, and at most one is reduced to some values; at least one is, if `parts`."""
    cut = kinds.count("window") + kinds.count("some")
    if not parts:
        return cut == 0 and "summed" in kinds
    return cut > 0 and kinds.count("window") <= 1 and kinds.count("some") <= 1


def _choices(length: int, ordered: bool, parts: bool) -> list[Choice]:
    """What can be done with an axis: fix it, sum it, or take windows or some of its values."""
    every = np.arange(length)
    choices: list[Choice] = [("fixed", 0, [every[k : k + 1] for k in range(length)]), ("summed", 0, [every])]
    if parts and ordered:
        sizes = range(2, min(length, budgets.BOUND_WINDOW + 1))
        choices += [("window", size, [every[k : k + size] for k in range(length - size + 1)]) for size in sizes]
    if parts and length <= SUBSET_VALUES:
        for size in range(2, length):
            choices += [("some", size, [np.array(values)]) for values in combinations(range(length), size)]
    return choices


def _diagonals(board: IntArray) -> Iterator[list[IntArray]]:
    """The diagonals of a square along the first two axes, in both directions; the last axis is fixed."""
    size = len(board)
    if size != board.shape[1] or size < 3:
        return
    for side in (board, board[:, ::-1]):
        lines = [np.diagonal(side, offset) for offset in range(2 - size, size - 1)]
        yield _long_enough(line[k] for line in lines for k in range(line.shape[0]))


def _stars(board: IntArray, first: Sequence[str], second: Sequence[str]) -> list[IntArray]:
    """For each value, the columns that have it on one of the first two axes, if these share most of their values.

    The columns are edges then, and a star is what meets at a node. The last axis is fixed.
    """
    shared = [value for value in first if value in second]
    if 2 * len(shared) < max(len(first), len(second)):
        return []
    nodes = [*first, *(value for value in second if value not in first)]
    return _long_enough(
        np.concatenate([board[_at(first, node), :, rest].ravel(), board[:, _at(second, node), rest].ravel()])
        for node in nodes
        for rest in range(board.shape[2])
    )


def _at(values: Sequence[str], value: str) -> list[int]:
    return [values.index(value)] if value in values else []


def _long_enough(scopes: Iterator[IntArray]) -> list[IntArray]:
    """The scopes without places where there is no column, if two columns or more are left."""
    flat = (scope.ravel() for scope in scopes)
    present = (scope[scope >= 0] for scope in flat)
    return [np.unique(scope) for scope in present if len(scope) > 1]
