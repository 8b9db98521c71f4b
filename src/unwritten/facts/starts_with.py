"""Starts with: the texts of a column begin with the value of another column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.date_part import part_of
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import ColumnName
from unwritten.tables import Schema
from unwritten.tables.column import Level, plain_integer
from unwritten.tables.quoting import plain_json, quoted
from unwritten.tables.typed_rows import TypedRows

YEAR = "year"


@dataclass(frozen=True)
class StartsWith(Fact):
    """`name` begins with the text `before`, and then with the value of the column `of`, or with its year.

    >>> from unwritten.tables import Column
    >>> StartsWith("invoice", "day", "INV-", "year").words(Schema((Column("day", "skip", role="date"),)))
    'invoice starts with "INV-" and year of day'
    """

    kind = "starts-with"
    name: ColumnName
    of: ColumnName
    before: str = ""
    part: str = ""

    def __post_init__(self) -> None:
        if self.part not in ("", YEAR):
            raise DataError("a text can start with a column or with the year of one: mine the table again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The column of texts, and the one that they begin with."""
        return self.name, self.of

    def words(self, schema: Schema) -> str:
        """`code starts with country`."""
        before = f"{plain_json(self.before)} and " if self.before else ""
        part = f"{self.part} of " if self.part else ""
        return f"{quoted(self.name)} starts with {before}{part}{quoted(self.of)}"

    def start(self, text: str) -> Level:
        """What the value must begin with, if the other column has this text; None if nothing is known."""
        plain = part_of(text, self.part) if self.part else plain_integer(text)
        return None if plain is None else self.before + plain

    def checker(self) -> Checker:
        """A row breaks it if both cells are there, and the text begins in another way."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        texts, index = rows.texts(self.name)
        others, at = rows.texts(self.of)
        starts = [None if other is None else self.start(other) for other in others]
        pairs, places = np.unique(index * max(1, len(others)) + at, return_inverse=True)
        wrong = np.zeros(len(pairs), bool)
        for k, pair in enumerate(pairs.tolist()):
            text, start = texts[pair // len(others)], starts[pair % len(others)]
            wrong[k] = text is not None and start is not None and not text.startswith(start)
        return np.asarray(wrong[places])
