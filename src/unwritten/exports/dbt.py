"""dbt: data tests of one model of a dbt project.

Columns get dbt's own tests (not_null, unique, accepted_values) in a properties file. Every other sentence is a query
of its own that returns the rows that break it, which dbt calls a singular test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from unwritten import budgets
from unwritten.exports.comments import comment_lines, provenance
from unwritten.exports.dialect import PLAIN_NAME, TEMPLATE, is_plain_name, template_text
from unwritten.exports.predicates import left_out, predicates, schema_of
from unwritten.exports.sql_expressions import SqlExpressions
from unwritten.exports.sql_facts import FactExpressions, contradictions, copies
from unwritten.facts import Dependency, Key, NeverMissing
from unwritten.rules import Sentence
from unwritten.tables import Column, Schema
from unwritten.tables.quoting import plain_json

if TYPE_CHECKING:
    from unwritten.model import Model

PLAIN_VALUE = re.compile(r"[^'\\{}\x00-\x1f\x7f]*")  # what dbt can put between quotes without escaping it
NOTES = [
    "copy models and tests into a dbt project (1.10.5 or later); 'name' below is the model that is tested, and so is "
    "ref(...) in the tests: change both if yours has another name",
    "that columns have the right types is left to the database",
]


def files(model: Model, weights: object = None) -> dict[str, str]:
    """Return the files of the tests by their paths in a dbt project."""
    schema = schema_of(model, weights, "dbt")
    writer = DbtTests(model, schema, _model_name(model))
    return {f"models/unwritten_{writer.name}.yml": writer.properties(), **dict(writer.singular_tests())}


def write(model: Model, weights: object = None) -> str:
    """Return all files as one text, each below its path."""
    return "\n".join(f"==> {path} <==\n{text}" for path, text in files(model, weights).items())


def _model_name(model: Model) -> str:
    """Return the name of the tested model: that of the file that was mined."""
    words = re.findall(r"[a-z0-9]+", PurePath(str(model.about.get("source") or "")).name.partition(".")[0].lower())
    name = "_".join(words) or "my_model"
    return name if PLAIN_NAME.fullmatch(name) else f"t_{name}"


@dataclass
class ColumnTests:
    """The built-in tests of a column: a set of names, and the values that it may have."""

    not_null: bool = False
    unique: bool = False
    values: list[str] = field(default_factory=list)
    quoted_values: bool = True


@dataclass
class DbtTests:
    """The tests of one model."""

    model: Model
    schema: Schema
    name: str

    @property
    def table(self) -> str:
        """The tested table, as tests name it."""
        return f"{{{{ ref('{self.name}') }}}}"

    def properties(self) -> str:
        """The properties file: built-in tests by column."""
        notes = [provenance(self.model), *NOTES, *left_out(self.model)]
        lines = [*comment_lines("#", notes), "version: 2", "", "models:", f"  - name: {self.name}"]
        columns = [line for column in self.schema.columns for line in self._column_lines(column)]
        return "\n".join([*lines, *(["    columns:", *columns] if columns else [])]) + "\n"

    def _column_lines(self, column: Column) -> list[str]:
        tests = self._column_tests(column)
        if not (tests.not_null or tests.unique or tests.values):
            return []
        lines = [f"      - name: {column.name}"]
        lines += [] if is_plain_name(column.name) else ["        quote: true"]
        lines.append("        data_tests:")
        lines += ["          - not_null"] if tests.not_null else []
        lines += ["          - unique"] if tests.unique else []
        if tests.values:
            lines += ["          - accepted_values:", "              arguments:"]
            lines += ["                values:", *(f"                  - {value}" for value in tests.values)]
            lines += [] if tests.quoted_values else ["                quote: false"]
        return lines

    def _column_tests(self, column: Column) -> ColumnTests:
        """The built-in tests of a column; none if its name would have to be escaped."""
        tests = ColumnTests()
        if PLAIN_NAME.fullmatch(column.name) is None:
            return tests
        facts = self.model.facts
        tests.not_null = self._is_never_missing(column)
        tests.not_null |= any(isinstance(fact, NeverMissing) and column.name in fact.names for fact in facts)
        tests.unique = any(isinstance(fact, Key) and fact.names == (column.name,) for fact in facts)
        if self._has_plain_values(column):
            values = [column.value(level) for level in column.levels if level is not None]
            tests.quoted_values = not all(isinstance(value, int) for value in values)
            tests.values = [plain_json(value) for value in values]
        return tests

    def _is_never_missing(self, column: Column) -> bool:
        surely = column.closed or self.model.examples >= budgets.NEW_VALUE_ROWS
        return column.width > 0 and None not in column.levels and surely

    def _has_plain_values(self, column: Column) -> bool:
        """True if dbt's own test can list the values of a closed column."""
        named = PLAIN_NAME.fullmatch(column.name) is not None
        texts = [level for level in column.levels if level is not None]
        listed = column.kind in ("category", "boolean") and column.closed and bool(texts)
        return named and listed and all(PLAIN_VALUE.fullmatch(text) for text in texts)

    def singular_tests(self) -> Iterator[tuple[str, str]]:
        """Yield the path and text of each query."""
        sql = SqlExpressions(TEMPLATE)
        for k, column in enumerate(self.schema.columns, 1):
            named = PLAIN_NAME.fullmatch(column.name) is not None
            tests = [] if named or not self._is_never_missing(column) else [f"{self._cell(column.name)} IS NOT NULL"]
            if column.kind in ("category", "boolean") and column.closed and not self._has_plain_values(column):
                tests = [sql.known_value(column)]
            if tests:
                yield self._test(f"column_{k}", f"{column.name}: known values", [self._rows_without(tests)])
        rules = {rule.name: sql.rule(rule) for rule in predicates(self.model, self.schema)}
        for sentence in self.model.sentences:
            queries = list(self._queries(sentence, rules))
            if queries:
                yield self._test(sentence.id, f"{sentence.text} ({sentence.id})", queries)

    def _queries(self, sentence: Sentence, rules: dict[str, str]) -> Iterator[str]:
        """Yield queries for the rows that break a sentence; none if built-in tests say it."""
        facts = FactExpressions(self.schema, TEMPLATE)
        names = [*(f"rule_{i + 1}" for i in sentence.rules), *(f"gap_{k + 1}" for k in sentence.gaps)]
        tests = [rules[name] for name in names if name in rules]
        for fact in (self.model.facts[k] for k in sentence.facts):
            if isinstance(fact, NeverMissing):
                odd = [name for name in fact.names if PLAIN_NAME.fullmatch(name) is None]
                tests += [f"{self._cell(name)} IS NOT NULL" for name in odd]
            elif isinstance(fact, Key):
                if len(fact.names) > 1 or PLAIN_NAME.fullmatch(fact.names[0]) is None:
                    keys, present = copies(fact, TEMPLATE)
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
        for name, (left, right) in zip(fact.columns, contradictions(fact, TEMPLATE), strict=False):
            kinds = f"COUNT(DISTINCT {right}) + MAX(CASE WHEN {right} IS NULL THEN 1 ELSE 0 END)"
            shown = f"{TEMPLATE.string(name)} AS name, CAST({left} AS VARCHAR) AS cell" if fact.both else left
            yield f"SELECT {shown}, {kinds} AS kinds\nFROM {self.table}\nGROUP BY {left}\nHAVING {kinds} > 1"

    def _cell(self, name: str) -> str:
        return TEMPLATE.identifier(name)

    def _rows_without(self, tests: list[str]) -> str:
        met = " AND ".join(f"({test})" for test in tests) if len(tests) > 1 else tests[0]
        return f"SELECT *\nFROM {self.table}\nWHERE NOT ({met})"

    def _test(self, name: str, text: str, queries: list[str]) -> tuple[str, str]:
        comment = template_text(comment_lines("--", [text])[0])
        whole = (
            queries[0]
            if len(queries) == 1
            else "\nUNION ALL\n".join(f"SELECT * FROM (\n{q}\n) AS q{k}" for k, q in enumerate(queries))
        )
        return f"tests/unwritten_{self.name}_{name}.sql", f"{comment}\n{whole}\n"
