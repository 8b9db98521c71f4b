"""Across: conditions that compare the rows of a table with each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unwritten.conditions.condition import Condition, Suggestion, Truth
from unwritten.conditions.logic import flat
from unwritten.data import IntArray
from unwritten.tables.column import Level, plain_integer
from unwritten.tables.typed_rows import TypedRows

Entry = tuple[Level, ...]  # the texts of some columns


@dataclass(frozen=True)
class Unique(Condition):
    """No earlier row of the table has the same values in all `names`; rows with a missing one are not compared."""

    about = ("names",)
    names: tuple[str, ...]

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Remember the values of all rows."""
        seen: set[Entry] = memory.setdefault(self, set())
        cells = [rows.texts(name) for name in self.names]
        yes = np.ones(rows.rows, bool)
        for i, key in enumerate(zip(*([texts[k] for k in index.tolist()] for texts, index in cells), strict=True)):
            yes[i] = key not in seen
            if None not in key:
                seen.add(key)
        return Truth.known(yes)


@dataclass(frozen=True)
class Decides(Condition):
    """Rows with equal values of the columns `left` have equal values of the column `right`.

    `known` are values that were seen: those on the left, then the one on the right; other values on the left are not
    tested. Without any, a row is compared with the first row of the table that has its left values.
    """

    about = ("left", "right")
    left: tuple[str, ...]
    right: str
    known: tuple[Entry, ...] = ()

    @cached_property
    def right_of(self) -> dict[Entry, Level]:
        """The value on the right that belongs to known values on the left."""
        return {entry[:-1]: entry[-1] for entry in self.known}

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Never unknown: a missing value is a value here."""
        entries, places = distinct_entries(rows, self.columns)
        if self.known:
            right_of = self.right_of
        else:
            right_of = memory.setdefault(self, {})
            first = np.full(len(entries), rows.rows)
            np.minimum.at(first, places, np.arange(rows.rows))
            for k in np.argsort(first).tolist():
                right_of.setdefault(entries[k][:-1], entries[k][-1])
        yes = [right_of.get(entry[:-1], entry[-1]) == entry[-1] for entry in entries]
        return Truth.known(np.array(yes, bool)[places])

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """The value that the left values were seen with, or another left value that was seen with the right one."""
        entry = distinct_entries(row, self.columns)[0][0]
        if entry[:-1] in self.right_of:
            yield self.right, self.right_of[entry[:-1]]
        for left in (known for known in self.known if known[-1] == entry[-1]):
            differs = [k for k, value in enumerate(left[:-1]) if value != entry[k]]
            if len(differs) == 1:
                yield self.left[differs[0]], left[differs[0]]


def compares_rows(condition: Condition) -> bool:
    """True if a row is judged by earlier rows of its table."""
    return any(isinstance(p, Unique) or (isinstance(p, Decides) and not p.known) for p in flat(condition))


def distinct_entries(rows: TypedRows, names: Iterable[str]) -> tuple[list[Entry], IntArray]:
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
