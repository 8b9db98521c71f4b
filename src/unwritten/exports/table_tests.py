"""Table tests: what dbt is told, which tests the tables of a database.

Columns get the tests that dbt has of its own (never missing, unique, one of some values). Every other
sentence becomes queries that return the rows that break it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from unwritten.conditions import All, Condition, Known, Missing, Not, Unique, flat
from unwritten.exports.dialect import PLAIN_NAME, Dialect
from unwritten.exports.named_statements import statements, typed_column_statements
from unwritten.exports.sql_queries import Queries
from unwritten.tables import Column, Schema

if TYPE_CHECKING:
    from unwritten.model import Model

PLAIN_VALUE = re.compile(r"[^'\\{}\x00-\x1f\x7f]*")  # what dbt can put between quotes without escaping it


@dataclass
class ColumnTests:
    """The tests of a column that tools have of their own; `values` are those that it may have, if they are listed."""

    not_null: bool = False
    unique: bool = False
    values: list[int | str | bool] = field(default_factory=list)


class QueryTest(NamedTuple):
    """A name, what is tested in words, and the queries that return the rows that break it."""

    name: str
    text: str
    queries: list[str]


@dataclass(frozen=True)
class TableTests:
    """The tests of one table: `table` is how queries name it."""

    model: Model
    schema: Schema
    dialect: Dialect
    table: str

    def columns(self) -> Iterator[tuple[Column, ColumnTests]]:
        """Yield the columns that have tests of their own; none has if its name would have to be escaped."""
        stated = [part for statement in statements(self.model, self.schema) for part in flat(statement.condition)]
        domains = {column.name: one.condition for column, one in typed_column_statements(self.model, self.schema)}
        for column in self.schema.columns:
            if not _is_plain(column.name):
                continue
            never = column.name in domains and None not in column.levels
            tests = ColumnTests(
                not_null=never or Not(Missing(column.name)) in stated, unique=Unique((column.name,)) in stated
            )
            if _has_plain_values(column):
                tests.values = [column.value(level) for level in column.levels if level is not None]
            if tests.not_null or tests.unique or tests.values:
                yield column, tests

    def queries(self) -> Iterator[QueryTest]:
        """Yield what the tests of columns do not say: columns with odd names or values, then sentences."""
        queries = Queries(self.schema, self.dialect, self.table)
        for column, statement in typed_column_statements(self.model, self.schema):
            domain = statement.condition
            if not (_has_plain_values(column) if isinstance(domain, Known) else _is_plain(column.name)):
                yield QueryTest(statement.name, statement.text, [queries.rows_without(domain)])
        for statement in statements(self.model, self.schema):
            left = tuple(part for part in flat(statement.condition) if not _is_built_in(part))
            tests = list(queries.broken(All(left)))
            if tests:
                yield QueryTest(statement.name.removeprefix("rule_"), statement.text, tests)


def _is_plain(name: str) -> bool:
    return PLAIN_NAME.fullmatch(name) is not None


def _is_built_in(condition: Condition) -> bool:
    """True if tools have a test of their own for it."""
    if isinstance(condition, Unique):
        return len(condition.names) == 1 and _is_plain(condition.names[0])
    return isinstance(condition, Not) and isinstance(condition.part, Missing) and _is_plain(condition.part.column)


def _has_plain_values(column: Column) -> bool:
    """True if a tool's own test can list the values of a closed column."""
    texts = [level for level in column.levels if level is not None]
    listed = column.kind in ("category", "boolean") and column.closed and bool(texts)
    return _is_plain(column.name) and listed and all(PLAIN_VALUE.fullmatch(text) for text in texts)


def table_name(model: Model) -> str:
    """Return the name of the tested table: that of the file that was mined, in plain letters."""
    words = re.findall(r"[a-z0-9]+", PurePath(str(model.about.get("source") or "")).name.partition(".")[0].lower())
    name = "_".join(words) or "my_model"
    return name if PLAIN_NAME.fullmatch(name) else f"t_{name}"
