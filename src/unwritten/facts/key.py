"""Key: no two rows have the same values in some columns."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Condition, Unique
from unwritten.facts.column_set import ColumnSetFact
from unwritten.facts.listing import names_text
from unwritten.facts.parts_of_sentences import read_names, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema


@dataclass(frozen=True, repr=False)
class Key(ColumnSetFact):
    """No two rows of one table have the same values in all `names`; rows with a missing one are not compared.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("year", "integer", lower=1990, upper=2020),))
    >>> Key(("year", "state")).words(schema)
    'year and state are unique together'
    """

    kind = "key"

    @classmethod
    def read(cls, reader: Reader) -> Key:
        """Read the sentence."""
        names = read_names(reader)
        if not reader.try_words("is", "unique"):
            read_words(reader, "are unique together", "id is unique")
        return cls(names, origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`id is unique`, or `year and state are unique together`."""
        name = names_text(self.names)
        return f"{name} is unique" if len(self.names) == 1 else f"{name} are unique together"

    @property
    def condition(self) -> Condition:
        """A row breaks it if an earlier row of the same table has the same values."""
        return Unique(self.names)
