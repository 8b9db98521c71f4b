"""Logic: conditions made of conditions, in the three-valued logic of SQL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.conditions.condition import Condition, Suggestion, Truth
from unwritten.tables.typed_rows import TypedRows


@dataclass(frozen=True)
class Not(Condition):
    """The other condition is false."""

    part: Condition

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of the other condition."""
        return self.part.columns

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """True and false change places."""
        yes, no = self.part.truth(rows, memory)
        return Truth(no, yes)

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """Those of the other condition."""
        yield from self.part.suggestions(row)


@dataclass(frozen=True)
class _Joined(Condition):
    parts: tuple[Condition, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of all parts."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.columns))

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """Those of all parts."""
        for part in self.parts:
            yield from part.suggestions(row)


@dataclass(frozen=True)
class All(_Joined):
    """All parts are true."""

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """False if one part is false."""
        yes, no = np.ones(rows.rows, bool), np.zeros(rows.rows, bool)
        for part in self.parts:
            of_part = part.truth(rows, memory)
            yes, no = yes & of_part.yes, no | of_part.no
        return Truth(yes, no)


@dataclass(frozen=True)
class Either(_Joined):
    """At least one part is true."""

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """True if one part is true."""
        yes, no = np.zeros(rows.rows, bool), np.ones(rows.rows, bool)
        for part in self.parts:
            of_part = part.truth(rows, memory)
            yes, no = yes | of_part.yes, no & of_part.no
        return Truth(yes, no)


@dataclass(frozen=True)
class Same(Condition):
    """Both conditions are true, or both are false."""

    left: Condition
    right: Condition

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of both conditions."""
        return tuple(dict.fromkeys((*self.left.columns, *self.right.columns)))

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Unknown if one of them is."""
        left, right = self.left.truth(rows, memory), self.right.truth(rows, memory)
        return Truth(left.yes & right.yes | left.no & right.no, left.yes & right.no | left.no & right.yes)

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """Those of both conditions."""
        yield from self.left.suggestions(row)
        yield from self.right.suggestions(row)


def flat(condition: Condition) -> Iterator[Condition]:
    """Yield the conditions that must all be true; none of them is an `All`."""
    if isinstance(condition, All):
        for part in condition.parts:
            yield from flat(part)
    else:
        yield condition
