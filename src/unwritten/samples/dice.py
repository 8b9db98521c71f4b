"""Dice: random choices that are the same on every machine and for every version of Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Draws by `random.Random.random` alone, the one method whose numbers Python promises to keep.

    >>> dice = Dice(0)
    >>> [dice.between(1, 6) for _ in range(5)], dice.one_of("abc")
    ([6, 5, 3, 2, 4], 'b')
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def between(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, both included."""
        return low + int(self._random() * (high - low + 1))

    def one_of(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return choices[int(self._random() * len(choices))]

    def happens(self, chance: float) -> bool:
        """Return True with this chance."""
        return self._random() < chance
