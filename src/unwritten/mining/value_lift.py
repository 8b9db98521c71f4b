"""The lift *values*: a 0/1 latent [x = v] for each value v of some integers x.

No linear row over integers says how many of them are 3; over these latents it is a sum.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray, Variables
from unwritten.data.layout import Axis, Grid, Layout
from unwritten.errors import DataError
from unwritten.shapes import read

Row = tuple[dict[str, int], str, int]
Domain = tuple[int, int, int]  # the place of a variable, its least value and its largest one


@dataclass(frozen=True)
class _State:
    domains: tuple[Domain, ...]


@dataclass(frozen=True)
class Values:
    """One latent for each value of each of some integer variables, called "x = 3"."""

    domains: tuple[Domain, ...]
    name: str = "values"

    @classmethod
    def fit(cls, seen: IntArray, variables: Variables) -> Values:
        """All integer variables with few values, by their bounds.

        >>> Values.fit(np.array([[0, 2], [1, 4]]), Variables.named(["open", "shift"], [0, 2], [1, 4])).domains
        ((1, 2, 4),)
        """
        del seen
        lifted = cls.of(np.flatnonzero(few_values(variables)), variables)
        if not lifted.domains:
            raise DataError(
                f"the lift 'values' needs integers of 3 to {budgets.VALUES_OF_ONE} values, and there are none: leave "
                "it out, or give narrower bounds"
            )
        return lifted

    @classmethod
    def of(cls, columns: Iterable[int], variables: Variables) -> Values:
        """The lift of these variables, with all values within their bounds."""
        return cls(tuple((int(j), int(variables.lower[j]), int(variables.upper[j])) for j in columns))

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Values:
        """Rebuild the lift from the domains that `state` returned."""
        return cls(read(_State, state, "the state of a lift").domains)

    def state(self) -> dict[str, Any]:
        """The places of the variables, with their least and largest values."""
        return {"domains": [list(domain) for domain in self.domains]}

    @property
    def size(self) -> int:
        """The number of latents."""
        return sum(high - low + 1 for _, low, high in self.domains)

    def latents(self, variables: Variables) -> Variables:
        """The latents of each variable, from its least value up, in grids with the indices of the variables."""
        self._require_fit(variables)
        names = [name for domain in self.domains for name in self._names(domain, variables)]
        upper = np.ones(len(names), np.int64)
        return Variables(tuple(names), np.zeros_like(upper), upper, True, self._layout(variables))

    def apply(self, labels: IntArray) -> IntArray:
        """The values of the latents (n × latents)."""
        columns = [labels[:, [j]] == np.arange(low, high + 1) for j, low, high in self.domains]
        return np.concatenate([np.zeros((len(labels), 0), bool), *columns], axis=1).astype(np.int64)

    def rows(self, variables: Variables) -> list[Row]:
        """Two rows per variable: it has exactly one value, and it is that value."""
        rows: list[Row] = []
        for domain in self.domains:
            j, low, _ = domain
            names = self._names(domain, variables)
            rows.append((dict.fromkeys(names, 1), "==", 1))
            worth = {name: low + k for k, name in enumerate(names) if low + k}
            rows.append((worth | {variables.names[j]: -1}, "==", 0))
        return rows

    def _require_fit(self, variables: Variables) -> None:
        places = [j for j, _, _ in self.domains]
        inside = all(
            0 <= j < len(variables) and variables.lower[j] <= low <= high <= variables.upper[j]
            for j, low, high in self.domains
        )
        if not inside or len(set(places)) < len(places):
            raise DataError("the domains of a lift do not fit its variables: mine the labels again")

    @staticmethod
    def _names(domain: Domain, variables: Variables) -> list[str]:
        j, low, high = domain
        taken, names = set(variables.names), []
        for value in range(low, high + 1):
            name = f"{variables.names[j]} = {value}".replace("= -", "= −")
            while name in taken:
                name += "′"
            names.append(name)
        return names

    def _layout(self, variables: Variables) -> Layout:
        """The grids of the variables with one more axis; variables in no grid are one grid of their own."""
        first, start = dict[int, tuple[int, int, int]](), 0
        for j, low, high in self.domains:
            first[j], start = (start, low, high), start + high - low + 1
        grids, alone = list[Grid](), set(first)
        for grid in variables.layout.grids:
            grids += _with_values(grid, first)
            alone -= set(grid.places.ravel().tolist())
        places = np.array(sorted(alone), np.int64)
        own = Axis("variable", tuple(variables.names[j] for j in places), ordered=False)
        grids += _with_values(Grid("", (own,), places), first) if len(places) > 1 else []
        return Layout(tuple(grids if len(grids) > 1 else (replace(grid, stem="") for grid in grids)))


def _with_values(grid: Grid, first: dict[int, tuple[int, int, int]]) -> list[Grid]:
    """A grid with the values as its last axis; none if no variable of it has latents, or if values are far apart.

    `first` has the place of the first latent of each variable, and its least and largest value.
    """
    inside = {j: first[j] for j in grid.places.ravel().tolist() if j in first}
    if not inside:
        return []
    least, most = min(low for _, low, _ in inside.values()), max(high for _, _, high in inside.values())
    if most - least >= budgets.VALUE_LATENTS:
        return []
    places = np.full((*grid.places.shape, most - least + 1), -1, np.int64)
    for index, j in np.ndenumerate(grid.places):
        if int(j) in inside:
            start, low, high = inside[int(j)]
            places[index][low - least : high - least + 1] = np.arange(start, start + high - low + 1)
    name = next(text for text in ("value", "value of it", "number") if text not in {axis.name for axis in grid.axes})
    values = tuple(str(value).replace("-", "−") for value in range(least, most + 1))
    return [Grid(grid.stem, (*grid.axes, Axis(name, values, ordered=False)), places)]


def few_values(variables: Variables) -> BoolArray:
    """Which variables are integers with so few values that each gets a latent."""
    sizes = variables.upper - variables.lower + 1
    return np.asarray(~variables.binary & (sizes >= 3) & (sizes <= budgets.VALUES_OF_ONE))
