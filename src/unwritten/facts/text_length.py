"""Text length: how many characters the values of a column have."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Condition, HasLength
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnName
from unwritten.facts.parts_of_sentences import read_name, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
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
    name: ColumnName
    fewest: int
    most: int

    def __post_init__(self) -> None:
        if not 0 <= self.fewest <= self.most:
            raise DataError("a text has fewer characters than none, or than its fewest: mine the table again")

    @classmethod
    def read(cls, reader: Reader) -> TextLength:
        """Read the sentence."""
        name = read_name(reader)
        read_words(reader, "has", "note has at most 140 characters")
        at_most = reader.try_words("at", "most")
        first = reader.try_integer()
        last = reader.try_integer() if first is not None and reader.try_words("to") else first
        if first is None or last is None or last < first:
            reader.fail(
                f"a number is missing before {reader.rest}: write “has 5 characters” or “has 2 to 40 characters”"
            )
        if not reader.try_words("character"):
            read_words(reader, "characters", "note has at most 140 characters")
        return cls(name, 0 if at_most else first, last, origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`code has 22 characters`, `note has at most 140 characters`, `name has 2 to 40 characters`."""
        counts = f"{self.fewest} to {self.most}" if self.fewest else f"at most {self.most}"
        counts = str(self.most) if self.fewest == self.most else counts
        return f"{quoted(self.name)} has {counts} character{'' if counts == '1' else 's'}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if the cell is there and is shorter or longer."""
        return HasLength(self.name, self.fewest, self.most)
