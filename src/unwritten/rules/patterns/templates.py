"""Templates: a rule as a row that could stand at other places, once for every set of axes along which it could move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.rules.patterns.pattern import Template
from unwritten.rules.patterns.pattern_axes import ABSENT, WHOLE, PatternAxes
from unwritten.rules.rule import RowSense


@dataclass(frozen=True, eq=False)
class PlacedRow:
    """A rule by coordinates, and the place at which it stands on every axis along which it can move.

    Along an axis whose order means nothing, only a row with one value there can move.
    """

    grids: IntArray
    coordinates: IntArray
    coefficients: IntArray
    sense: RowSense
    rhs: int
    bases: dict[int, int]

    @classmethod
    def of(cls, axes: PatternAxes, row: IntArray, sense: RowSense, rhs: int) -> PlacedRow | None:
        """Read a rule; None if one of its variables is in no grid."""
        support = np.flatnonzero(row)
        if not support.size or (axes.grid_of[support] < 0).any():
            return None
        support = support[_order(axes, support)]
        values = row[support]
        if sense == "==" and values[0] < 0:
            values, rhs = -values, -rhs
        grids, coordinates, values = _terms(axes, support, values)
        bases = {a: base for a in range(len(axes.axes)) if (base := _base(axes, coordinates[:, a], a)) is not None}
        return cls(grids, coordinates, values, sense, rhs, dict(list(bases.items())[: budgets.PATTERN_AXES]))

    def moved(self, moving: tuple[int, ...]) -> tuple[Template, tuple[int, ...]]:
        """The row as a template that moves along these axes, and the place at which it stands on them."""
        relative, place = self.coordinates.copy(), tuple(self.bases[a] for a in moving)
        for a, base in zip(moving, place, strict=True):
            relative[relative[:, a] >= 0, a] -= base
        return Template(moving, self.grids, relative, self.coefficients, self.sense, self.rhs), place

    @property
    def widest(self) -> tuple[object, ...]:
        """Equal for all rows that are alike along some axes: the key of the template that moves along all of them."""
        return key_of(self.moved(tuple(self.bases))[0])

    def templates(self) -> Iterator[tuple[Template, tuple[int, ...]]]:
        """The row as a template for every set of axes along which it can move."""
        for size in range(1, len(self.bases) + 1):
            for moving in combinations(self.bases, size):
                yield self.moved(moving)


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


def _terms(axes: PatternAxes, support: IntArray, values: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The grids, coordinates and coefficients of the terms; a whole slice of a grid with gaps is a single term."""
    grids, coordinates = axes.grid_of[support], axes.coordinates[support]
    g = int(grids[0])
    is_count = len(support) > 1 and (grids == g).all() and (values == values[0]).all() and abs(values[0]) == 1
    if not is_count or (axes.layout.grids[g].places >= 0).all():
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
