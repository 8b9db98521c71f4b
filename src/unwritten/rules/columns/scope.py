"""Scope: the columns that rules speak of, with the variables that encode them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from unwritten.data import Variables
from unwritten.tables.column import Column
from unwritten.tables.schema import Schema


@dataclass(frozen=True, eq=False)
class Scope:
    """The columns of a table, followed by one column for each variable that belongs to no table.

    Such a variable counts as a column of its own: a boolean with the levels 0 and 1, or an integer. `starts` holds the
    first variable of each column, and `table_columns` the number of columns that come from the table (0 without one).
    """

    columns: tuple[Column, ...]
    starts: tuple[int, ...]
    variables: Variables
    table_columns: int

    @classmethod
    def of(cls, variables: Variables, schema: Schema | None) -> Scope:
        """The columns of the schema, then one for each further variable."""
        used = schema.used if schema is not None else ()
        starts, end = [], 0
        for column in used:
            starts.append(end)
            end += column.width
        further = range(end, len(variables))
        columns = [_variable_column(variables, j) for j in further]
        return cls((*used, *columns), (*starts, *further), variables, len(used))

    @cached_property
    def index(self) -> dict[str, int]:
        """The place of each name; a column of the table goes before a variable of the same name."""
        return {self.columns[c].name: c for c in reversed(range(len(self.columns)))}

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """The place of the column that each variable belongs to."""
        return tuple(c for c, column in enumerate(self.columns) for _ in range(column.width))

    @property
    def has_table(self) -> bool:
        """True if some columns come from a table."""
        return self.table_columns > 0

    def size(self, c: int) -> int:
        """The number of levels of a column; 0 for an integer column."""
        return len(self.columns[c].levels)

    def other_levels(self, c: int, levels: tuple[int, ...]) -> tuple[int, ...]:
        """The levels of a column that are not among these."""
        return tuple(k for k in range(self.size(c)) if k not in levels)


def _variable_column(variables: Variables, j: int) -> Column:
    name = variables.names[j]
    if variables.binary[j]:
        return Column(name, "boolean", ("0", "1"), "integer")
    return Column(name, "integer", (), "integer", int(variables.lower[j]), int(variables.upper[j]))
