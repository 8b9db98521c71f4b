"""A table whose columns have no variables: its rows are counted, and only facts about whole columns can be mined."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from unwritten.data import Examples
from unwritten.sources.example_source import Gathered
from unwritten.sources.label_test import LabelTest, LabelTestResult
from unwritten.sources.readers import table_facts
from unwritten.tables import Table
from unwritten.tally import Tally


@dataclass(frozen=True, eq=False)
class ColumnSource:
    """The rows of a table as labels without entries, all of which are equal."""

    table: Table

    def gather(self) -> Gathered:
        """Count the rows; the table was read when its columns were inspected."""
        rows = self.table.rows
        seen = np.zeros((1, 0), np.int64)
        tally = Tally(rows, np.array([[rows]], np.int64), seen, np.array([rows], np.int64))
        about, notes = table_facts(self.table)
        schema = self.table.schema
        return Gathered(tally, Examples(schema.variables, seen), tally, schema=schema, about=about, notes=notes)

    def scan(self, test: LabelTest) -> Iterable[LabelTestResult] | None:
        """Return None: labels without entries have nothing to test."""
        return None

    def close(self, *, finished: bool) -> None:
        """Do nothing: there are no files."""
