"""Text length: how many characters the values of a column have."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Condition, HasLength
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted


@dataclass(frozen=True)
class TextLength(Fact):
    """Values of `name` have at least `fewest` and at most `most` characters.

    >>> from unwritten.tables import Column
    >>> TextLength("note", 0, 140).words(Schema((Column("note", "skip", role="text"),)))
    'note has at most 140 characters'
    """

    kind = "length"
    name: str
    fewest: int
    most: int

    def __post_init__(self) -> None:
        if not 0 <= self.fewest <= self.most:
            raise DataError("a text has fewer characters than none, or than its fewest: mine the table again")

    def words(self, schema: Schema) -> str:
        """`code has 22 characters`, `note has at most 140 characters`, `name has 2 to 40 characters`."""
        counts = f"{self.fewest} to {self.most}" if self.fewest else f"at most {self.most}"
        counts = str(self.most) if self.fewest == self.most else counts
        return f"{quoted(self.name)} has {counts} character{'' if counts == '1' else 's'}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if the cell is there and is shorter or longer."""
        return HasLength(self.name, self.fewest, self.most)
