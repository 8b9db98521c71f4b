"""Gathering: blocks of labels as they come, checked to be alike, and all that mining needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unwritten.data import IntArray, Variables
from unwritten.errors import DataError
from unwritten.sources.blocks import Block
from unwritten.tally import Tally
from unwritten.tally.tally import Pile

Bounds = tuple[Sequence[int] | int, Sequence[int] | int]


@dataclass(frozen=True, eq=False)
class Gathered:
    """The tally of some blocks, the range of their values and, where they have them, the names of their columns."""

    tally: Tally
    lower: IntArray
    upper: IntArray
    names: tuple[str, ...] | None = None

    @classmethod
    def merged(cls, parts: Sequence[Gathered]) -> Gathered:
        """All of several."""
        first = parts[0]
        for part in parts:
            _require_alike(first.names, len(first.lower), part.names, len(part.lower))
        lower, upper = np.min([part.lower for part in parts], axis=0), np.max([part.upper for part in parts], axis=0)
        return cls(Tally.merged([part.tally for part in parts]), lower, upper, first.names)

    def variables(self, names: Sequence[str] | None, bounds: Bounds | None) -> Variables:
        """The variables, as if they were read off all labels at once."""
        return Variables.of(np.stack([self.lower, self.upper]), self.names if names is None else names, bounds)


class Gathering:
    """Takes in blocks one after the other, and looks at each with the names and bounds that are given."""

    def __init__(
        self, names: Sequence[str] | None, bounds: Bounds | None, most: int | None, start: Gathered | None = None
    ) -> None:
        self._given, self._bounds = names, bounds
        self._pile = Pile(most, None if start is None else start.tally)
        self._names = None if start is None else start.names
        self._range = None if start is None else (start.lower, start.upper)

    @property
    def empty(self) -> bool:
        """Whether no label has come yet."""
        return self._range is None

    def add(self, block: Block) -> None:
        """Take in a block."""
        if not len(block.labels):
            return
        if self._range is not None:
            _require_alike(self._names, len(self._range[0]), block.names, block.labels.shape[1])
        if self._bounds is not None or self._range is None:  # complain early of names and bounds that do not fit
            Variables.of(block.labels, block.names if self._given is None else self._given, self._bounds)
        self._pile.add(block.labels)
        low, high = (side.astype(np.int64) for side in (block.labels.min(axis=0), block.labels.max(axis=0)))
        if self._range is not None:
            low, high = np.minimum(low, self._range[0]), np.maximum(high, self._range[1])
        self._names, self._range = block.names, (low, high)

    def total(self) -> Gathered:
        """What was taken in so far."""
        tally = self._pile.total()
        if self._range is None:
            raise DataError("labels are empty: give at least one example")
        return Gathered(tally, *self._range, self._names)


def _require_alike(names: tuple[str, ...] | None, width: int, others: tuple[str, ...] | None, wide: int) -> None:
    if width != wide:
        raise DataError(f"labels have {wide} columns and those before have {width}: give the same columns every time")
    if names != others:
        raise DataError(
            "labels have other column names than those before: give the same columns in the same order every time"
        )
