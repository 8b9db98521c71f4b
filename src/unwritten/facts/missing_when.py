"""Missing when: the value of one column says whether another one is missing."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.conditions import All, Condition, Either, Missing, Not, OneOf
from unwritten.errors import DataError
from unwritten.facts.fact import Fact
from unwritten.facts.fact_fields import ColumnName, Levels
from unwritten.facts.parts_of_sentences import read_column, read_levels, read_name, read_words
from unwritten.rules.language.reader import Reader
from unwritten.rules.rule import GIVEN
from unwritten.tables import Column, Schema
from unwritten.tables.column import Level, level_text
from unwritten.tables.quoting import quoted


@dataclass(frozen=True)
class MissingWhen(Fact):
    """`name` is missing in all rows in which `by` has a value of `missing`, and in none with a value of `present`.

    If `exactly`, these are all values that were seen.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("status", "category", ("open", "shipped", "returned")), Column("refund", "skip")))
    >>> MissingWhen("refund", "status", ("open", "shipped"), ("returned",), exactly=True).words(schema)
    'refund is missing exactly when status ≠ returned'
    """

    kind = "missing-when"
    about = ("by", "name")
    same = ("by", "name")
    name: ColumnName
    by: ColumnName
    missing: Levels
    present: Levels
    exactly: bool = False

    def __post_init__(self) -> None:
        both = {*self.missing, *self.present}
        if not both or len(both) < len(self.missing) + len(self.present):
            raise DataError(
                "the values that say what is missing are none, or contradict each other: mine the table again"
            )

    @classmethod
    def read(cls, reader: Reader) -> MissingWhen:
        """Read the sentence."""
        name = read_name(reader)
        if reader.try_words("is", "missing", "exactly", "when"):
            by, equal, values = _read_test(reader)
            others = tuple(level for level in by.levels if level not in values)
            return cls(name, by.name, *((values, others) if equal else (others, values)), True, origin=GIVEN)
        missing: tuple[Level, ...] = ()
        present: tuple[Level, ...] = ()
        if reader.try_words("is", "missing", "when"):
            by, _, missing = _read_test(reader)
            if reader.try_words("and", "never", "missing", "when"):
                _, _, present = _read_test(reader)
        else:
            read_words(reader, "is never missing when", "refund is missing exactly when status = open")
            by, _, present = _read_test(reader)
        return cls(name, by.name, missing, present, origin=GIVEN)

    def words(self, schema: Schema) -> str:
        """`refund is missing exactly when status ≠ returned`, or the values that are known to decide."""
        name, by = quoted(self.name), quoted(self.by)
        if self.exactly and set(schema[self.by].levels) == {*self.missing, *self.present}:
            fewer = len(self.present) < len(self.missing)
            test = _among(by, self.present, "≠", "∉") if fewer else _among(by, self.missing, "=", "∈")
            return f"{name} is missing exactly when {test}"
        parts = [f"missing when {_among(by, self.missing, '=', '∈')}"] if self.missing else []
        parts += [f"never missing when {_among(by, self.present, '=', '∈')}"] if self.present else []
        return f"{name} is {' and '.join(parts)}"

    @property
    def condition(self) -> Condition:
        """A row breaks it if the cell is there and should not be, or is missing and should be there."""
        gone = Missing(self.name)
        sides = ((self.missing, gone), (self.present, Not(gone)))
        return All(tuple(Either((Not(OneOf(self.by, values)), test)) for values, test in sides if values))


def _among(name: str, values: tuple[Level, ...], one: str, several: str) -> str:
    texts = [level_text(value) for value in values]
    return f"{name} {one} {texts[0]}" if len(texts) == 1 else f"{name} {several} {{{', '.join(texts)}}}"


def _read_test(reader: Reader) -> tuple[Column, bool, tuple[Level, ...]]:
    """Read the values that a column has, or has not."""
    column = read_column(reader)
    sign = reader.try_sign("∈", "=", "∉", "≠", "!=") or ("∈" if reader.try_words("in") else None)
    if sign is None:
        reader.fail(f"= or ∈ is missing before {reader.rest}: write “status = open” or “status ∈ {{open, shipped}}”")
    return column, sign in ("∈", "="), read_levels(reader, column)
