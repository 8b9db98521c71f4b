"""ColumnValues: what one column of a table holds, gathered batch by batch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.tables.column import Level, is_integer
from unwritten.tables.quoting import shown

NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)  # 007 is a code


@dataclass
class ColumnValues:
    """The values of one column seen so far: at most `max_levels` + 1 different ones, and what they have in common.

    `levels` are the different texts, in the order they appeared. `integers` and `numbers` say whether all of them are
    so; `low` and `high` are the range of integers. `binned` columns also keep every number, to place the bins.
    """

    name: str
    max_levels: int
    binned: bool = False
    levels: dict[str, None] = field(default_factory=dict)
    rows: int = 0
    missing: int = 0
    integers: bool = True
    numbers: bool = True
    repeats: bool = False
    low: int | None = None
    high: int = 0
    binned_numbers: list[FloatArray] = field(default_factory=list)

    @property
    def too_many(self) -> bool:
        """True if there are more than `max_levels` different values."""
        return len(self.levels) > self.max_levels

    @property
    def settled(self) -> bool:
        """True if more rows would change nothing: text with too many different values, some of them repeated."""
        return self.too_many and not self.integers and not self.numbers and self.repeats

    @property
    def largest(self) -> int:
        """The largest absolute value of the integers."""
        return max(abs(self.low or 0), abs(self.high))

    @property
    def consecutive(self) -> bool:
        """True if the integers span as many values as there are rows, as numbers given one after the other do."""
        return self.integers and self.high - (self.low or 0) + 1 == self.rows

    def add(self, texts: Sequence[Level], index: IntArray) -> None:
        """Take in a batch in which row i holds `texts[index[i]]`."""
        counts = np.bincount(index, minlength=len(texts))
        self.rows += len(index)
        for text, count in zip(texts, counts.tolist(), strict=True):
            if not count:
                continue
            if text is None:
                self.missing += count
                continue
            is_new = text not in self.levels
            self.repeats |= count > 1 or not is_new
            if is_new and not self.too_many:
                self.levels[text] = None
            if is_new:
                self._inspect(text)
        if self.binned:
            numbers = np.array([_number(text, self.name) for text in texts], float)[index]
            self.binned_numbers.append(numbers[~np.isnan(numbers)])

    def _inspect(self, text: str) -> None:
        if self.integers:
            if is_integer(text):
                value = int(text)
                self.high = value if self.low is None else max(self.high, value)
                self.low = value if self.low is None else min(self.low, value)
            else:
                self.integers = False
        if self.numbers and not self.integers:
            self.numbers = _is_number(text)


def _is_number(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None and bool(np.isfinite(float(text)))


def _number(text: Level, name: str) -> float:
    if text is None:
        return float("nan")
    if not _is_number(text):
        raise DataError(
            f"column {shown(name)!r} holds {shown(text)!r}, which is not a number and fits no bin: use category or skip"
        )
    return float(text)
