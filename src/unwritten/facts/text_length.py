"""Text length: how many characters the values of a column have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import ColumnName
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted
from unwritten.tables.typed_rows import TypedRows


@dataclass(frozen=True)
class TextLength(Fact):
    """Values of `name` have at least `fewest` and at most `most` characters.

    >>> from unwritten.tables import Column
    >>> TextLength("note", 0, 140).words(Schema((Column("note", "skip", role="text"),)))
    'note has at most 140 characters'
    """

    kind = "length"
    name: ColumnName
    fewest: int
    most: int

    def __post_init__(self) -> None:
        if not 0 <= self.fewest <= self.most:
            raise DataError("a text has fewer characters than none, or than its fewest: mine the table again")

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.name,)

    def words(self, schema: Schema) -> str:
        """`code has 22 characters`, `note has at most 140 characters`, `name has 2 to 40 characters`."""
        counts = f"{self.fewest} to {self.most}" if self.fewest else f"at most {self.most}"
        counts = str(self.most) if self.fewest == self.most else counts
        return f"{quoted(self.name)} has {counts} character{'' if counts == '1' else 's'}"

    def checker(self) -> Checker:
        """A row breaks it if the cell is there and is shorter or longer."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        texts, index = rows.texts(self.name)
        wrong = [text is not None and not self.fewest <= len(text) <= self.most for text in texts]
        return np.asarray(np.array(wrong, bool)[index])
