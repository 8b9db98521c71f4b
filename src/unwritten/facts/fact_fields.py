"""Fact fields: what the fields of facts may hold, where a file or a person fills them. The context is a schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from unwritten.shapes import Where
from unwritten.tables import Schema
from unwritten.tables.column import Level
from unwritten.tables.roles import NUMBERS, TIMES, Role


def _column_of(*roles: Role) -> Where:
    def holds(name: Any, schema: Schema) -> bool:
        return name in schema.by_name and schema.by_name[name].role in roles

    return Where(f"the name of a column whose role is {' or '.join(roles)}", holds)


def _is_set(values: Sequence[Any], _: Any) -> bool:
    return 0 < len(set(values)) == len(values)


NO_REPETITION = Where("a list of different entries", _is_set)

ColumnName = Annotated[str, Where("the name of a column", lambda name, schema: name in schema.by_name)]
NumberColumn = Annotated[str, _column_of(*NUMBERS)]
ExactColumn = Annotated[str, _column_of("integer", "decimal")]
TimeColumn = Annotated[str, _column_of(*TIMES)]
MeasuredColumn = Annotated[str, _column_of(*NUMBERS, *TIMES)]
ColumnNames = Annotated[tuple[ColumnName, ...], NO_REPETITION]
NumberColumns = Annotated[tuple[NumberColumn, ...], NO_REPETITION]
Levels = Annotated[tuple[Level, ...], Where("a list of different entries", lambda v, _: len(set(v)) == len(v))]
