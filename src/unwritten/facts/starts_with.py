"""Starts with: the texts of a column begin with the value of another column."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import Begins
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnName
from unwritten.facts.parts_of_sentences import read_column, read_name, read_text, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema
from unwritten.tables.quoting import plain_json, quoted
from unwritten.tables.roles import TIMES

YEAR = "year"


@dataclass(frozen=True)
class StartsWith(Fact):
    """`name` begins with the text `before`, and then with the value of the column `of`, or with its year.

    >>> from unwritten.tables import Column
    >>> StartsWith("invoice", "day", "INV-", "year").words(Schema((Column("day", "skip", role="date"),)))
    'invoice starts with "INV-" and year of day'
    """

    kind = "starts-with"
    about = ("name", "of")
    name: ColumnName
    of: ColumnName
    before: str = ""
    part: str = ""

    def __post_init__(self) -> None:
        if self.part not in ("", YEAR):
            raise DataError("a text can start with a column or with the year of one: mine the table again")

    @classmethod
    def read(cls, reader: Reader) -> StartsWith:
        """Read the sentence."""
        name = read_name(reader)
        read_words(reader, "starts with", "code starts with country")
        start, before = reader.place, ""
        if reader.try_sign('"'):
            reader.place -= 1
            before = read_text(reader)
            if not reader.try_words("and"):
                before, reader.place = "", start
        part = YEAR if reader.try_words(YEAR, "of") else ""
        other = read_column(reader)
        if bool(part) != (other.role in TIMES):
            reader.fail(f"a text starts with the year of a date: write “year of”, or another column than {other.name}")
        return cls(name, other.name, before, part, origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`code starts with country`."""
        before = f"{plain_json(self.before)} and " if self.before else ""
        part = f"{self.part} of " if self.part else ""
        return f"{quoted(self.name)} starts with {before}{part}{quoted(self.of)}"

    @property
    def condition(self) -> Begins:
        """A row breaks it if both cells are there, and the text begins in another way."""
        return Begins(self.name, self.of, self.before, self.part)
