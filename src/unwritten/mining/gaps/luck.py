"""Luck: which of the values that never occur are ruled out, and which are missing by luck.

All values of one class are judged together. If differences of many pairs never have the value, though it was to be
expected E times, and few pairs have it, then most of those that never have it are ruled out. The odds that one of them
is lucky are

    (1 + pairs that have it) / (pairs that never have it) · e^−E,

counted among pairs for which the value was expected at least E times. So a value that never occurs in one pair of a
thousand needs ln 1000 nats more; one that no pair has needs nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray

LUCKY = 0.1
"""The share of 1 − confidence that the odds of one value may take: a model states many of them."""


@dataclass(frozen=True, eq=False)
class Beliefs:
    """For values that never occur: the price of each in nats, and the odds that it is lucky."""

    price: FloatArray
    odds: FloatArray

    def sure(self, confidence: float) -> BoolArray:
        """Which values are ruled out."""
        return np.asarray(self.odds <= LUCKY * (1 - confidence))


def beliefs(expected: FloatArray, seen: FloatArray, families: int = 1) -> Beliefs:
    """GapJudge the values of one class.

    Parameters
    ----------
    expected
        How often each value that never occurs was to be expected.
    seen
        How often the values that do occur were to be expected.
    families
        The number of classes that were tried.
    """
    never_stronger = _at_least(expected, expected)
    price = np.log(families * (1 + _at_least(seen, expected)) / np.maximum(1, never_stronger))
    return Beliefs(price, np.exp(np.minimum(price - expected, 50.0)))


def _at_least(values: FloatArray, levels: FloatArray) -> IntArray:
    """How many of the values reach each level."""
    ordered = np.sort(values)
    return np.asarray(len(ordered) - np.searchsorted(ordered, levels, side="left"))
