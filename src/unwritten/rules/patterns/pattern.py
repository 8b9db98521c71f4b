"""Pattern: one row of coefficients that moves along some axes of the variables, and is a rule wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from unwritten.data import IntArray
from unwritten.rules.patterns.pattern_axes import PatternAxes
from unwritten.rules.rule import RowSense


@dataclass(frozen=True, eq=False)
class Template:
    """A row by coordinates: for each term its grid, its coordinates on all axes, and its coefficient.

    On the axes `moving`, coordinates are counted from the place at which the row stands.
    """

    moving: tuple[int, ...]
    grids: IntArray
    coordinates: IntArray
    coefficients: IntArray
    sense: RowSense
    rhs: int

    def span(self, axis: int) -> int:
        """How many places the row takes on an axis along which it moves."""
        return int(self.coordinates[:, axis].max()) + 1

    def cells(self, axes: PatternAxes, place: tuple[int, ...]) -> list[IntArray]:
        """The places of the variables of each term if the row stands at this place of the moving axes."""
        at = self.coordinates.copy()
        at[:, list(self.moving)] += np.where(at[:, list(self.moving)] >= 0, place, 0)
        return [axes.cells(int(g), coordinates) for g, coordinates in zip(self.grids, at, strict=True)]

    def row_at(self, axes: PatternAxes, place: tuple[int, ...]) -> IntArray:
        """The coefficients of the row that stands at this place of the moving axes."""
        row = np.zeros(len(axes.grid_of), np.int64)
        for cells, value in zip(self.cells(axes, place), self.coefficients, strict=True):
            row[cells] = value
        return row


@dataclass(frozen=True, eq=False)
class Pattern:
    """The rules at places `rules` of a rule set: the template at each combination of `bases`, one list per moving axis.

    If `low` is given, the row is also at least that: two rules stand at every place.
    """

    axes: PatternAxes
    template: Template
    bases: tuple[tuple[int, ...], ...]
    rules: tuple[int, ...]
    low: int | None = None

    def rows(self) -> Iterator[tuple[IntArray, RowSense, int]]:
        """Every row of the pattern as (coefficients, sense, right-hand side): exactly the rules that it replaces."""
        template = self.template
        for place in product(*self.bases):
            row = self.template.row_at(self.axes, place)
            yield row, template.sense, template.rhs
            if self.low is not None:
                yield -row, template.sense, -self.low

    @property
    def variables(self) -> IntArray:
        """The places of all variables that the pattern touches."""
        touched = np.zeros(len(self.axes.grid_of), bool)
        for place in product(*self.bases):
            touched[np.concatenate(self.template.cells(self.axes, place))] = True
        return np.flatnonzero(touched)
