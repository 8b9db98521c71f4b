"""Texts: conditions on the characters of a cell; they are unknown if a cell is missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.conditions.condition import Condition, Suggestion, Truth
from unwritten.conditions.forms import regex_of
from unwritten.conditions.time_parts import part_of, with_part
from unwritten.tables.column import Level, plain_integer
from unwritten.tables.typed_rows import TypedRows


@dataclass(frozen=True)
class HasForm(Condition):
    """A text has one of the forms."""

    column: str
    forms: tuple[str, ...]

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Match each distinct text once."""
        form = re.compile(regex_of(self.forms))
        return _of_texts(rows, self.column, lambda text: form.fullmatch(text) is not None)


@dataclass(frozen=True)
class HasLength(Condition):
    """A text has at least `fewest` and at most `most` characters."""

    column: str
    fewest: int
    most: int

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Measure each distinct text once."""
        return _of_texts(rows, self.column, lambda text: self.fewest <= len(text) <= self.most)


@dataclass(frozen=True)
class Begins(Condition):
    """A text begins with `before`, and then with the text of the column `other`, or with a `part` of its time."""

    about = ("column", "other")
    column: str
    other: str
    before: str = ""
    part: str = ""

    def start(self, text: str) -> Level:
        """What the text must begin with if the other column has this one; None if nothing is known."""
        plain = part_of(text, self.part) if self.part else plain_integer(text)
        return None if plain is None else self.before + plain

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Compare each distinct pair of texts once."""
        return _of_pairs(rows, self.column, self.other, self.start, str.startswith)

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """The text with the beginning that the other cell wants, in place of as many characters."""
        text, other = (row.texts(name)[0][0] for name in self.columns)
        start = None if other is None else self.start(other)
        if start is not None:
            yield self.column, start + (text or "")[len(start) :]


@dataclass(frozen=True)
class Alike(Condition):
    """Two columns have the same text."""

    about = ("column", "other")
    column: str
    other: str

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Compare each distinct pair of texts once."""
        return _of_pairs(rows, self.column, self.other, plain_integer, _says)

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """The text of the other column, or another value that a column has."""
        one, other = (row.texts(name)[0][0] for name in self.columns)
        yield from ((self.column, other), (self.other, one))
        yield from ((name, value) for name in self.columns for value in row.schema[name].levels)


@dataclass(frozen=True)
class IsPart(Condition):
    """A column says a `part` of the time in another one: as a number, or by one of the names in `values`."""

    about = ("column", "time")
    column: str
    part: str
    time: str
    values: tuple[Level, ...] = ()

    def expected(self, time: str) -> Level:
        """What the column must say for the text of a time; None if it is no time, or the name is not known."""
        number = part_of(time, self.part)
        return self.values[int(number) - 1] if number is not None and self.values else number

    def truth(self, rows: TypedRows, memory: dict[Condition, Any]) -> Truth:
        """Compare each distinct pair of texts once."""
        return _of_pairs(rows, self.column, self.time, self.expected, _says)

    def suggestions(self, row: TypedRows) -> Iterator[Suggestion]:
        """What the column must say of the time, or a time of which it says the truth."""
        said, time = (row.texts(name)[0][0] for name in self.columns)
        wanted = None if time is None else self.expected(time)
        if wanted is not None:
            yield self.column, wanted
        if said is not None and time is not None and not self.values:
            other = with_part(time, self.part, plain_integer(said))
            if other is not None:
                yield self.time, other


def _says(text: str, wanted: str) -> bool:
    return plain_integer(text) == wanted


def _of_texts(rows: TypedRows, column: str, test: Callable[[str], bool]) -> Truth:
    texts, index = rows.texts(column)
    if not texts:
        return Truth.known(np.ones(rows.rows, bool))
    there = np.array([text is not None for text in texts], bool)
    passes = np.array([text is not None and test(text) for text in texts], bool)
    return Truth.where(there[index], passes[index])


def _of_pairs(
    rows: TypedRows, column: str, other: str, wanted: Callable[[str], Level], test: Callable[[str, str], bool]
) -> Truth:
    """Test the texts of one column against what those of another one want."""
    texts, index = rows.texts(column)
    others, at = rows.texts(other)
    wants = [None if text is None else wanted(text) for text in others]
    pairs, places = np.unique(index * max(1, len(others)) + at, return_inverse=True)
    there, passes = np.zeros(len(pairs), bool), np.zeros(len(pairs), bool)
    for k, pair in enumerate(pairs.tolist()):
        text, want = texts[pair // len(others)], wants[pair % len(others)]
        if text is not None and want is not None:
            there[k], passes[k] = True, test(text, want)
    return Truth.where(there[places], passes[places])
