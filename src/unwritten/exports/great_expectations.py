"""Great Expectations: an expectation suite as JSON, for data sources that are databases.

Columns get the expectations that Great Expectations has of its own. Every other sentence is a query of its own, an
`UnexpectedRowsExpectation`, which databases run and pandas does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from unwritten.exports.comments import comment_text, provenance
from unwritten.exports.dialect import Dialect, identifier, string
from unwritten.exports.named_statements import left_out, schema_of
from unwritten.exports.table_tests import TableTests, table_name

if TYPE_CHECKING:
    from unwritten.model import Model

DATABASE = Dialect(identifier, string, typed=True)
BATCH = "\0"  # stands for the tested table until the rest of a query is escaped: no SQL holds this character
NOTES = [
    "load it with great_expectations.ExpectationSuite(**json.load(file)), version 1.3 or later",
    "queries need a data source that is a database; that columns have the right types is left to it",
]


def write(model: Model, weights: object = None) -> str:
    """Return the suite as JSON."""
    schema = schema_of(model, weights, "gx")
    tests = TableTests(model, schema, DATABASE, f"(SELECT * FROM {BATCH})")
    notes = [comment_text(note) for note in (*NOTES, *left_out(model))]
    suite = {
        "meta": {"origin": comment_text(provenance(model)), "notes": notes},
        "name": table_name(model),
        "expectations": list(_expectations(tests)),
    }
    return json.dumps(suite, indent=2) + "\n"


def _expectations(tests: TableTests) -> Iterator[dict[str, Any]]:
    for column, own in tests.columns():
        place = {"column": column.name}
        if own.not_null:
            yield _expectation("expect_column_values_to_not_be_null", place, f"{column.name}: not missing")
        if own.unique:
            yield _expectation("expect_column_values_to_be_unique", place, f"{column.name} is unique")
        if own.values:
            listed = place | {"value_set": own.values}
            yield _expectation("expect_column_values_to_be_in_set", listed, f"{column.name}: known values")
    for test in tests.queries():
        for query in test.queries:
            yield _expectation("unexpected_rows_expectation", {"unexpected_rows_query": _escaped(query)}, test.text)


def _expectation(kind: str, options: dict[str, Any], text: str) -> dict[str, Any]:
    return {"type": kind, "kwargs": options, "meta": {"rule": comment_text(text)}}


def _escaped(query: str) -> str:
    """Return a query in which only the tested table is filled in.

    Great Expectations fills in braces, and SQLAlchemy below it whatever follows a colon.
    """
    query = query.replace(f"(SELECT * FROM {BATCH})\nWHERE", f"{BATCH}\nWHERE")  # a plain table needs no brackets
    return query.replace("{", "{{").replace("}", "}}").replace(":", "\\:").replace(BATCH, "{batch}")
