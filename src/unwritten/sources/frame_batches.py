"""Batches that are data frames with text, dates or missing values: one table in several pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from unwritten.data.frames import eager_frame, holds_only_integers, is_frame
from unwritten.errors import DataError
from unwritten.sources.blocks import failures_named


def joined_table(batches: Any) -> tuple[Any, Any]:
    """An Arrow table of all batches if the first one is a frame that labels cannot be read from, else None.

    Also returns the batches to go on with, because looking at the first one of an iterator takes it.
    """
    opened = batches() if callable(batches) else batches
    if not isinstance(opened, Iterable):
        return None, lambda: opened
    pieces = failures_named(iter(opened))
    first = next(pieces, None)
    whole = pieces if first is None else chain([first], pieces)
    if is_frame(first) and not holds_only_integers(first):
        return _concatenated(whole), batches
    if callable(batches):
        return None, _Reopened(batches, whole)
    return None, whole if isinstance(batches, Iterator) else batches


class _Reopened:
    """A function that returns batches, whose first pass was opened already."""

    def __init__(self, function: Callable[[], Iterable[Any]], first_pass: Iterable[Any]) -> None:
        self._function, self._first_pass = function, first_pass

    def __call__(self) -> Iterable[Any]:
        batches, self._first_pass = self._first_pass, ()
        return batches or self._function()


def _concatenated(frames: Iterable[Any]) -> Any:
    import pyarrow as pa

    tables = []
    for k, frame in enumerate(frames):
        eager = eager_frame(frame)
        if eager is None:
            raise DataError(
                f"batch {k} is of type {type(frame).__name__} and the batches before are data frames: give data "
                "frames with the same columns every time"
            )
        tables.append(eager.to_arrow())
        if tables[-1].column_names != tables[0].column_names:
            raise DataError(f"batch {k} has other columns than the batches before: give the same columns every time")
    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except pa.ArrowException as error:
        raise DataError(
            f"the batches have columns of different types ({error}): give each column one type in all batches"
        ) from error
