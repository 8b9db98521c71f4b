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
class CountsBeside:
    """What is beside a run on one side: how many examples have each of the three nearest values, the nearest first.

    `most` is the largest count of any value on this side. All are 0 if no value occurs there.
    """

    nearest: tuple[int, int, int]
    most: int

    @property
    def peaks(self) -> bool:
        """True if no value on this side is more frequent than the nearest one."""
        return 0 < self.most == self.nearest[0]


@dataclass(frozen=True)
class WideRun:
    """The values from `start` to `end`, which include 0, never occur: one task is before the other.

    Tasks that cannot overlap often follow each other at once, so that counts are high up to the edge of the run; counts
    that fall towards the edge come from two separate clouds of labels instead. `expected` is the number of examples
    that were to be expected in the run. If one order never occurs, the run ends at 0 on that side.
    """

    start: int
    end: int
    left: CountsBeside
    right: CountsBeside
    expected: float
