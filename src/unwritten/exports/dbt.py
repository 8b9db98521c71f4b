"""dbt: data tests of one model of a dbt project.

Columns get dbt's own tests (not_null, unique, accepted_values) in a properties file. Every other sentence is a query
of its own that returns the rows that break it, which dbt calls a singular test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unwritten.exports.comments import comment_lines, provenance
from unwritten.exports.dialect import TEMPLATE, is_plain_name, template_text
from unwritten.exports.named_statements import left_out, schema_of
from unwritten.exports.table_tests import ColumnTests, QueryTest, TableTests, table_name
from unwritten.tables import Column
from unwritten.tables.quoting import plain_json

if TYPE_CHECKING:
    from unwritten.model import Model

NOTES = [
    "copy models and tests into a dbt project (1.10.5 or later); 'name' below is the model that is tested, and so is "
    "ref(...) in the tests: change both if yours has another name",
    "that columns have the right types is left to the database",
]


def files(model: Model, weights: object = None) -> dict[str, str]:
    """Return the files of the tests by their paths in a dbt project."""
    schema, name = schema_of(model, weights, "dbt"), table_name(model)
    tests = TableTests(model, schema, TEMPLATE, f"{{{{ ref('{name}') }}}}")
    singular = {f"tests/unwritten_{name}_{test.name}.sql": _query_file(test) for test in tests.queries()}
    return {f"models/unwritten_{name}.yml": _properties(tests, name), **singular}


def write(model: Model, weights: object = None) -> str:
    """Return all files as one text, each below its path."""
    return "\n".join(f"==> {path} <==\n{text}" for path, text in files(model, weights).items())


def _properties(tests: TableTests, name: str) -> str:
    """Return the properties file: built-in tests by column."""
    notes = [provenance(tests.model), *NOTES, *left_out(tests.model)]
    lines = [*comment_lines("#", notes), "version: 2", "", "models:", f"  - name: {name}"]
    columns = [line for column, own in tests.columns() for line in _column_lines(column, own)]
    return "\n".join([*lines, *(["    columns:", *columns] if columns else [])]) + "\n"


def _column_lines(column: Column, tests: ColumnTests) -> list[str]:
    lines = [f"      - name: {column.name}"]
    lines += [] if is_plain_name(column.name) else ["        quote: true"]
    lines.append("        data_tests:")
    lines += ["          - not_null"] if tests.not_null else []
    lines += ["          - unique"] if tests.unique else []
    if tests.values:
        lines += ["          - accepted_values:", "              arguments:"]
        lines += ["                values:", *(f"                  - {plain_json(value)}" for value in tests.values)]
        lines += ["                quote: false"] if all(isinstance(value, int) for value in tests.values) else []
    return lines


def _query_file(test: QueryTest) -> str:
    comment = template_text(comment_lines("--", [test.text])[0])
    queries = test.queries
    whole = (
        queries[0]
        if len(queries) == 1
        else "\nUNION ALL\n".join(f"SELECT * FROM (\n{q}\n) AS q{k}" for k, q in enumerate(queries))
    )
    return f"{comment}\n{whole}\n"
