"""Facts about missing values: never missing, and missing together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray
from unwritten.facts.column_set import ColumnSetFact
from unwritten.facts.fact import Checker
from unwritten.facts.listing import names_text
from unwritten.tables import Schema
from unwritten.tables.typed_rows import TypedRows


@dataclass(frozen=True, repr=False)
class NeverMissing(ColumnSetFact):
    """Every row has a value in each of the columns `names`.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("year", "integer", lower=1990, upper=2020),))
    >>> NeverMissing(("id", "price")).words(schema)
    'id and price are never missing'
    """

    kind = "never-missing"

    def words(self, schema: Schema) -> str:
        """`id and price are never missing`."""
        return f"{names_text(self.names)} {'is' if len(self.names) == 1 else 'are'} never missing"

    def checker(self) -> Checker:
        """A row breaks it if a cell is missing."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        return np.asarray(np.any([rows.missing(name) for name in self.names], axis=0))


@dataclass(frozen=True, repr=False)
class MissingTogether(ColumnSetFact):
    """Either all columns `names` are missing in a row, or none of them.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("year", "integer", lower=1990, upper=2020),))
    >>> MissingTogether(("dep_time", "dep_delay")).words(schema)
    'dep_time and dep_delay are missing together'
    """

    kind = "missing-together"

    def words(self, schema: Schema) -> str:
        """`dep_time and dep_delay are missing together`."""
        return f"{names_text(self.names)} are missing together"

    def checker(self) -> Checker:
        """A row breaks it if some of the cells are missing and some are not."""
        return self._broken

    def _broken(self, rows: TypedRows) -> BoolArray:
        missing = np.stack([rows.missing(name) for name in self.names])
        return np.asarray(missing.any(axis=0) & ~missing.all(axis=0))
