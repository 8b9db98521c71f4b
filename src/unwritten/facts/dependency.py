"""Dependency: the values of some columns decide the value of another one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import ColumnName, ColumnNames
from unwritten.facts.listing import names_text
from unwritten.tables import Schema
from unwritten.tables.column import Level, plain_integer
from unwritten.tables.typed_rows import TypedRows

Entry = tuple[Level, ...]  # the texts on the left, then the text on the right


@dataclass(frozen=True, repr=False)
class Dependency(Fact):
    """Equal values of the columns `left` come with equal values of the column `right`.

    `mapping` are the values that were seen: the texts on the left, then the text on the right. Without any (a person
    gave the fact), the rows of a table are compared with each other. If `both`, the right side decides the left one,
    too.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("year", "integer", lower=1990, upper=2020),))
    >>> Dependency(("movieId",), "title", ()).words(schema)
    'movieId determines title'
    """

    kind = "determines"
    left: ColumnNames
    right: ColumnName
    mapping: tuple[Entry, ...]
    both: bool = False

    def __post_init__(self) -> None:
        width = len(self.left) + 1
        if (self.both and width > 2) or self.right in self.left or any(len(entry) != width for entry in self.mapping):
            raise DataError("a dependency does not fit its columns: mine the table again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns on the left, then the one on the right."""
        return (*self.left, self.right)

    @property
    def identity(self) -> Any:
        """The columns: new values do not make it another fact."""
        return [sorted(self.left), self.right, self.both]

    def words(self, schema: Schema) -> str:
        """`movieId determines title`, or `a and b determine each other`."""
        if self.both:
            return f"{names_text(self.columns)} determine each other"
        verb = "determines" if len(self.left) == 1 else "determine"
        return f"{names_text(self.left)} {verb} {names_text([self.right])}"

    @cached_property
    def _right_of(self) -> dict[Entry, Level]:
        return {entry[:-1]: entry[-1] for entry in self.mapping}

    @cached_property
    def _left_of(self) -> dict[Entry, Level]:
        return {entry[1:]: entry[0] for entry in self.mapping} if self.both else {}

    def checker(self) -> Checker:
        """A row breaks it if its left values are known and were seen with another right value.

        Without known values, it breaks it if an earlier row of the same table has its left values and another right
        one.
        """
        if self.mapping:
            return self._broken
        ways = [_FirstSeen(self.left, self.right)]
        ways += [_FirstSeen((self.right,), self.left[0])] if self.both else []
        return lambda rows: np.asarray(np.any([way.broken(rows) for way in ways], axis=0))

    def _broken(self, rows: TypedRows) -> BoolArray:
        entries, places = distinct_entries(rows, self.columns)
        wrong = [self._right_of.get(entry[:-1], entry[-1]) != entry[-1] for entry in entries]
        if self.both:
            wrong = [w or self._left_of.get(e[1:], e[0]) != e[0] for w, e in zip(wrong, entries, strict=True)]
        return np.asarray(np.array(wrong, bool)[places])

    def right_value(self, entry: Entry) -> Level | None:
        """The right value that these left values were seen with; None if they were never seen."""
        return self._right_of.get(entry)


class _FirstSeen:
    """Remembers the right value that left values came with first."""

    def __init__(self, left: tuple[str, ...], right: str) -> None:
        self._columns = (*left, right)
        self._right_of: dict[Entry, Level] = {}

    def broken(self, rows: TypedRows) -> BoolArray:
        """Return which rows have another right value than the first row with their left values."""
        entries, places = distinct_entries(rows, self._columns)
        first = np.full(len(entries), rows.rows)
        np.minimum.at(first, places, np.arange(rows.rows))
        for k in np.argsort(first).tolist():
            self._right_of.setdefault(entries[k][:-1], entries[k][-1])
        wrong = [self._right_of[entry[:-1]] != entry[-1] for entry in entries]
        return np.asarray(np.array(wrong, bool)[places])


def distinct_entries(rows: TypedRows, names: Iterable[str]) -> tuple[list[Entry], Any]:
    """Return the distinct combinations of texts in some columns, and for each row the place of its combination."""
    cells = [rows.texts(name) for name in names]
    combined = np.zeros(rows.rows, np.int64)
    for texts, index in cells:
        _, combined = np.unique(combined * (len(texts) + 1) + index, return_inverse=True)
    first = np.zeros(int(combined.max(initial=-1)) + 1, np.int64)
    first[combined] = np.arange(rows.rows)
    plain = [[None if text is None else plain_integer(text) for text in texts] for texts, _ in cells]
    columns = [[texts[k] for k in index[first].tolist()] for texts, (_, index) in zip(plain, cells, strict=True)]
    return list(zip(*columns, strict=True)), combined
