"""Reader: words, signs, names and values at a place in a text. It knows the columns, so that any name can be read.

What is read depends on what may stand there: a column named `requires` is a name where a name is expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import NoReturn

from unwritten.errors import DataError
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.words import NUMBERS
from unwritten.tables.column import MISSING, Level, level_text
from unwritten.tables.quoting import PLAIN, quoted, shown

DIGITS = re.compile(r"\d{1,19}(?!\w)", re.ASCII)
STRING = re.compile(r'"[^"]*"?')  # good enough to be shown
COUNTS = {word: number for number, word in NUMBERS.items()}
STRINGS = json.JSONDecoder(strict=False)
MOST_SHOWN = 40  # characters of a text that an error repeats


class UnreadableError(DataError):
    """The text cannot be read from this place on."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


class Reader:
    """A text and a place in it; every method moves past what it read, or leaves the place where it was."""

    def __init__(self, text: str, scope: Scope) -> None:
        self.text, self.scope, self.place = text, scope, 0
        self._lengths: dict[int, list[int]] = {}

    def fail(self, message: str, place: int | None = None) -> NoReturn:
        """Raise with the place reached, so that the reading that got furthest can be blamed."""
        raise UnreadableError(message, self.place if place is None else place)

    @property
    def rest(self) -> str:
        """The beginning of what is left, for messages."""
        self._skip()
        left = self.text[self.place : self.place + MOST_SHOWN]
        return f"“{shown(left)}{'…' if self.place + MOST_SHOWN < len(self.text) else ''}”" if left else "the end"

    @property
    def ended(self) -> bool:
        """Whether only blanks are left."""
        self._skip()
        return self.place >= len(self.text)

    def word(self, *words: str) -> bool:
        """Move past these words, in capitals or not."""
        start = self.place
        for word in words:
            self._skip()
            end = self.place + len(word)
            if self.text[self.place : end].lower() != word or _joined(self.text, end):
                self.place = start
                return False
            self.place = end
        return True

    def sign(self, *signs: str) -> str | None:
        """Move past the first of these signs that stands here."""
        self._skip()
        for sign in signs:
            if self.text.startswith(sign, self.place):
                self.place += len(sign)
                return sign
        return None

    def integer(self) -> int | None:
        """Move past digits."""
        self._skip()
        found = DIGITS.match(self.text, self.place)
        if found is None:
            return None
        self.place = found.end()
        return int(found[0])

    def count(self) -> int | None:
        """Move past a number that may be a word or negative."""
        start = self.place
        for word, number in COUNTS.items():
            if self.word(word):
                return number
        sign = -1 if self.sign("−", "-") else 1
        number_read = self.integer()
        if number_read is None:
            self.place = start
            return None
        return sign * number_read

    def column(self) -> int:
        """Move past the name of a column."""
        found = self.known_column()
        if found is not None:
            return found
        what = "column" if self.scope.plain else "variable"
        name = self._guess()
        if not name:
            self.fail(f"a {what} is missing before {self.rest}: write a rule such as “a requires b”")
        names = list(self.scope.index)
        close = get_close_matches(name, names, 3)
        some = " or ".join(shown(quoted(other))[:MOST_SHOWN] for other in close or names[:3])
        self.fail(f"there is no {what} {shown(name)!r}: {'did you mean' if close else 'use a name such as'} {some}?")

    def known_column(self) -> int | None:
        """Move past the name of a column if one stands here."""
        found = self._known(self.scope.index, -1)
        return None if found is None else self.scope.index[found]

    def level(self, c: int) -> int:
        """Move past a value of the column."""
        column = self.scope.columns[c]
        found = self.known_level(c)
        if found is not None:
            return found
        some = ", ".join(shown(level_text(level))[:MOST_SHOWN] for level in column.levels[:8])
        more = ", …" if len(column.levels) > 8 else ""
        value = self._guess()
        if not value:
            self.fail(f"a value of {shown(quoted(column.name))} is missing before {self.rest}: use one of {some}{more}")
        self.fail(f"{shown(quoted(column.name))} has no value {shown(value)!r}: use one of {some}{more}")

    def known_level(self, c: int) -> int | None:
        """Move past a value of the column if one stands here."""
        levels = {level: k for k, level in enumerate(self.scope.columns[c].levels)}
        start = self.place
        if None in levels and self._guess() == MISSING and self.word(MISSING):
            return levels[None]
        negative = self.sign("−")
        if negative and (number := self.integer()) is not None and f"-{number}" in levels:
            return levels[f"-{number}"]
        self.place = start
        found = self._known(levels, c)
        return None if found is None else levels[found]

    def _known(self, known: Mapping[str, int] | Mapping[Level, int], key: int) -> str | None:
        """Move past the known text that stands here as it would be written, or else in full as it is.

        Names of variables are never quoted in the text of a rule, so there the full text goes first.
        """
        self._skip()
        ways = (self._in_full, self._written) if key < 0 and not self.scope.plain else (self._written, self._in_full)
        for way in ways:
            found = way(known, key)
            if found is not None:
                self.place = found[1]
                return found[0]
        return None

    def _written(self, known: Mapping[str, int] | Mapping[Level, int], _: int) -> tuple[str, int] | None:
        """A known text in quotes or as a plain word, and where it ends."""
        if self.text.startswith('"', self.place):
            try:
                text, end = STRINGS.raw_decode(self.text, self.place)
            except json.JSONDecodeError:
                self.fail(f'a quote is not closed, or not a JSON string, at {self.rest}: end the text with "')
        else:
            word = PLAIN.match(self.text, self.place)
            if word is None:
                return None
            text, end = word[0], word.end()
        return (text, end) if text in known else None

    def _in_full(self, known: Mapping[str, int] | Mapping[Level, int], key: int) -> tuple[str, int] | None:
        """The longest known text that stands here letter by letter, and where it ends.

        Columns whose names begin like a number or a sign must be quoted; variables are as they are.
        """
        if key < 0 and self.scope.plain and not _is_letter(self.text[self.place : self.place + 1], digits=False):
            return None
        if key not in self._lengths:
            self._lengths[key] = sorted({len(text) for text in known if text}, reverse=True)
        for length in self._lengths[key]:
            end = self.place + length
            text = self.text[self.place : end]
            if text in known and not _joined(self.text, end):
                return text, end
        return None

    def _guess(self) -> str:
        """What was meant to be a name or value here."""
        self._skip()
        if self.text.startswith('"', self.place):
            found = STRING.match(self.text, self.place)
        else:
            found = PLAIN.match(self.text, self.place)
        return found[0][:MOST_SHOWN] if found else ""

    def _skip(self) -> None:
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1


def _joined(text: str, end: int) -> bool:
    """Whether a word goes on past this place."""
    return 0 < end < len(text) and _is_letter(text[end - 1]) and _is_letter(text[end])


def _is_letter(character: str, digits: bool = True) -> bool:
    return character == "_" or (character.isalnum() if digits else character.isalpha())
