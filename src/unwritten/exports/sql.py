"""SQL: a table that refuses rows that break a rule, and a view that names the rules they break."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from unwritten.errors import DataError
from unwritten.exports.comments import comment_lines, comment_text, provenance
from unwritten.exports.predicates import left_out, predicates, schema_of
from unwritten.exports.sql_expressions import identifier, known_value, predicate_sql, string, type_of
from unwritten.tables import Schema
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model import Model

MOST_SELECTS = 250  # in one compound SELECT: SQLite takes 500
NOTES = [
    "decisions takes only rows that obey every rule; candidates takes any, and violations says what is wrong with them",
    "text is compared as it is written; missing values are NULL",
]


class SqlCheck(NamedTuple):
    """One CHECK constraint: its name, its meaning in words, and the SQL expression that must be true."""

    name: str
    text: str
    expression: str


def write(model: Model, weights: object = None) -> str:
    """Return SQL statements that both SQLite and DuckDB run."""
    schema = schema_of(model, weights, "sql")
    _require_different_names(schema)
    checks = list(_checks(model, schema))
    columns = [f"    {identifier(column.name)} {type_of(column)}" for column in schema.columns]
    rows = [
        f"    -- {comment_text(check.text)}\n    CONSTRAINT {check.name} CHECK ({check.expression})" for check in checks
    ]
    parts = [
        "\n".join(comment_lines("--", [provenance(model), *NOTES, *left_out(model)])),
        "CREATE TABLE decisions (\n" + ",\n".join([*columns, *rows]) + "\n);",
        "CREATE TABLE candidates (\n" + ",\n".join(columns) + "\n);",
        f"CREATE VIEW violations AS\n{_violations(checks, schema)};",
    ]
    return "\n\n".join(parts) + "\n"


def _require_different_names(schema: Schema) -> None:
    """Raise if two columns differ only in upper and lower case."""
    seen: dict[str, str] = {}
    for column in schema.columns:
        other = seen.setdefault(column.name.lower(), column.name)
        if other != column.name:
            pair = f"{shown(other)!r} and {shown(column.name)!r}"
            raise DataError(f"the columns {pair} have the same name in SQL, which ignores case: rename one")


def _checks(model: Model, schema: Schema) -> Iterator[SqlCheck]:
    """Yield a check for the values of each used column, then one for each rule."""
    for k, column in enumerate(schema.columns, 1):
        if column.width:
            bounds = f"a whole number ({column.lower} to {column.upper} were seen)"
            domain = {"integer": bounds, "bins": "a number"}.get(column.kind, "one of the known values")
            yield SqlCheck(f"column_{k}", f"{column.name}: {domain}", known_value(column))
    for name, text, predicate in predicates(model, schema):
        yield SqlCheck(name, text, predicate_sql(predicate))


def _violations(checks: list[SqlCheck], schema: Schema) -> str:
    """Return the query that lists every row of candidates once for each check that it breaks."""
    rule, meaning = (_unused_name(word, schema) for word in ("rule", "meaning"))
    selects = [
        f"SELECT {string(check.name)} AS {rule}, {string(comment_text(check.text))} AS {meaning}, candidates.*\n"
        f"FROM candidates WHERE NOT ({check.expression})"
        for check in checks
    ]
    if len(selects) <= MOST_SELECTS:
        return "\nUNION ALL\n".join(selects)
    parts = [selects[start : start + MOST_SELECTS] for start in range(0, len(selects), MOST_SELECTS)]
    return "\nUNION ALL\n".join("SELECT * FROM (\n" + "\nUNION ALL\n".join(part) + "\n)" for part in parts)


def _unused_name(word: str, schema: Schema) -> str:
    """Return a name that no column has: the word, with underscores behind it if needed."""
    taken = {column.name.lower() for column in schema.columns}
    while word in taken:
        word += "_"
    return word
