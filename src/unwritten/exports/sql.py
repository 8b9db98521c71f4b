"""SQL: a table that refuses rows that break a rule, and a view that names the rules they break."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from unwritten.errors import DataError
from unwritten.exports.comments import block, header, line
from unwritten.exports.conditions import conditions, left_out, schema_of
from unwritten.exports.sql_words import condition, identifier, known, string, type_of
from unwritten.model import Model
from unwritten.tables import Schema
from unwritten.tables.quoting import shown

MOST_SELECTS = 250  # of one compound: SQLite takes 500
NOTES = [
    "decisions takes only rows that obey every rule; candidates takes any, and violations says what is wrong with them",
    "text is compared as it is written; missing values are NULL",
]


class Check(NamedTuple):
    """One CHECK."""

    name: str
    text: str
    test: str


def write(model: Model, weights: object = None) -> str:
    """Statements that both SQLite and DuckDB run."""
    schema = schema_of(model, weights, "sql")
    _names_differ(schema)
    checks = list(_checks(model, schema))
    columns = [f"    {identifier(column.name)} {type_of(column)}" for column in schema.columns]
    rows = [f"    -- {line(check.text)}\n    CONSTRAINT {check.name} CHECK ({check.test})" for check in checks]
    parts = [
        "\n".join(block("--", [header(model), *NOTES, *left_out(model)])),
        "CREATE TABLE decisions (\n" + ",\n".join([*columns, *rows]) + "\n);",
        "CREATE TABLE candidates (\n" + ",\n".join(columns) + "\n);",
        f"CREATE VIEW violations AS\n{_view(checks, schema)};",
    ]
    return "\n\n".join(parts) + "\n"


def _names_differ(schema: Schema) -> None:
    seen: dict[str, str] = {}
    for column in schema.columns:
        other = seen.setdefault(column.name.lower(), column.name)
        if other != column.name:
            pair = f"{shown(other)!r} and {shown(column.name)!r}"
            raise DataError(f"the columns {pair} have the same name in SQL, which takes no heed of case: rename one")


def _checks(model: Model, schema: Schema) -> Iterator[Check]:
    for k, column in enumerate(schema.columns, 1):
        if column.width:
            bounds = f"a whole number ({column.lower} to {column.upper} were seen)"
            domain = {"integer": bounds, "bins": "a number"}.get(column.kind, "one of the known values")
            yield Check(f"column_{k}", f"{column.name}: {domain}", known(column))
    for name, text, found in conditions(model, schema):
        yield Check(name, text, condition(found))


def _view(checks: list[Check], schema: Schema) -> str:
    """Every row of candidates once for each check that it breaks."""
    rule, meaning = (_free(word, schema) for word in ("rule", "meaning"))
    selects = [
        f"SELECT {string(check.name)} AS {rule}, {string(line(check.text))} AS {meaning}, candidates.*\n"
        f"FROM candidates WHERE NOT ({check.test})"
        for check in checks
    ]
    if len(selects) <= MOST_SELECTS:
        return "\nUNION ALL\n".join(selects)
    parts = [selects[start : start + MOST_SELECTS] for start in range(0, len(selects), MOST_SELECTS)]
    return "\nUNION ALL\n".join("SELECT * FROM (\n" + "\nUNION ALL\n".join(part) + "\n)" for part in parts)


def _free(word: str, schema: Schema) -> str:
    """A name that no column has."""
    taken = {column.name.lower() for column in schema.columns}
    while word in taken:
        word += "_"
    return word
