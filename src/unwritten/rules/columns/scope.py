"""Scope: the columns that statements speak of, with the variables that encode them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from unwritten.data import Variables
from unwritten.tables.column import Column
from unwritten.tables.schema import Schema


@dataclass(frozen=True, eq=False)
class Scope:
    """Columns by place. From place `plain` on they are variables of their own, known by their names alone.

    Such a variable is a column too: a boolean with the levels 0 and 1, or an integer.
    """

    columns: tuple[Column, ...]
    starts: tuple[int, ...]
    variables: Variables
    plain: int

    @classmethod
    def of(cls, variables: Variables, schema: Schema | None) -> Scope:
        """The columns of the schema, then one for each further variable."""
        used = schema.used if schema is not None else ()
        starts, end = [], 0
        for column in used:
            starts.append(end)
            end += column.width
        rest = range(end, len(variables))
        columns = [_variable(variables, j) for j in rest]
        return cls((*used, *columns), (*starts, *rest), variables, len(used))

    @cached_property
    def index(self) -> dict[str, int]:
        """The place of each name; a column goes before a variable of the same name."""
        return {self.columns[c].name: c for c in reversed(range(len(self.columns)))}

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """The column of each variable."""
        return tuple(c for c, column in enumerate(self.columns) for _ in range(column.width))

    def size(self, c: int) -> int:
        """How many levels a column has; none if it is an integer."""
        return len(self.columns[c].levels)

    def others(self, c: int, levels: tuple[int, ...]) -> tuple[int, ...]:
        """The levels of a column that are not among these."""
        return tuple(k for k in range(self.size(c)) if k not in levels)


def _variable(variables: Variables, j: int) -> Column:
    name = variables.names[j]
    if variables.binary[j]:
        return Column(name, "boolean", ("0", "1"), "integer")
    return Column(name, "integer", (), "integer", int(variables.lower[j]), int(variables.upper[j]))
