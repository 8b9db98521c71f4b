"""Holes: values of differences that never occur, or hardly ever, between values that do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Holes:
    """One entry per pair of columns and value: `first < second` are the columns, `value` one of `first − second`.

    `expected` says how many examples were to be expected with this value, and `exceptions` how many have it. It
    is `narrow` if both values beside it occur.
    """

    first: IntArray
    second: IntArray
    value: IntArray
    expected: FloatArray
    exceptions: IntArray
    narrow: BoolArray

    @classmethod
    def joined(cls, parts: Sequence[Holes]) -> Holes:
        """All entries of these parts."""
        none: IntArray = np.zeros(0, np.int64)
        parts = parts or [cls(none, none, none, np.zeros(0), none, np.zeros(0, bool))]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))

    def __len__(self) -> int:
        return len(self.first)

    def __getitem__(self, which: BoolArray | IntArray) -> Holes:
        return Holes(*(getattr(self, name)[which] for name in self.__dataclass_fields__))


@dataclass(frozen=True)
class WideRun:
    """The values from `start` to `end`, which include 0, never occur: one task is before the other.

    `left` and `right` say how often the values of the run would occur if the counts beside it went on into it. Tasks
    that cannot overlap often follow each other at once, so that counts are high up to the edge of the run; those of two
    clouds of labels fall towards it, or have other holes. `falls` is True if the counts do so on a side. `expected` is
    the number of examples that were to be expected in the run.
    """

    start: int
    end: int
    left: float
    right: float
    falls: bool
    expected: float
