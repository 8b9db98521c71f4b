"""Texts and times in SQL: conditions on the characters of a cell, in functions that all databases have."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Alike, Begins, Condition, HasForm, HasLength, IsPart
from unwritten.conditions.forms import Piece, pieces_of
from unwritten.conditions.time_parts import OF_DAY
from unwritten.exports.dialect import Dialect
from unwritten.tables import Column, Schema

PLACES = {"year": (1, 4), "month": (6, 2), "day": (9, 2), "hour": (12, 2), "minute": (15, 2), "second": (18, 2)}
"""Where an ISO date or timestamp has its parts: the first character, and how many there are."""


@dataclass(frozen=True)
class TextTests:
    """Conditions on the texts and times of one table, in one dialect; NULL where a cell is missing that they need."""

    schema: Schema
    dialect: Dialect

    def test(self, condition: Condition) -> str:
        """Return the condition as SQL."""
        match condition:
            case IsPart():
                return self._is_part(condition)
            case Begins(column, other, before, part):
                start = f"SUBSTR({self._text(other)}, 1, 4)" if part else self._text(other)
                start = f"{self.dialect.string(before)} || {start}" if before else start
                return f"SUBSTR({self._text(column)}, 1, LENGTH({start})) = {start}"
            case Alike(column, other):
                return f"{self._text(column)} = {self._text(other)}"
            case HasLength(column, fewest, most):
                size = f"LENGTH({self._text(column)})"
                if fewest == most:
                    return f"{size} = {most}"
                return f"{size} BETWEEN {fewest} AND {most}" if fewest else f"{size} <= {most}"
            case HasForm(column, forms):
                tests = [self._form(self._text(column), pieces_of(form)) for form in forms]
                return tests[0] if len(tests) == 1 else " OR ".join(f"({test})" for test in tests)
        raise TypeError(f"{condition} is not about texts")

    def _is_part(self, condition: IsPart) -> str:
        """Return the test that a cell says a part of a time."""
        name, time, values = condition.column, condition.time, condition.values
        if condition.part == "date":
            return f"{self._text(name)} = SUBSTR({self._text(time)}, 1, 10)"
        number = self._number(condition.part, time)
        cell = self.dialect.identifier(name) if self._is_number(name) else self._text(name)
        if not values:
            return f"{cell} = {number if self._is_number(name) else _word(number)}"
        cases = " ".join(
            f"WHEN {k} THEN {value if self._is_number(name) else self.dialect.string(value)}"
            for k, value in enumerate(values, 1)
            if value is not None
        )
        return f"{cell} = CASE {number} {cases} END"

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
        return plain if is_text(self.schema[name]) else f"CAST({plain} AS VARCHAR)"

    def _is_number(self, name: str) -> bool:
        return self.schema[name].dtype == "integer" or self.schema[name].role == "integer"


def is_text(column: Column) -> bool:
    """True if the cells of the column are texts whatever holds the table."""
    return column.dtype == "text" and column.role in ("identifier", "text", "category")


def _word(number: str) -> str:
    return f"CAST({number} AS VARCHAR)"
