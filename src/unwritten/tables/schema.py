"""Schema: all columns of a table, and the exact encoding of its rows as labels and back."""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from unwritten.data import BoolArray, IntArray, Variables
from unwritten.errors import DataError
from unwritten.shapes import read
from unwritten.tables.cell_texts import Texts, texts_of
from unwritten.tables.column import Column, Level
from unwritten.tables.quoting import shown, types_option

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Encoded:
    """Encoded rows of a table: `codes` has one array per used column, and `unknown` (n × used columns) is a mask.

    A code is the position of a level, or the integer itself (see `Column.codes`).
    """

    schema: Schema
    codes: tuple[IntArray, ...]
    unknown: BoolArray

    @cached_property
    def labels(self) -> IntArray:
        """The rows as labels (n × d)."""
        labels = np.zeros((len(self.unknown), len(self.schema.variables)), np.int64)
        for column, codes in zip(self.schema.used, self.codes, strict=True):
            column.fill(labels[:, self.schema.places[column.name]], codes)
        return labels


@dataclass(frozen=True, repr=False)
class Schema:
    """The columns of a table, in its order; skipped columns have no variables.

    >>> schema = Schema((Column("size", "category", ("S", "M")), Column("seats", "integer", lower=2, upper=7)))
    >>> schema.variables
    Variables(size=S: 0..1, size=M: 0..1, seats: 2..7)
    >>> schema.decode(np.array([[0, 1, 4]]))
    [{'size': 'M', 'seats': 4}]
    """

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        if all(column.kind == "skip" and column.role in ("unknown", "empty") for column in self.columns):
            raise DataError(
                "no column of the table is used: give at least one of them a type, e.g. "
                + types_option({self.columns[0].name if self.columns else "NAME": "category"})
            )

    def __repr__(self) -> str:
        return f"Schema({', '.join(f'{column.name}: {column.kind}' for column in self.columns)})"

    @cached_property
    def used(self) -> tuple[Column, ...]:
        """The columns that have variables."""
        return tuple(column for column in self.columns if column.width)

    @cached_property
    def by_name(self) -> dict[str, Column]:
        """All columns by their names."""
        return {column.name: column for column in self.columns}

    @cached_property
    def places(self) -> dict[str, slice]:
        """The slice of a label that holds the variables of each used column, by column name."""
        ends = np.cumsum([column.width for column in self.used]).tolist()
        return {column.name: slice(end - column.width, end) for column, end in zip(self.used, ends, strict=True)}

    @cached_property
    def variables(self) -> Variables:
        """All variables; they count as declared unless an integer column has the bounds that the data showed."""
        bounds = [column.bounds for column in self.used]
        lower, upper = [low for low, _ in bounds], [high for _, high in bounds]
        return Variables(
            tuple(name for column in self.used for name in column.names),
            np.array(reduce(operator.iadd, lower, []), np.int64),
            np.array(reduce(operator.iadd, upper, []), np.int64),
            declared=not any(column.kind == "integer" for column in self.used),
        )

    @cached_property
    def blocks(self) -> tuple[IntArray, ...]:
        """The positions of the variables of each one-hot column: exactly one of them is 1."""
        return tuple(
            np.arange(self.places[column.name].start, self.places[column.name].stop)
            for column in self.used
            if column.one_hot
        )

    @cached_property
    def owners(self) -> tuple[tuple[Column, int], ...]:
        """For each variable its column, and the position of the level it is 1 for (0 for an integer)."""
        return tuple(
            (column, 1 if column.kind == "boolean" else k) for column in self.used for k in range(column.width)
        )

    @cached_property
    def alike(self) -> BoolArray:
        """A mask of the variables that belong to cells of one grid.

        Such a cell is a one-hot column with 3 or more levels, which at least three other columns have as well.
        """
        shared = Counter(column.levels for column in self.used if column.one_hot)
        chosen = [column.one_hot and len(column.levels) > 2 and shared[column.levels] > 3 for column in self.used]
        return np.repeat(np.array(chosen, bool), [column.width for column in self.used])

    def encode(self, batch: pa.RecordBatch | pa.Table) -> Encoded:
        """Encode the rows of a batch, which must have all used columns and may have others."""
        present = set(batch.schema.names)
        lacking = [column.name for column in self.used if column.name not in present]
        if lacking:
            raise DataError(
                f"the table lacks the column {shown(lacking[0])!r}"
                + (f" (and {len(lacking) - 1} more)" if len(lacking) > 1 else "")
                + " that the model was mined from: give a table with the same columns"
            )
        return self._encoded([texts_of(batch.column(column.name), column.name) for column in self.used], batch.num_rows)

    def encode_rows(self, rows: list[dict[str, Level]]) -> Encoded:
        """Encode rows given as texts by column name."""
        index = np.arange(len(rows))
        return self._encoded([([row.get(column.name) for row in rows], index) for column in self.used], len(rows))

    def _encoded(self, cells: list[Texts], rows: int) -> Encoded:
        columns = [column.codes(texts, index) for column, (texts, index) in zip(self.used, cells, strict=True)]
        unknown = np.zeros((rows, len(columns)), bool)
        for k, (_, column_unknown) in enumerate(columns):
            unknown[:, k] = column_unknown
        return Encoded(self, tuple(codes for codes, _ in columns), unknown)

    def decode(self, labels: IntArray) -> list[dict[str, Any]]:
        """Return the rows that these labels encode: used columns only, with values as they were in the table."""
        values = [column.decode(labels[:, self.places[column.name]]) for column in self.used]
        return [dict(zip(self.places, row, strict=True)) for row in zip(*values, strict=True)]

    def __getitem__(self, name: str) -> Column:
        if name in self.by_name:
            return self.by_name[name]
        raise DataError(
            f"there is no column {shown(name)!r}: use one of {', '.join(shown(c.name) for c in self.columns[:8])}"
        )

    def state(self) -> list[dict[str, Any]]:
        """Return the schema as plain JSON."""
        return [column.state() for column in self.columns]

    @classmethod
    def restore(cls, state: list[dict[str, Any]]) -> Schema:
        """Return the schema that `state()` described."""
        columns = tuple(Column.restore(part) for part in read(tuple[Any, ...], state, "the file's columns"))
        if len({column.name for column in columns}) < len(columns):
            raise DataError("two columns have the same name: mine the table again")
        return cls(columns)
