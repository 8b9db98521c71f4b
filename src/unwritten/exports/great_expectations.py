"""Great Expectations: an expectation suite as JSON.

Its expectations run on databases and on data frames. What they cannot say are queries, which run on databases only: an
`UnexpectedRowsExpectation` each. These stand apart, because on a data frame they would fail whatever its rows.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from unwritten.conditions import All, Condition, flat
from unwritten.exports.comments import comment_text, provenance
from unwritten.exports.dialect import Dialect, identifier, string
from unwritten.exports.expectations import Expectations
from unwritten.exports.named_statements import Statement, left_out, schema_of, statements, typed_column_statements
from unwritten.exports.sql_queries import Queries
from unwritten.exports.table_tests import table_name
from unwritten.tables import Schema

if TYPE_CHECKING:
    from unwritten.model import Model

DATABASE = Dialect(identifier, string, typed=True)
BATCH = "\0"  # stands for the tested table until the rest of a query is escaped: no SQL holds this character
NOTES = [
    "load it with great_expectations.ExpectationSuite(**json.load(file)), version 1.12 or later",
    "for a database, append meta.queries to the expectations first: they are the sentences that need one",
    "columns must have the types of their values: that they have them is not tested",
]


def write(model: Model, weights: object = None) -> str:
    """Return the suite as JSON."""
    schema = schema_of(model, weights, "gx")
    domains = [statement for _, statement in typed_column_statements(model, schema)]
    expected, queries = _expected([*domains, *statements(model, schema)], schema)
    notes = [comment_text(note) for note in (*NOTES, *left_out(model))]
    suite = {
        "meta": {"origin": comment_text(provenance(model)), "notes": notes, "queries": queries},
        "name": table_name(model),
        "expectations": expected,
    }
    return json.dumps(suite, indent=2) + "\n"


Saved = dict[str, Any]


def _expected(stated: list[Statement], schema: Schema) -> tuple[list[Saved], list[Saved]]:
    """Return the expectations of some statements, and queries for what these do not say."""
    expectations, queries = Expectations(schema), Queries(schema, DATABASE, f"(SELECT * FROM {BATCH})")
    native: dict[str, Saved] = {}
    asked = []
    for statement in stated:
        left: list[Condition] = []
        for part in flat(statement.condition):
            found = expectations.of(part)
            left += [part] if found is None else []
            for kind, options in found or ():  # a sentence may say again what a column says
                native.setdefault(json.dumps([kind, options]), _saved(kind, options, statement.text))
        asked += [
            _saved("unexpected_rows_expectation", {"unexpected_rows_query": query}, statement.text)
            for query in map(_escaped, queries.broken(All(tuple(left))))
        ]
    return list(native.values()), asked


def _saved(kind: str, options: Saved, text: str) -> Saved:
    return {"type": kind, "kwargs": options, "meta": {"rule": comment_text(text)}}


def _escaped(query: str) -> str:
    """Return a query in which only the tested table is filled in.

    Great Expectations fills in braces, and SQLAlchemy below it whatever follows a colon.
    """
    query = query.replace(f"(SELECT * FROM {BATCH})\nWHERE", f"{BATCH}\nWHERE")  # a plain table needs no brackets
    return query.replace("{", "{{").replace("}", "}}").replace(":", "\\:").replace(BATCH, "{batch}")
