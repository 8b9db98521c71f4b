"""A classical problem with many solutions, and its labels in one or two encodings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.random import Generator

from experiments.families.listing import solutions_of
from experiments.families.one_hot import OneHot
from experiments.families.space import Space
from experiments.families.walk import walked
from unwritten.data import BoolArray, IntArray

Encoding = Literal["0/1", "integers"]
Draw = Callable[[int, Generator], IntArray]  # number of solutions → their values


@dataclass(frozen=True, eq=False)
class FamilyProblem:
    """The solutions of a space, and how they are drawn and encoded.

    Parameters
    ----------
    name
        What the problem is called.
    names
        The names of the variables, with indices.
    space
        The bounds of the variables and the rows that solutions obey.
    draw
        How solutions are drawn; by default by random walks from solutions of CP-SAT.
    hot
        The names of the columns of each variable if labels are 0/1, one per value; None if there is one encoding only.
        A variable with one name stays one column.
    also
        What solutions obey beside the rows.
    chosen
        True if labels are `hot`.
    """

    name: str
    names: tuple[str, ...]
    space: Space
    draw: Draw | None = None
    hot: tuple[tuple[str, ...], ...] | None = None
    also: Callable[[IntArray], BoolArray] | None = None
    chosen: bool = False

    @property
    def encodings(self) -> tuple[Encoding, ...]:
        """The encodings that make sense."""
        if self.hot is not None:
            return "0/1", "integers"
        return ("0/1",) if self._binary else ("integers",)

    def encoded(self, encoding: Encoding) -> FamilyProblem:
        """The same problem with labels in one of its encodings."""
        if encoding not in self.encodings:
            raise ValueError(f"{self.name} has the encodings {', '.join(self.encodings)}")
        return replace(self, chosen=self.hot is not None and encoding == "0/1")

    @property
    def encoding(self) -> Encoding:
        """The encoding of the labels."""
        return "0/1" if self.chosen or self._binary else "integers"

    @property
    def label_names(self) -> tuple[str, ...]:
        """The names of the columns of labels."""
        return self._blocks.names if self.chosen else self.names

    def values(self, n: int, rng: Generator) -> IntArray:
        """Draw n solutions, as the values of the variables."""
        return walked(self.space, n, rng) if self.draw is None else self.draw(n, rng)

    def sample(self, n: int, rng: Generator) -> IntArray:
        """Draw the labels of n solutions."""
        return self.labels(self.values(n, rng))

    def labels(self, values: IntArray) -> IntArray:
        """Encode values as labels."""
        return self._blocks.encode(values) if self.chosen else values

    def allowed(self, labels: IntArray) -> BoolArray:
        """Which labels are those of solutions, exactly."""
        if self.chosen:
            values, proper = self._blocks.decode(labels)
        else:
            values, proper = labels, np.ones(len(labels), bool)
        proper = proper & self.space.obeyed_by(values)
        if self.also is not None:
            proper[proper] = self.also(values[proper])
        return proper

    def neighbours(self, labels: IntArray, rng: Generator) -> tuple[IntArray, BoolArray]:
        """One label one step from each of some solutions, and which of the steps give one variable another value.

        Half of the steps of integers are by 1, the others go to any other value. With 0/1 columns for each value, half
        of the steps change one column; its label encodes nothing.
        """
        values = self._blocks.decode(labels)[0] if self.chosen else labels
        stepped = self.labels(_stepped(values, self.space, rng))
        moved = np.ones(len(labels), bool)
        if self.chosen:
            each = np.flatnonzero(rng.random(len(labels)) < 0.5)
            column = rng.integers(labels.shape[1], size=len(each))
            stepped[each] = labels[each]
            stepped[each, column] = 1 - labels[each, column]
            moved[each] = False
        return stepped, moved

    def swaps(self, labels: IntArray, rng: Generator) -> IntArray:
        """Labels in which two variables with the same bounds have swapped their values.

        A sum over both stays the same, so a model that knows only sums does not see it.
        """
        values = self._blocks.decode(labels)[0] if self.chosen else labels
        pairs = self.space.alike
        if len(pairs) == 0:
            return labels[:0]
        one, other = pairs[rng.integers(len(pairs), size=len(values))].T
        swapped, each = values.copy(), np.arange(len(values))
        swapped[each, one], swapped[each, other] = values[each, other], values[each, one]
        return self.labels(swapped)

    @property
    def _binary(self) -> bool:
        return bool((self.space.lower >= 0).all() and (self.space.upper <= 1).all())

    @cached_property
    def _blocks(self) -> OneHot:
        return OneHot(self.hot or (), self.space.lower)


def fair(space: Space) -> Draw:
    """Draw from the list of all solutions, each equally likely."""
    return lambda n, rng: solutions_of(space)[rng.integers(len(solutions_of(space)), size=n)]


def _stepped(values: IntArray, space: Space, rng: Generator) -> IntArray:
    """Give one variable of each line another value: one more or less, or any."""
    stepped, each = values.copy(), np.arange(len(values))
    free = np.flatnonzero(space.sizes > 1)
    column = free[rng.integers(len(free), size=len(values))]
    size, place = space.sizes[column], values[each, column] - space.lower[column]
    step = np.where(rng.random(len(values)) < 0.5, 1, -1)
    step = np.where((place + step < 0) | (place + step >= size), -step, step)
    anywhere = rng.random(len(values)) < 0.5
    step = np.where(anywhere, 1 + rng.integers(size - 1), step)
    stepped[each, column] = space.lower[column] + (place + step) % size
    return stepped
