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
            row = self._row(place)
            yield row, template.sense, template.rhs
            if self.low is not None:
                yield -row, template.sense, -self.low

    @property
    def variables(self) -> IntArray:
        """The places of all variables that the pattern touches."""
        touched = np.zeros(len(self.axes.grid_of), bool)
        for place in product(*self.bases):
            touched |= self._row(place) != 0
        return np.flatnonzero(touched)

    def _row(self, place: tuple[int, ...]) -> IntArray:
        template, row = self.template, np.zeros(len(self.axes.grid_of), np.int64)
        for g, coordinates, value in zip(template.grids, template.coordinates, template.coefficients, strict=True):
            at = coordinates.copy()
            for axis, base in zip(template.moving, place, strict=True):
                if at[axis] >= 0:
                    at[axis] += base
            row[self.axes.cells(int(g), at)] = value
        return row
