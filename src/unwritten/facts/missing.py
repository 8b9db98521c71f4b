"""Facts about missing values: never missing, and missing together."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import All, Condition, Missing, Not, Same
from unwritten.facts.column_set import ColumnSetFact
from unwritten.facts.listing import names_text
from unwritten.facts.parts_of_sentences import read_names, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema


@dataclass(frozen=True, repr=False)
class NeverMissing(ColumnSetFact):
    """Every row has a value in each of the columns `names`.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("year", "integer", lower=1990, upper=2020),))
    >>> NeverMissing(("id", "price")).words(schema)
    'id and price are never missing'
    """

    kind = "never-missing"

    @classmethod
    def read(cls, reader: Reader) -> NeverMissing:
        """Read the sentence."""
        names = read_names(reader)
        if not reader.try_words("is", "never", "missing"):
            read_words(reader, "are never missing", "id is never missing")
        return cls(names, origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`id and price are never missing`."""
        return f"{names_text(self.names)} {'is' if len(self.names) == 1 else 'are'} never missing"

    @property
    def condition(self) -> Condition:
        """A row breaks it if a cell is missing."""
        return All(tuple(Not(Missing(name)) for name in self.names))


@dataclass(frozen=True, repr=False)
class MissingTogether(ColumnSetFact):
    """Either all columns `names` are missing in a row, or none of them.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("year", "integer", lower=1990, upper=2020),))
    >>> MissingTogether(("dep_time", "dep_delay")).words(schema)
    'dep_time and dep_delay are missing together'
    """

    kind = "missing-together"

    @classmethod
    def read(cls, reader: Reader) -> MissingTogether:
        """Read the sentence."""
        names = read_names(reader)
        if len(names) < 2:
            reader.fail("one column is not missing together with others: name several")
        read_words(reader, "are missing together", "paid and clerk are missing together")
        return cls(names, origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`dep_time and dep_delay are missing together`."""
        return f"{names_text(self.names)} are missing together"

    @property
    def condition(self) -> Condition:
        """A row breaks it if some of the cells are missing and some are not."""
        first, *others = (Missing(name) for name in self.names)
        return All(tuple(Same(first, other) for other in others))
