"""Measure: something to time, and how many units of work one run does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measure:
    """`run(count)` works on the first `count` units and is timed; the digest is made of `answer` of its result."""

    units: int
    of: str  # what a unit is: "query", "search"
    run: Callable[[int], Any]
    answer: Callable[[Any], Iterable[object]] = iter
