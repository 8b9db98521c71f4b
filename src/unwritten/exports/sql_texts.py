"""Texts and times in SQL: facts about the characters of a cell, in functions that all databases have."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.exports.dialect import Dialect
from unwritten.facts import DatePart, StartsWith, TextForm, TextLength
from unwritten.facts.date_part import OF_DAY
from unwritten.facts.text_form import Piece, pieces_of
from unwritten.tables import Column, Schema

PLACES = {"year": (1, 4), "month": (6, 2), "day": (9, 2), "hour": (12, 2), "minute": (15, 2), "second": (18, 2)}
"""Where an ISO date or timestamp has its parts: the first character, and how many there are."""


@dataclass(frozen=True)
class TextExpressions:
    """Conditions on the texts and times of one table, in one dialect; NULL where a cell is missing that they need."""

    schema: Schema
    dialect: Dialect

    def date_part(self, fact: DatePart) -> str:
        """Return the test that a cell says a part of a time."""
        name, text = self.dialect.identifier(fact.name), self._text(fact.time)
        if fact.part == "date":
            return f"{self._text(fact.name)} = SUBSTR({text}, 1, 10)"
        number = self._number(fact.part, fact.time)
        if not fact.values:
            return f"{name} = {number}" if self._is_number(fact.name) else f"{self._text(fact.name)} = {_word(number)}"
        cases = " ".join(
            f"WHEN {k} THEN {value if self._is_number(fact.name) else self.dialect.string(value)}"
            for k, value in enumerate(fact.values, 1)
            if value is not None
        )
        cell = name if self._is_number(fact.name) else self._text(fact.name)
        return f"{cell} = CASE {number} {cases} END"

    def starts_with(self, fact: StartsWith) -> str:
        """Return the test that a text begins with another cell."""
        start = f"SUBSTR({self._text(fact.of)}, 1, 4)" if fact.part else self._text(fact.of)
        start = f"{self.dialect.string(fact.before)} || {start}" if fact.before else start
        return f"SUBSTR({self._text(fact.name)}, 1, LENGTH({start})) = {start}"

    def length(self, fact: TextLength) -> str:
        """Return the test of the number of characters."""
        size = f"LENGTH({self._text(fact.name)})"
        if fact.fewest == fact.most:
            return f"{size} = {fact.most}"
        return f"{size} <= {fact.most}" if not fact.fewest else f"{size} BETWEEN {fact.fewest} AND {fact.most}"

    def form(self, fact: TextForm) -> str:
        """Return the test that a text has one of the forms."""
        forms = [self._form(self._text(fact.name), pieces_of(form)) for form in fact.forms]
        return forms[0] if len(forms) == 1 else " OR ".join(f"({form})" for form in forms)

    def _form(self, cell: str, pieces: tuple[Piece, ...]) -> str:
        """Return the test of each piece at its place; what follows a piece of any length is counted from the end."""
        fewest = sum(piece.length for piece in pieces)
        grows = any(piece.more for piece in pieces)
        tests = [f"LENGTH({cell}) {'>=' if grows else '='} {fewest}"]
        start, behind = 1, False
        for k, piece in enumerate(pieces):
            if behind:
                rest = sum(later.length for later in pieces[k:])
                part = f"SUBSTR({cell}, LENGTH({cell}) - {rest - 1}, {piece.length})"
            elif piece.more:
                part = f"SUBSTR({cell}, {start}, LENGTH({cell}) - {fewest - piece.length})"
            else:
                part = f"SUBSTR({cell}, {start}, {piece.length})"
            literal = self.dialect.string(piece.allowed or piece.text)
            tests.append(f"LTRIM({part}, {literal}) = ''" if piece.allowed else f"{part} = {literal}")
            start += piece.length
            behind |= piece.more
        return " AND ".join(tests)

    def _number(self, part: str, time: str) -> str:
        """Return a part of a time as a number."""
        if part == "weekday":
            name = self.dialect.identifier(time)
            sunday = f"EXTRACT(DOW FROM {name})" if self.dialect.typed else f"CAST(strftime('%w', {name}) AS INTEGER)"
            return f"(({sunday} + 6) % 7 + 1)"
        if part == "quarter":
            month = self._number("month", time)
            return f"(({month} + 2 - ({month} + 2) % 3) / 3)"
        first, count = PLACES[part]
        piece = f"SUBSTR({self._text(time)}, {first}, {count})"
        if part in OF_DAY:
            piece = f"COALESCE(NULLIF({piece}, ''), '0')"
        return f"CAST({piece} AS INTEGER)"

    def _text(self, name: str) -> str:
        plain = self.dialect.identifier(name)
        return plain if _is_text(self.schema[name]) else f"CAST({plain} AS VARCHAR)"

    def _is_number(self, name: str) -> bool:
        return self.schema[name].dtype == "integer" or self.schema[name].role == "integer"


def _is_text(column: Column) -> bool:
    return column.dtype == "text" and column.role in ("identifier", "text", "category")


def _word(number: str) -> str:
    return f"CAST({number} AS VARCHAR)"
