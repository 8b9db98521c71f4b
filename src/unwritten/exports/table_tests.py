"""Table tests: what a tool that tests the tables of a database is told, whatever its file format.

Columns get the tests that such tools have of their own (never missing, unique, one of some values). Every other
sentence becomes queries that return the rows that break it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from unwritten import budgets
from unwritten.exports.dialect import PLAIN_NAME, Dialect
from unwritten.exports.predicates import companion_predicates, predicates
from unwritten.exports.sql_expressions import SqlExpressions
from unwritten.exports.sql_facts import FactExpressions, contradictions, copies
from unwritten.facts import Dependency, Key, NeverMissing
from unwritten.rules import Sentence
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
        for column in self.schema.columns:
            tests = self._column_tests(column)
            if tests.not_null or tests.unique or tests.values:
                yield column, tests

    def _column_tests(self, column: Column) -> ColumnTests:
        tests = ColumnTests()
        if PLAIN_NAME.fullmatch(column.name) is None:
            return tests
        facts = self.model.facts
        tests.not_null = self._is_never_missing(column)
        tests.not_null |= any(isinstance(fact, NeverMissing) and column.name in fact.names for fact in facts)
        tests.unique = any(isinstance(fact, Key) and fact.names == (column.name,) for fact in facts)
        if self._has_plain_values(column):
            tests.values = [column.value(level) for level in column.levels if level is not None]
        return tests

    def _is_never_missing(self, column: Column) -> bool:
        surely = column.closed or self.model.examples >= budgets.NEW_VALUE_ROWS
        return column.width > 0 and None not in column.levels and surely

    def _has_plain_values(self, column: Column) -> bool:
        """True if a tool's own test can list the values of a closed column."""
        named = PLAIN_NAME.fullmatch(column.name) is not None
        texts = [level for level in column.levels if level is not None]
        listed = column.kind in ("category", "boolean") and column.closed and bool(texts)
        return named and listed and all(PLAIN_VALUE.fullmatch(text) for text in texts)

    def queries(self) -> Iterator[QueryTest]:
        """Yield what the tests of columns do not say: columns with odd names or values, then sentences."""
        sql = SqlExpressions(self.dialect)
        for k, column in enumerate(self.schema.columns, 1):
            named = PLAIN_NAME.fullmatch(column.name) is not None
            tests = [] if named or not self._is_never_missing(column) else [f"{self._cell(column.name)} IS NOT NULL"]
            if column.kind in ("category", "boolean") and column.closed and not self._has_plain_values(column):
                tests = [sql.known_value(column)]
            if tests:
                yield QueryTest(f"column_{k}", f"{column.name}: known values", [self._rows_without(tests)])
        rules = {rule.name: sql.rule(rule) for rule in predicates(self.model, self.schema)}
        for sentence in self.model.sentences:
            queries = list(self._queries(sentence, rules))
            if queries:
                yield QueryTest(sentence.id, f"{sentence.text} ({sentence.id})", queries)
        for rule in companion_predicates(self.model, self.schema):
            yield QueryTest(rule.name, rule.text, [self._rows_without([rules[rule.name]])])

    def _queries(self, sentence: Sentence, rules: dict[str, str]) -> Iterator[str]:
        """Yield queries for the rows that break a sentence; none if the tests of columns say it."""
        facts = FactExpressions(self.schema, self.dialect)
        names = [*(f"rule_{i + 1}" for i in sentence.rules), *(f"gap_{k + 1}" for k in sentence.gaps)]
        tests = [rules[name] for name in names if name in rules]
        for fact in (self.model.facts[k] for k in sentence.facts):
            if isinstance(fact, NeverMissing):
                odd = [name for name in fact.names if PLAIN_NAME.fullmatch(name) is None]
                tests += [f"{self._cell(name)} IS NOT NULL" for name in odd]
            elif isinstance(fact, Key):
                if len(fact.names) > 1 or PLAIN_NAME.fullmatch(fact.names[0]) is None:
                    keys, present = copies(fact, self.dialect)
                    counted = f"SELECT {keys}, COUNT(*) AS copies\nFROM {self.table}\nWHERE {present}"
                    yield f"{counted}\nGROUP BY {keys}\nHAVING COUNT(*) > 1"
            elif isinstance(fact, Dependency):
                for pairs in facts.known_pairs(fact):
                    yield from pairs.broken_rows(self.table, "t.*")
                if not fact.mapping:
                    yield from self._contradictions(fact)
            elif (condition := facts.condition(fact)) is not None:
                tests.append(condition)
        if tests:
            yield self._rows_without(tests)

    def _contradictions(self, fact: Dependency) -> Iterator[str]:
        """Yield queries for the left values that come with several right values; of both sides in one form."""
        for name, (left, right) in zip(fact.columns, contradictions(fact, self.dialect), strict=False):
            kinds = f"COUNT(DISTINCT {right}) + MAX(CASE WHEN {right} IS NULL THEN 1 ELSE 0 END)"
            shown = f"{self.dialect.string(name)} AS name, CAST({left} AS VARCHAR) AS cell" if fact.both else left
            yield f"SELECT {shown}, {kinds} AS kinds\nFROM {self.table}\nGROUP BY {left}\nHAVING {kinds} > 1"

    def _cell(self, name: str) -> str:
        return self.dialect.identifier(name)

    def _rows_without(self, tests: list[str]) -> str:
        met = " AND ".join(f"({test})" for test in tests) if len(tests) > 1 else tests[0]
        return f"SELECT *\nFROM {self.table}\nWHERE NOT ({met})"


def table_name(model: Model) -> str:
    """Return the name of the tested table: that of the file that was mined, in plain letters."""
    words = re.findall(r"[a-z0-9]+", PurePath(str(model.about.get("source") or "")).name.partition(".")[0].lower())
    name = "_".join(words) or "my_model"
    return name if PLAIN_NAME.fullmatch(name) else f"t_{name}"
