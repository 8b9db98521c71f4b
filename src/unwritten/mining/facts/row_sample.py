"""Sample: the rows of a table that facts are searched in, held as one code per cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.effort import Effort
from unwritten.facts import Fact
from unwritten.tables import Column, Schema, Table
from unwritten.tables.cell_texts import Texts
from unwritten.tables.column import plain_integer
from unwritten.tables.roles import NUMBERS, TIMES
from unwritten.tables.typed_rows import TypedRows

NO_ROLE = ("unknown", "empty")

F = TypeVar("F", bound=Fact)


class Sample:
    """Rows of a table for the miners of facts; `whole` says that they are all rows.

    `columns` are those with a role and more than one value, and `numbers` those of them that hold numbers or times.
    Reading a column spends `effort`, so that every search ends when it is used up.
    """

    def __init__(self, rows: TypedRows, total: int, effort: Effort | None = None) -> None:
        self.rows, self.total, self.effort = rows, total, effort or Effort()
        self._codes: dict[str, IntArray] = {}

    def searched(self, effort: Effort, kind: str, search: Callable[[Sample], Sequence[F]]) -> Sequence[F]:
        """Return what a search for one kind of facts finds; nothing if its work or the time does not suffice."""

        def step(part: Effort) -> Sequence[F]:
            self.effort = part
            try:
                return search(self)
            finally:
                self.effort = Effort()

        return effort.within(budgets.FACT_WORK, kind, step, ())

    def at(self, places: IntArray) -> Sample:
        """Return the sample of some of its rows."""
        cells = {name: self.rows.texts(name) for name in self.rows.names}
        some = {name: _used(texts, index[places]) for name, (texts, index) in cells.items()}
        return Sample(TypedRows.of_cells(self.rows.schema, len(places), some), self.total, self.effort)

    @property
    def whole(self) -> bool:
        """True if the sample has all rows of the table."""
        return self.rows.rows == self.total

    @property
    def n(self) -> int:
        """The number of rows in the sample."""
        return self.rows.rows

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns with a role and more than one value."""
        return tuple(
            column
            for column in self.rows.schema.columns
            if column.role not in NO_ROLE and int(self.codes(column.name).max(initial=0)) > 0
        )

    @cached_property
    def numbers(self) -> tuple[Column, ...]:
        """The columns that hold numbers."""
        return tuple(column for column in self.columns if column.role in NUMBERS)

    @cached_property
    def times(self) -> tuple[Column, ...]:
        """The columns that hold dates or timestamps."""
        return tuple(column for column in self.columns if column.role in TIMES)

    @cached_property
    def distinct(self) -> BoolArray:
        """In which rows the table has a row for the first time: copies of a row prove nothing about its values."""
        joint = np.zeros(self.n, np.int64)
        for column in self.columns:
            codes = self.codes(column.name)
            joint = np.unique(joint * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
        first = np.zeros(self.n, bool)
        first[np.unique(joint, return_index=True)[1]] = True
        return first

    def codes(self, name: str) -> IntArray:
        """Return 0 for a missing value and otherwise a number for each value, in each row."""
        self.effort.spend(budgets.FACT_CELL_WORK * self.n)
        if name not in self._codes:
            texts, index = self.rows.texts(name)
            plain: dict[str | None, int] = {None: 0}
            places = [plain.setdefault(None if text is None else plain_integer(text), len(plain)) for text in texts]
            self._codes[name] = np.array(places, np.int64)[index] if places else np.zeros(self.n, np.int64)
            if not (self._codes[name] == 0).any():
                self._codes[name] -= 1
        return self._codes[name]

    def present(self, name: str) -> BoolArray:
        """Return in which rows a column has a value."""
        self.effort.spend(budgets.FACT_CELL_WORK * self.n)
        return ~self.rows.missing(name)

    def there_with(self, names: Sequence[str]) -> frozenset[str]:
        """Return the columns that have a value in every row in which all these have one."""
        rows = np.logical_and.reduce([self.present(name) for name in names])
        return frozenset(column.name for column in self.columns if self.present(column.name)[rows].all())

    def values(self, name: str) -> FloatArray:
        """Return the numbers of a column; NaN where it is missing."""
        self.effort.spend(budgets.FACT_CELL_WORK * self.n)
        return self.rows.numbers(name)


def _used(texts: list[str | None], index: IntArray) -> Texts:
    """Return only the texts that some row has."""
    used, places = np.unique(index, return_inverse=True)
    return [texts[k] for k in used.tolist()], places


def drawn(table: Table) -> Sample:
    """Return the sample of a table: all rows if they are few, else rows at random places that are always the same."""
    names = [column.name for column in table.schema.columns if column.role not in NO_ROLE]
    most = max(1, min(budgets.FACT_ROWS, budgets.FACT_CELLS // max(1, len(names))))
    chosen = None
    if table.rows > most:
        chosen = np.unique(np.random.default_rng(0).integers(0, table.rows, most))
    texts: dict[str, dict[str | None, int]] = {name: {} for name in names}
    codes: dict[str, list[IntArray]] = {name: [] for name in names}
    start = 0
    for rows in typed_batches(table, "looking for facts"):
        here = None if chosen is None else chosen[slice(*np.searchsorted(chosen, [start, start + rows.rows]))] - start
        start += rows.rows
        if here is not None and not len(here):
            continue
        for name in names:
            batch_texts, index = rows.texts(name)
            index = index if here is None else index[here]
            position = texts[name]
            used = np.zeros(len(batch_texts), np.int64)
            for k in np.unique(index).tolist():
                used[k] = position.setdefault(batch_texts[k], len(position))
            codes[name].append(used[index])
    cells = {name: (list(texts[name]), np.concatenate(codes[name])) for name in names}
    n = table.rows if chosen is None else len(chosen)
    return Sample(TypedRows.of_cells(table.schema, n, cells), table.rows)


def typed_batches(table: Table, what: str) -> Iterator[TypedRows]:
    """Yield all rows of a table, batch by batch."""
    schema: Schema = table.schema
    for batch, done in table.reader.batches():
        yield TypedRows.of_batch(schema, batch)
        table.progress(what, done, table.reader.size)
