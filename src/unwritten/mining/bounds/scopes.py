"""Scopes: the sets of columns whose sums may be limited, from the layout of the variables.

In a grid, every axis is either fixed (one scope for each of its values), summed, cut into windows of neighbouring values
(if its order means something), or reduced to some of its values (if it has few). A choice for every axis is one
template. Square grids have diagonals, and grids whose two axes share their values have stars: all edges at a node.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import prod

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.data.layout import Grid, Layout
from unwritten.mining.bounds.templates import Template

SUBSET_VALUES = 5  # values of an axis up to which sums over some of them are tried
Choice = tuple[str, int, list[IntArray]]  # what it is, how many values are joined, and the places for each scope


def sum_templates(layout: Layout, columns: BoolArray) -> Iterator[Template]:
    """The templates of sums over these columns, the plainest of each grid first; the whole comes before all grids."""
    width = len(columns)
    whole = np.flatnonzero(columns)
    if len(whole) > 1:
        yield Template.of_sums([whole], width)
    for grid in layout.grids:
        places = np.where((grid.places >= 0) & columns[grid.places], grid.places, -1)
        for scopes in _grid_scopes(grid, places):
            if scopes:
                yield Template.of_sums(scopes, width)


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


def _grid_scopes(grid: Grid, places: IntArray) -> Iterator[list[IntArray]]:
    choices = [_choices(len(axis.values), axis.ordered) for axis in grid.axes]
    combined = [parts for parts in product(*choices) if _is_plain([kind for kind, _, _ in parts])]
    for parts in sorted(combined, key=lambda parts: sum(joined for _, joined, _ in parts)):
        along = [axis for _, _, axis in parts]
        if prod(map(len, along)) <= budgets.BOUND_SCOPES and any(len(where) > 1 for axis in along for where in axis):
            yield _long_enough(places[np.ix_(*where)] for where in product(*along))
    for one, other in combinations(range(places.ndim), 2):
        yield from _diagonals(np.moveaxis(places, (one, other), (0, 1)))
        if grid.axes[one].values == grid.axes[other].values:
            yield _stars(np.moveaxis(places, (one, other), (0, 1)))


def _is_plain(kinds: list[str]) -> bool:
    """At most one axis is cut into windows, and at most one is reduced to some values."""
    return kinds.count("window") <= 1 and kinds.count("some") <= 1


def _choices(length: int, ordered: bool) -> list[Choice]:
    """What can be done with an axis: fix it, sum it, or take windows or some of its values."""
    every = np.arange(length)
    choices: list[Choice] = [("fixed", 0, [every[k : k + 1] for k in range(length)]), ("summed", 0, [every])]
    if ordered:
        for size in range(2, min(length, budgets.BOUND_WINDOW + 1)):
            choices.append(("window", size, [every[k : k + size] for k in range(length - size + 1)]))
    if length <= SUBSET_VALUES:
        for size in range(2, length):
            choices += [("some", size, [np.array(values)]) for values in combinations(range(length), size)]
    return choices


def _diagonals(places: IntArray) -> Iterator[list[IntArray]]:
    """The diagonals along the first two axes, in both directions; further axes are fixed."""
    size = len(places)
    if size != places.shape[1] or size < 3:
        return
    flat = places.reshape(size, size, -1)
    for board in (flat, flat[:, ::-1]):
        lines = [np.diagonal(board, offset) for offset in range(2 - size, size - 1)]
        yield _long_enough(line[k] for line in lines for k in range(line.shape[0]))


def _stars(places: IntArray) -> list[IntArray]:
    """For each value of the first two axes, the columns that have it on either; further axes are fixed."""
    size = len(places)
    flat = places.reshape(size, size, -1)
    return _long_enough(
        np.concatenate([flat[k, :, rest], np.delete(flat[:, k, rest], k)])
        for k in range(size)
        for rest in range(flat.shape[2])
    )


def _long_enough(scopes: Iterator[IntArray]) -> list[IntArray]:
    """The scopes without places where there is no column, if two columns or more are left."""
    present = (scope.ravel()[scope.ravel() >= 0] for scope in scopes)
    return [np.sort(scope) for scope in present if len(scope) > 1]
