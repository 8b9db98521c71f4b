"""Key: no two rows have the same values in some columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray
from unwritten.facts.column_set import ColumnSetFact
from unwritten.facts.fact import Checker
from unwritten.facts.listing import names_text
from unwritten.tables import Schema
from unwritten.tables.column import Level
from unwritten.tables.typed_rows import TypedRows


@dataclass(frozen=True, repr=False)
class Key(ColumnSetFact):
    """No two rows of one table have the same values in all `names`; rows with a missing one are not compared.

    >>> from unwritten.tables import Column
    >>> schema = Schema((Column("year", "integer", lower=1990, upper=2020),))
    >>> Key(("year", "state")).words(schema)
    'year and state are unique together'
    """

    kind = "key"

    def words(self, schema: Schema) -> str:
        """`id is unique`, or `year and state are unique together`."""
        name = names_text(self.names)
        return f"{name} is unique" if len(self.names) == 1 else f"{name} are unique together"

    def checker(self) -> Checker:
        """A row breaks it if an earlier row of the same table has the same values."""
        seen: set[tuple[Level, ...]] = set()

        def broken(rows: TypedRows) -> BoolArray:
            cells = [rows.texts(name) for name in self.names]
            out = np.zeros(rows.rows, bool)
            keys = zip(*([texts[k] for k in index.tolist()] for texts, index in cells), strict=True)
            for i, key in enumerate(keys):
                out[i] = key in seen
                if None not in key:
                    seen.add(key)
            return out

        return broken
