"""Count labels block by block, and check that all blocks have the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unwritten.data import IntArray, Variables
from unwritten.errors import DataError
from unwritten.options import MiningOptions
from unwritten.sources.blocks import Block
from unwritten.tally import Tally
from unwritten.tally.pile import Pile


@dataclass(frozen=True, eq=False)
class CountedLabels:
    """The tally of some blocks, the range of each column and, if the blocks have them, the names of the columns."""

    tally: Tally
    lower: IntArray
    upper: IntArray
    names: tuple[str, ...] | None = None

    @classmethod
    def merged(cls, parts: Sequence[CountedLabels]) -> CountedLabels:
        """Merge the counts of several parts."""
        first = parts[0]
        for part in parts:
            _require_same_columns(first.names, len(first.lower), part.names, len(part.lower))
        lower, upper = np.min([part.lower for part in parts], axis=0), np.max([part.upper for part in parts], axis=0)
        return cls(Tally.merged([part.tally for part in parts]), lower, upper, first.names)

    def variables(self, options: MiningOptions) -> Variables:
        """The variables, as if they were read off all labels at once."""
        names = self.names if options.names is None else options.names
        return Variables.of(np.stack([self.lower, self.upper]), names, options.bounds, options.layout)


class LabelCounter:
    """Counts blocks of labels one after the other.

    Parameters
    ----------
    options
        The names, bounds and axes that the user gave; the first block of labels that does not fit them is refused.
    most
        Integers of distinct labels to keep; None keeps all labels.
    start
        The counts of earlier blocks, to go on from.
    """

    def __init__(self, options: MiningOptions, most: int | None, start: CountedLabels | None = None) -> None:
        self._given_names, self._bounds, self._layout = options.names, options.bounds, options.layout
        self._pile = Pile(most, None if start is None else start.tally)
        self._names = None if start is None else start.names
        self._range = None if start is None else (start.lower, start.upper)

    @property
    def empty(self) -> bool:
        """True if no label has been counted yet."""
        return self._range is None

    def add(self, block: Block) -> None:
        """Count a block."""
        if not len(block.labels):
            return
        if self._range is not None:
            _require_same_columns(self._names, len(self._range[0]), block.names, block.labels.shape[1])
        if self._bounds is not None or self._range is None:
            names = block.names if self._given_names is None else self._given_names
            Variables.of(block.labels, names, self._bounds, self._layout)
        self._pile.add(block.labels)
        low, high = (side.astype(np.int64) for side in (block.labels.min(axis=0), block.labels.max(axis=0)))
        if self._range is not None:
            low, high = np.minimum(low, self._range[0]), np.maximum(high, self._range[1])
        self._names, self._range = block.names, (low, high)

    def total(self) -> CountedLabels:
        """Everything counted so far."""
        tally = self._pile.total()
        if self._range is None:
            raise DataError("labels are empty: give at least one example")
        return CountedLabels(tally, *self._range, self._names)


def _require_same_columns(
    names: tuple[str, ...] | None, width: int, other_names: tuple[str, ...] | None, other_width: int
) -> None:
    if width != other_width:
        raise DataError(
            f"labels have {other_width} columns and those before have {width}: give the same columns every time"
        )
    if names != other_names:
        raise DataError(
            "labels have other column names than those before: give the same columns in the same order every time"
        )
