"""Parts of gaps: values that a small sum never takes, as arrays over the places of variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from unwritten.data import IntArray, Variables

Term = tuple[str, int]  # a variable and its factor


class GapPart(NamedTuple):
    """The sum of the terms is at most `low` or at least `high`."""

    terms: tuple[Term, ...]
    low: int
    high: int

    @classmethod
    def of_difference(cls, first: str, second: str, low: int, high: int) -> GapPart:
        """`first − second ≤ low`, or `first − second ≥ high`."""
        return cls(((first, 1), (second, -1)), low, high)

    @property
    def reversed(self) -> GapPart:
        """The same about the negative sum."""
        terms = tuple((name, -factor) for name, factor in self.terms[::-1])
        return GapPart(terms, -self.high, -self.low)


@dataclass(frozen=True, eq=False)
class GapParts:
    """Parts over places of variables: Σ factors·y[columns] is at most `low` or at least `high`, for each of k rows.

    `columns` and `factors` are k × w; entries that a part does not need have the factor 0. `gap` has the place of the
    gap that each part belongs to.
    """

    columns: IntArray
    factors: IntArray
    low: IntArray
    high: IntArray
    gap: IntArray

    @classmethod
    def of(cls, parts: Sequence[tuple[GapPart, int]], variables: Variables) -> GapParts:
        """Parts of named variables, each with the place of its gap."""
        width = max((len(part.terms) for part, _ in parts), default=2)
        columns, factors = (np.zeros((len(parts), width), np.int64) for _ in range(2))
        for k, (part, _) in enumerate(parts):
            columns[k, : len(part.terms)] = [variables.index[name] for name, _ in part.terms]
            factors[k, : len(part.terms)] = [factor for _, factor in part.terms]
        ends = np.array([(part.low, part.high, gap) for part, gap in parts], np.int64).reshape(-1, 3)
        return cls(columns, factors, *ends.T)

    @classmethod
    def none(cls) -> GapParts:
        """No parts."""
        nothing, pairs = np.zeros(0, np.int64), np.zeros((0, 2), np.int64)
        return cls(pairs, pairs, nothing, nothing, nothing)

    def __len__(self) -> int:
        return len(self.low)

    def sums(self, labels: IntArray, part: int) -> IntArray:
        """The sum of one part in each label (n × d)."""
        used = self.factors[part] != 0
        return np.asarray(labels[:, self.columns[part, used]].astype(np.int64) @ self.factors[part, used])

    def shifted(self, origin: IntArray) -> GapParts:
        """The same about variables that are counted from `origin`."""
        moved = (origin[self.columns] * self.factors).sum(axis=1)
        return replace(self, low=self.low - moved, high=self.high - moved)
