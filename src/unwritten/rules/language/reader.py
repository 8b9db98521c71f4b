"""Reader: reads words, signs, names and values from a place in a text.

It knows the columns and their values, so that any of their names can be read. What a word means depends on what is
expected: `requires` is a column's name where a name is expected and a column has it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import NoReturn

from unwritten.errors import DataError
from unwritten.rules.columns.scope import Scope
from unwritten.rules.words import NUMBERS
from unwritten.tables.column import MISSING, Level, level_text
from unwritten.tables.quoting import PLAIN, quoted, shown

DIGITS = re.compile(r"\d{1,19}(?!\w)", re.ASCII)
LOOSE_STRING = re.compile(r'"[^"]*"?')  # good enough for error messages
NUMBER_WORDS = {word: number for number, word in NUMBERS.items()}
JSON_STRINGS = json.JSONDecoder(strict=False)
QUOTED_TEXT = 40  # characters of a text that an error repeats
COLUMN_NAMES = -1  # the key of the names of columns; the values of column c have the key c


class UnreadableError(DataError):
    """The text cannot be read from `place` on."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


class Reader:
    """A text and a place in it.

    The methods `try_…` move the place past what they read, or leave it where it was and return None or False. The
    methods `read_…` fail instead.
    """

    def __init__(self, text: str, scope: Scope) -> None:
        self.text, self.scope, self.place = text, scope, 0
        self._lengths: dict[int, list[int]] = {}  # of known texts by key, the longest first

    def fail(self, message: str, place: int | None = None) -> NoReturn:
        """Raise an error that carries the place reached, so that the form that got furthest can be reported."""
        raise UnreadableError(message, self.place if place is None else place)

    @property
    def rest(self) -> str:
        """The beginning of the text that is not yet read, for error messages."""
        self._skip_blanks()
        start = self.text[self.place : self.place + QUOTED_TEXT]
        return f"“{shown(start)}{'…' if self.place + QUOTED_TEXT < len(self.text) else ''}”" if start else "the end"

    @property
    def ended(self) -> bool:
        """True if only blanks are left."""
        self._skip_blanks()
        return self.place >= len(self.text)

    def try_words(self, *words: str) -> bool:
        """Move past these words, in upper or lower case."""
        start = self.place
        for word in words:
            self._skip_blanks()
            end = self.place + len(word)
            if self.text[self.place : end].lower() != word or _is_inside_word(self.text, end):
                self.place = start
                return False
            self.place = end
        return True

    def try_sign(self, *signs: str) -> str | None:
        """Move past the first of these signs that is here, and return it."""
        self._skip_blanks()
        for sign in signs:
            if self.text.startswith(sign, self.place):
                self.place += len(sign)
                return sign
        return None

    def try_phrase(self, phrase: str) -> bool:
        """Move past this text, unless it ends within a word."""
        self._skip_blanks()
        end = self.place + len(phrase)
        if not self.text.startswith(phrase, self.place) or _is_inside_word(self.text, end):
            return False
        self.place = end
        return True

    def try_longest(self, phrases: Mapping[str, int]) -> int | None:
        """Move past the longest of these phrases that is here, and return what it stands for."""
        found = self._longest(phrases, sorted({len(phrase) for phrase in phrases}, reverse=True))
        if found is None:
            return None
        phrase, self.place = found
        return phrases[phrase]

    def try_integer(self) -> int | None:
        """Move past digits, and return their value."""
        self._skip_blanks()
        digits = DIGITS.match(self.text, self.place)
        if digits is None:
            return None
        self.place = digits.end()
        return int(digits[0])

    def try_count(self) -> int | None:
        """Move past a number, which may be a word or negative, and return it."""
        start = self.place
        for word, number in NUMBER_WORDS.items():
            if self.try_words(word):
                return number
        sign = -1 if self.try_sign("−", "-") else 1
        size = self.try_integer()
        if size is None:
            self.place = start
            return None
        return sign * size

    def read_column(self) -> int:
        """Move past the name of a column and return its place in the scope."""
        c = self.try_column()
        if c is not None:
            return c
        what = "column" if self.scope.has_table else "variable"
        name = self._guess()
        if not name:
            self.fail(f"a {what} is missing before {self.rest}: write a rule such as “a requires b”")
        names = list(self.scope.index)
        close = get_close_matches(name, names, 3)
        better = " or ".join(shown(quoted(other))[:QUOTED_TEXT] for other in close or names[:3])
        cure = f"did you mean {better}?" if close else f"use a name such as {better}"
        self.fail(f"there is no {what} {shown(name)!r}: {cure}")

    def try_column(self) -> int | None:
        """Move past the name of a column and return its place in the scope."""
        name = self._known(self.scope.index, COLUMN_NAMES)
        return None if name is None else self.scope.index[name]

    def read_level(self, c: int) -> int:
        """Move past a value of the column and return its level."""
        column = self.scope.columns[c]
        k = self.try_level(c)
        if k is not None:
            return k
        known = ", ".join(shown(level_text(level))[:QUOTED_TEXT] for level in column.levels[:8])
        known += ", …" if len(column.levels) > 8 else ""
        value = self._guess()
        if not value:
            self.fail(f"a value of {shown(quoted(column.name))} is missing before {self.rest}: use one of {known}")
        self.fail(f"{shown(quoted(column.name))} has no value {shown(value)!r}: use one of {known}")

    def try_level(self, c: int) -> int | None:
        """Move past a value of the column and return its level."""
        levels = {level: k for k, level in enumerate(self.scope.columns[c].levels)}
        start = self.place
        if None in levels and self._guess() == MISSING and self.try_words(MISSING):
            return levels[None]
        negative = self.try_sign("−")
        if negative and (number := self.try_integer()) is not None and f"-{number}" in levels:
            return levels[f"-{number}"]
        self.place = start
        level = self._known(levels, c)
        return None if level is None else levels[level]

    def _known(self, known: Mapping[str, int] | Mapping[Level, int], key: int) -> str | None:
        """Move past a known text and return it; None if there is none.

        The text may be written as in a sentence (a plain word, or in quotes) or letter by letter as it is. The names of
        variables are never quoted in the text of a rule, so for them the second way is tried first. `key` is the column
        whose values are known, or COLUMN_NAMES.
        """
        self._skip_blanks()
        ways = [self._as_in_sentences, self._letter_by_letter]
        if key == COLUMN_NAMES and not self.scope.has_table:
            ways.reverse()
        for way in ways:
            match = way(known, key)
            if match is not None:
                text, self.place = match
                return text
        return None

    def _as_in_sentences(self, known: Mapping[str, int] | Mapping[Level, int], _: int) -> tuple[str, int] | None:
        """A known text in quotes or as a plain word, and where it ends."""
        if self.text.startswith('"', self.place):
            try:
                text, end = JSON_STRINGS.raw_decode(self.text, self.place)
            except json.JSONDecodeError:
                self.fail(f'a quote is not closed, or not a JSON string, at {self.rest}: end the text with "')
        else:
            word = PLAIN.match(self.text, self.place)
            if word is None:
                return None
            text, end = word[0], word.end()
        return (text, end) if text in known else None

    def _letter_by_letter(self, known: Mapping[str, int] | Mapping[Level, int], key: int) -> tuple[str, int] | None:
        """The longest known text that is here letter by letter, and where it ends.

        Names of columns that begin like a number or a sign must be quoted; names of variables need not be.
        """
        first = self.text[self.place : self.place + 1]
        if key == COLUMN_NAMES and self.scope.has_table and not _is_letter(first, digits=False):
            return None
        if key not in self._lengths:
            self._lengths[key] = sorted({len(text) for text in known if text}, reverse=True)
        return self._longest(known, self._lengths[key])

    def _longest(self, known: Collection[Level], lengths: Iterable[int]) -> tuple[str, int] | None:
        """The first text that is here among the known ones of these lengths, and where it ends."""
        self._skip_blanks()
        for length in lengths:
            end = self.place + length
            text = self.text[self.place : end]
            if text in known and not _is_inside_word(self.text, end):
                return text, end
        return None

    def _guess(self) -> str:
        """The text here that was probably meant as a name or value, for error messages; empty if there is none."""
        self._skip_blanks()
        pattern = LOOSE_STRING if self.text.startswith('"', self.place) else PLAIN
        match = pattern.match(self.text, self.place)
        return match[0][:QUOTED_TEXT] if match else ""

    def _skip_blanks(self) -> None:
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1


def _is_inside_word(text: str, end: int) -> bool:
    """True if this place is inside a word."""
    return 0 < end < len(text) and _is_letter(text[end - 1]) and _is_letter(text[end])


def _is_letter(character: str, digits: bool = True) -> bool:
    return character == "_" or (character.isalnum() if digits else character.isalpha())
