"""Missing when: the value of one column says whether another one is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.data import BoolArray
from unwritten.errors import DataError
from unwritten.facts.fact import Checker, Fact
from unwritten.facts.fact_fields import ColumnName, Levels
from unwritten.facts.range_when import has_value
from unwritten.tables import Schema
from unwritten.tables.column import Level, level_text
from unwritten.tables.quoting import quoted
from unwritten.tables.typed_rows import TypedRows


@dataclass(frozen=True)
class MissingWhen(Fact):
    """`name` is missing in all rows in which `by` has a value of `missing`, and in none with a value of `present`.

    If `exactly`, these are all values that were seen.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("status", "category"), Column("refund", "skip", role="decimal", scale=2)))
    >>> MissingWhen("refund", "status", ("open", "shipped"), ("returned",), exactly=True).words(schema)
    'refund is missing exactly when status ≠ returned'
    """

    kind = "missing-when"
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

    @property
    def columns(self) -> tuple[str, ...]:
        """The column that decides, then the one that may be missing."""
        return self.by, self.name

    @property
    def identity(self) -> Any:
        """The columns: new values do not make it another fact."""
        return [self.by, self.name]

    def words(self, schema: Schema) -> str:
        """`refund is missing exactly when status ≠ returned`, or the values that are known to decide."""
        name, by = quoted(self.name), quoted(self.by)
        if self.exactly:
            fewer = len(self.present) < len(self.missing)
            test = _among(by, self.present, "≠", "∉") if fewer else _among(by, self.missing, "=", "∈")
            return f"{name} is missing exactly when {test}"
        parts = [f"missing when {_among(by, self.missing, '=', '∈')}"] if self.missing else []
        parts += [f"never missing when {_among(by, self.present, '=', '∈')}"] if self.present else []
        return f"{name} is {' and '.join(parts)}"

    def checker(self) -> Checker:
        """A row breaks it if the cell is there and should not be, or is missing and should be there."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        gone, broken = rows.missing(self.name), np.zeros(rows.rows, bool)
        for value in self.missing:
            broken |= has_value(rows, self.by, value) & ~gone
        for value in self.present:
            broken |= has_value(rows, self.by, value) & gone
        return broken


def _among(name: str, values: tuple[Level, ...], one: str, several: str) -> str:
    texts = [level_text(value) for value in values]
    return f"{name} {one} {texts[0]}" if len(texts) == 1 else f"{name} {several} {{{', '.join(texts)}}}"
