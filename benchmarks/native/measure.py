"""Measure: something to time, and how many units of work one run does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Measure:
    """`run(count)` works on the first `count` units and returns what the digest of the answer is made of."""

    units: int
    of: str  # what a unit is: "query", "search"
    run: Callable[[int], Iterable[object]]
