"""Unequal: two columns never have the same value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unwritten.conditions import Alike, Condition, Not
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnName
from unwritten.facts.parts_of_sentences import read_name
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted


@dataclass(frozen=True, repr=False)
class Unequal(Fact):
    """`name ≠ other`.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("home", "boolean", ("0", "1")),))
    >>> Unequal("home", "away").words(schema)
    'home ≠ away'
    """

    kind = "unequal"
    about = ("name", "other")
    name: ColumnName
    other: ColumnName

    @property
    def identity(self) -> Any:
        """The same whichever column comes first."""
        return sorted(self.columns)

    @classmethod
    def read(cls, reader: Reader) -> Unequal:
        """Read the sentence."""
        name = read_name(reader)
        if not reader.try_sign("≠", "!=", "<>"):
            reader.fail(f"≠ is missing before {reader.rest}: write “home ≠ away”")
        other = read_name(reader)
        if other == name:
            reader.fail("a column is compared with itself: name two columns")
        return cls(name, other, origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`home ≠ away`."""
        return f"{quoted(self.name)} ≠ {quoted(self.other)}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if both cells are there and hold the same text."""
        return Not(Alike(self.name, self.other))
