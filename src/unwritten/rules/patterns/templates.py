"""Templates: a rule as a row that could stand at other places, once for every set of axes along which it could move."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.rules.patterns.pattern import Template
from unwritten.rules.patterns.pattern_axes import ABSENT, WHOLE, PatternAxes
from unwritten.rules.rule import RowSense

Placed = tuple[Template, tuple[int, ...]]
"""A template, and the place at which it stands on each of its moving axes."""


def placed_templates(axes: PatternAxes, row: IntArray, sense: RowSense, rhs: int) -> Iterator[Placed]:
    """Yield the row as a template for every set of axes along which it can move; nothing if a variable is in no grid.

    Along an axis whose order means nothing, only a row with one value there can move.
    """
    support = np.flatnonzero(row)
    if not support.size or (axes.grid_of[support] < 0).any():
        return
    values = row[support]
    if sense == "==" and _first(axes, support, values) < 0:
        values, rhs = -values, -rhs
    grids, coordinates, values = _terms(axes, support, values)
    bases = [_base(axes, coordinates[:, a], a) for a in range(len(axes.axes))]
    movable = [a for a, base in enumerate(bases) if base is not None][: budgets.PATTERN_AXES]
    subsets = chain.from_iterable(combinations(movable, size) for size in range(1, len(movable) + 1))
    for moving in subsets:
        relative = coordinates.copy()
        place = tuple(int(bases[a]) for a in moving)  # type: ignore[arg-type]
        for a, base in zip(moving, place, strict=True):
            relative[relative[:, a] >= 0, a] -= base
        yield Template(moving, grids, relative, values, sense, rhs), place


def key_of(template: Template) -> tuple[object, ...]:
    """Equal for equal templates."""
    parts = (template.grids, template.coordinates, template.coefficients)
    return (template.moving, template.sense, template.rhs, *(part.tobytes() for part in parts))


def opposite_key(template: Template) -> tuple[object, ...]:
    """The key of all but the right-hand side of the template with negative coefficients."""
    parts = (template.grids, template.coordinates, -template.coefficients)
    return (template.moving, template.sense, *(part.tobytes() for part in parts))


def _order(axes: PatternAxes, support: IntArray) -> IntArray:
    """The order of the terms by grid and coordinates, which stays the same wherever the row stands."""
    return np.lexsort((*axes.coordinates[support].T[::-1], axes.grid_of[support]))


def _first(axes: PatternAxes, support: IntArray, values: IntArray) -> int:
    return int(values[_order(axes, support)[0]])


def _terms(axes: PatternAxes, support: IntArray, values: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The grids, coordinates and coefficients of the terms; a whole slice of a grid with gaps is a single term."""
    order = _order(axes, support)
    grids, coordinates, values = axes.grid_of[support[order]], axes.coordinates[support[order]], values[order]
    g = int(grids[0])
    has_gaps = bool((axes.layout.grids[g].places < 0).any())
    if not has_gaps or len(support) < 2 or (grids != g).any() or not (values == values[0]).all() or abs(values[0]) != 1:
        return grids, coordinates, values
    whole = coordinates[0].copy()
    whole[(coordinates != whole).any(axis=0)] = WHOLE
    if len(axes.cells(g, whole)) > len(support):
        return grids, coordinates, values
    return grids[:1], whole[None], values[:1]


def _base(axes: PatternAxes, coordinates: IntArray, axis: int) -> int | None:
    """The place at which a row stands on an axis; None if it cannot move along it."""
    present = coordinates[coordinates != ABSENT]
    if not present.size or (present == WHOLE).any():
        return None
    low, high = int(present.min()), int(present.max())
    if high - low == len(axes.axes[axis].values) - 1 and high > low:
        return None  # it fills the axis
    return low if high == low or axes.axes[axis].ordered else None
