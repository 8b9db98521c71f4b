"""Claims: bounds that no or few labels pass, with the evidence for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from unwritten.data import IntArray

Level = Literal["slice", "part", "difference", "link"]
"""Sums over slices of grids, over parts of slices (windows, some values, diagonals), and rows of two columns."""


@dataclass(frozen=True, eq=False)
class Bound:
    """One row: the sum of `values` times the columns is at most `most`."""

    columns: IntArray
    values: IntArray
    most: int


@dataclass(frozen=True, eq=False)
class Claim:
    """Bounds that are believed together or not at all.

    Parameters
    ----------
    level
        The sort of claim: luck is judged by near-rules of the same sort.
    bounds
        Its rows.
    nats, price
        The evidence against the best rival, and the logarithm of the number of claims it was chosen from.
    exceptions
        How many examples break it: 0 for a rule, up to 3 for a near-rule.
    alike
        In how many places it was tested at once.
    lonely
        True if most rows of the same form have no bound.
    """

    level: Level
    bounds: tuple[Bound, ...]
    nats: float
    price: float
    exceptions: float
    alike: int = 1
    lonely: bool = False

    @property
    def strength(self) -> float:
        """The evidence less the price."""
        return self.nats - self.price
