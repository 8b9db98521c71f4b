"""ColumnValues: what one column of a table holds, gathered batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.tables.column import Level, is_integer, plain_integer
from unwritten.tables.quoting import shown
from unwritten.tables.roles import date_number, digits_after_point, is_number, timestamp_number


@dataclass
class ColumnValues:
    """The values of one column seen so far: at most `max_levels` + 1 different ones, and what they have in common.

    `levels` are the different texts, in the order they appeared, each with the rows that hold it. `integers`,
    `numbers`, `dates` and `timestamps` say whether all of them are of that sort; `low` and `high` are the range of
    integers, `digits` are the most digits that a number has after its point, and `largest_number` is the largest of
    them without its sign. `spaces` says whether a text has a space in it. `binned` columns also keep every number, to
    place the bins.
    """

    name: str
    max_levels: int
    binned: bool = False
    levels: dict[str, int] = field(default_factory=dict)
    rows: int = 0
    missing: int = 0
    integers: bool = True
    numbers: bool = True
    dates: bool = True
    timestamps: bool = True
    spaces: bool = False
    digits: int = 0
    largest_number: float = 0.0
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
        is_text = not (self.integers or self.numbers or self.dates or self.timestamps)
        return self.too_many and is_text and self.repeats

    @property
    def plain_levels(self) -> list[str]:
        """The levels; those of integers in their plain form."""
        return list(dict.fromkeys(map(plain_integer, self.levels))) if self.integers else list(self.levels)

    @property
    def once(self) -> int:
        """How many of the kept values were seen in one row only."""
        return sum(count == 1 for count in self.levels.values())

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
            if not is_new or not self.too_many:
                self.levels[text] = self.levels.get(text, 0) + count
            if is_new:
                self._inspect(text)
        if self.binned:
            numbers = np.array([_number(text, self.name) for text in texts], float)[index]
            self.binned_numbers.append(numbers[~np.isnan(numbers)])

    def _inspect(self, text: str) -> None:
        if self.integers:
            if is_integer(plain := plain_integer(text)):
                value = int(plain)
                self.high = value if self.low is None else max(self.high, value)
                self.low = value if self.low is None else min(self.low, value)
                self.dates = self.timestamps = False
                return
            self.integers = False
            if self.low is not None:  # the texts so far were integers
                self.largest_number = float(self.largest)
        self.spaces |= " " in text.strip()
        if self.numbers:
            self.numbers = is_number(text)
            if self.numbers:
                self.digits = max(self.digits, digits_after_point(text))
                self.largest_number = max(self.largest_number, abs(float(text)))
        if self.dates or self.timestamps:
            is_date = date_number(text) is not None
            self.dates &= is_date
            self.timestamps = self.timestamps and (is_date or timestamp_number(text) is not None)


def _number(text: Level, name: str) -> float:
    if text is None:
        return float("nan")
    if not is_number(text):
        raise DataError(
            f"column {shown(name)!r} holds {shown(text)!r}, which is not a number and fits no bin: use category or skip"
        )
    return float(text)
