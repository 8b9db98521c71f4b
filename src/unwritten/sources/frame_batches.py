"""Batches that are data frames with text, dates or missing values: one table in several pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from unwritten.data.frames import holds_only_integers, is_frame
from unwritten.sources.blocks import failures_named
from unwritten.tables.frame_table import concatenated_frames


def joined_table(batches: Any) -> tuple[Any, Any]:
    """One Arrow table of all batches if the first one is a frame with text, dates or missing values, else None.

    Also returns the batches to read from now on, because looking at the first batch of an iterator consumes it.
    """
    opened = batches() if callable(batches) else batches
    if not isinstance(opened, Iterable):
        return None, lambda: opened
    pieces = failures_named(iter(opened))
    first = next(pieces, None)
    whole = pieces if first is None else chain([first], pieces)
    if is_frame(first) and not holds_only_integers(first):
        return concatenated_frames(whole), batches
    if callable(batches):
        return None, _Reopened(batches, whole)
    return None, whole if isinstance(batches, Iterator) else batches


class _Reopened:
    """A function that returns batches; its first call returns a pass that was opened before."""

    def __init__(self, function: Callable[[], Iterable[Any]], first_pass: Iterable[Any]) -> None:
        self._function, self._first_pass = function, first_pass

    def __call__(self) -> Iterable[Any]:
        batches, self._first_pass = self._first_pass, ()
        return batches or self._function()
