"""Condition: the protocol of a test of rows, and what it is asked by.

A condition is true, false or unknown for a row, as in SQL: it is unknown if a cell is missing that it needs. Only rows
for which it is false break it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from unwritten.data import BoolArray
from unwritten.tables.column import Level
from unwritten.tables.typed_rows import TypedRows


class Truth(NamedTuple):
    """For which rows a condition is true and for which it is false; it is unknown for all others."""

    yes: BoolArray
    no: BoolArray

    @classmethod
    def known(cls, yes: BoolArray) -> Truth:
        """True or false for every row."""
        return cls(yes, ~yes)

    @classmethod
    def where(cls, there: BoolArray, yes: BoolArray) -> Truth:
        """True or false where all cells are there, and unknown elsewhere."""
        return cls(there & yes, there & ~yes)


class Condition(ABC):
    """A test of the rows of a table; `about` are its fields that name columns."""

    about: ClassVar[tuple[str, ...]] = ("column",)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it needs, each once."""
        return tuple(dict.fromkeys(named_columns(self, self.about)))

    @abstractmethod
    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Evaluate it for some rows; what it must know of earlier rows of the same table is kept in `memory`."""

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """Yield changes of one cell of a single row that may turn the condition round."""
        yield from ()


def named_columns(statement: object, about: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns that some fields of a statement name; a field names one column, or several."""
    values = (getattr(statement, name) for name in about)
    return tuple(name for value in values for name in ((value,) if isinstance(value, str) else value))


Suggestion = tuple[str, Level]
"""A column, and a text that its cell could hold instead; None for a missing cell."""


class Checker:
    """Says which rows of one table break a condition; the table is given block by block."""

    def __init__(self, condition: Condition) -> None:
        self._condition = condition
        self._memory: dict[Condition, Any] = {}

    def __call__(self, rows: TypedRows) -> BoolArray:
        """Return which rows break it."""
        return self._condition.truth(rows, self._memory).no
