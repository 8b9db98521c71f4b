"""Pile: the tally of a stream of blocks; tallies of about equal size are merged."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from unwritten.errors import DataError
from unwritten.tally.tally import Tally


class Pile:
    """Counts blocks of labels one after the other; neither their order nor their sizes change the result.

    Parameters
    ----------
    most
        Entries of distinct labels to keep; None to keep them all.
    start
        The tally of the blocks that were counted before.
    """

    def __init__(self, most: int | None, start: Tally | None = None) -> None:
        self._most = most
        self._stack = [] if start is None else [start]

    def add(self, labels: NDArray[Any]) -> None:
        """Count a block of labels."""
        self._stack.append(Tally.of(labels, self._most, self._stack[0].thinned if self._stack else 0))
        while len(self._stack) > 1 and len(self._stack[-2].seen) <= 2 * len(self._stack[-1].seen):
            self._merge()

    def total(self) -> Tally:
        """The tally of all blocks so far."""
        if not self._stack:
            raise DataError("labels are empty: give at least one example")
        while len(self._stack) > 1:
            self._merge()
        return self._stack[0]

    def _merge(self) -> None:
        self._stack[-2:] = [self._stack[-2] + self._stack[-1]]
