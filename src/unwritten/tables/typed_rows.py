"""Typed rows: some rows of a table with the columns as texts and, by their roles, as numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.tables.cell_texts import Texts, texts_of
from unwritten.tables.column import Level
from unwritten.tables.roles import number_of
from unwritten.tables.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


class TypedRows:
    """`rows` rows of a table with this schema; columns are read when they are first asked for.

    `names` are the columns that the table has: those of the schema may be lacking.
    """

    def __init__(self, schema: Schema, rows: int, names: frozenset[str], read: Callable[[str], Texts]) -> None:
        self.schema, self.rows, self.names, self._read = schema, rows, names, read
        self._texts: dict[str, Texts] = {}
        self._numbers: dict[str, FloatArray] = {}

    @classmethod
    def of_batch(cls, schema: Schema, batch: pa.RecordBatch) -> TypedRows:
        """Return the rows of an Arrow batch."""
        return cls(
            schema, batch.num_rows, frozenset(batch.schema.names), lambda name: texts_of(batch.column(name), name)
        )

    @classmethod
    def of_texts(cls, schema: Schema, row: Mapping[str, Level]) -> TypedRows:
        """Return one row that is given as texts by column."""
        return cls(schema, 1, frozenset(row), lambda name: ([row[name]], np.zeros(1, np.int64)))

    @classmethod
    def of_cells(cls, schema: Schema, rows: int, cells: Mapping[str, Texts]) -> TypedRows:
        """Return rows whose columns were read before."""
        return cls(schema, rows, frozenset(cells), cells.__getitem__)

    @cached_property
    def _columns(self) -> dict[str, tuple[str, int]]:
        return {column.name: (column.role, column.scale) for column in self.schema.columns}

    def texts(self, name: str) -> Texts:
        """Return the distinct texts of a column (None is missing), and for each row the position of its text."""
        if name not in self._texts:
            self._texts[name] = self._read(name)
        return self._texts[name]

    def missing(self, name: str) -> BoolArray:
        """Return in which rows the column is missing."""
        texts, index = self.texts(name)
        return np.array([text is None for text in texts], bool)[index] if len(texts) else np.zeros(self.rows, bool)

    def numbers(self, name: str) -> FloatArray:
        """Return the numbers of a column in the units of its role (`roles.number_of`); NaN if missing or no number."""
        if name not in self._numbers:
            role, scale = self._columns[name]
            texts, index = self.texts(name)
            parsed = [None if text is None else number_of(text, role, scale) for text in texts]  # type: ignore[arg-type]
            values = np.array([np.nan if number is None else number for number in parsed], float)
            self._numbers[name] = values[index] if len(texts) else np.zeros(self.rows)
        return self._numbers[name]

    def codes(self, name: str) -> IntArray:
        """Return for each row the position of its text; equal codes are equal texts."""
        return self.texts(name)[1]
