"""Dependency: the values of some columns decide the value of another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unwritten.conditions import All, Condition, Decides
from unwritten.conditions.across import Entry
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnName, ColumnNames
from unwritten.facts.listing import names_text
from unwritten.facts.parts_of_sentences import read_name, read_names, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Schema
from unwritten.tables.quoting import quoted, shown


@dataclass(frozen=True, repr=False)
class Dependency(Fact):
    """Equal values of the columns `left` come with equal values of the column `right`.

    `mapping` are the values that were seen: the texts on the left, then the text on the right. Without any (a person
    gave the fact), the rows of a table are compared with each other. If `both`, the right side decides the left one,
    too.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("year", "integer", lower=1990, upper=2020),))
    >>> Dependency(("movieId",), "title", ()).words(schema)
    'movieId determines title'
    """

    kind = "determines"
    about = ("left", "right")
    left: ColumnNames
    right: ColumnName
    mapping: tuple[Entry, ...]
    both: bool = False

    def __post_init__(self) -> None:
        width = len(self.left) + 1
        if (self.both and width > 2) or self.right in self.left or any(len(entry) != width for entry in self.mapping):
            raise DataError("a dependency does not fit its columns: mine the table again")

    @property
    def identity(self) -> Any:
        """The columns: new values do not make it another fact."""
        return [sorted(self.left), self.right, self.both]

    @classmethod
    def read(cls, reader: Reader) -> Dependency:
        """Read the sentence."""
        names = read_names(reader)
        if len(names) == 2 and reader.try_words("determine", "each", "other"):
            return cls(names[:1], names[1], (), both=True, origin=GIVEN)
        if not reader.try_words("determines"):
            read_words(reader, "determine", "movie determines title")
        right = read_name(reader)
        if right in names:
            reader.fail(f"{shown(quoted(right))} determines itself: name it on one side only")
        return cls(names, right, (), origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`movieId determines title`, or `a and b determine each other`."""
        if self.both:
            return f"{names_text(self.columns)} determine each other"
        verb = "determines" if len(self.left) == 1 else "determine"
        return f"{names_text(self.left)} {verb} {names_text([self.right])}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if its left values are known and were seen with another right value.

        Without known values, it breaks it if an earlier row of the same table has its left values and another right
        one.
        """
        forward = Decides(self.left, self.right, self.mapping)
        return All((forward, Decides((self.right,), self.left[0], self._turned))) if self.both else forward

    @property
    def _turned(self) -> tuple[Entry, ...]:
        """The mapping from right to left, each right value once."""
        left_of = {entry[1:]: entry[0] for entry in self.mapping}
        return tuple((*right, left) for right, left in left_of.items())
