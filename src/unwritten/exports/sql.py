"""SQL: a table that refuses rows that break a rule, and a view that names the rules they break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.exports.comments import comment_lines, comment_text, fact_texts, provenance
from unwritten.exports.dialect import SCRIPT, identifier, string
from unwritten.exports.predicates import left_out, predicates, schema_of
from unwritten.exports.sql_expressions import SqlExpressions, type_of
from unwritten.exports.sql_facts import FactExpressions, contradictions, copies
from unwritten.facts import Dependency, Key
from unwritten.tables import Schema
from unwritten.tables.quoting import shown

if TYPE_CHECKING:
    from unwritten.model import Model

MOST_SELECTS = 250  # in one compound SELECT: SQLite takes 500
NOTES = [
    "decisions takes only rows that obey every rule; candidates takes any, and violations says what is wrong with them",
    "text is compared as it is written; missing values are NULL",
]
LOOKUPS = "rules about known values of columns need other rows, which a CHECK cannot see: only violations tests them"


@dataclass(frozen=True)
class SqlCheck:
    """One test: its name, its meaning in words, its constraint if there is one, and the queries of broken rows."""

    name: str
    text: str
    constraint: str | None
    queries: tuple[str, ...]


def write(model: Model, weights: object = None) -> str:
    """Return SQL statements that both SQLite and DuckDB run."""
    schema = schema_of(model, weights, "sql")
    _require_different_names(schema)
    checks = [*_row_checks(model, schema), *_table_checks(model, schema)]
    columns = [f"    {identifier(column.name)} {type_of(column)}" for column in schema.columns]
    rows = [
        f"    -- {comment_text(check.text)}\n    CONSTRAINT {check.name} {check.constraint}"
        for check in checks
        if check.constraint is not None
    ]
    notes = [*NOTES, *([LOOKUPS] if any(check.constraint is None for check in checks) else []), *left_out(model)]
    parts = [
        "\n".join(comment_lines("--", [provenance(model), *notes])),
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


def _row_checks(model: Model, schema: Schema) -> Iterator[SqlCheck]:
    """Yield the checks of single rows: the values of each used column, each rule, and facts."""
    sql, facts = SqlExpressions(SCRIPT), FactExpressions(schema, SCRIPT)
    for k, column in enumerate(schema.columns, 1):
        if not column.width:
            continue
        if column.closed:
            bounds = f"a whole number ({column.lower} to {column.upper} were seen)"
            domain = {"integer": bounds, "bins": "a number"}.get(column.kind, "one of the known values")
            yield _row_check(f"column_{k}", f"{column.name}: {domain}", sql.known_value(column))
        elif None not in column.levels and model.examples >= budgets.NEW_VALUE_ROWS:
            yield _row_check(f"column_{k}", f"{column.name}: not missing", f"{identifier(column.name)} IS NOT NULL")
    for rule in predicates(model, schema):
        yield _row_check(rule.name, rule.text, sql.rule(rule))
    for k, (fact, text) in enumerate(zip(model.facts, fact_texts(model), strict=True), 1):
        condition = facts.condition(fact)
        if condition is not None:
            yield _row_check(f"fact_{k}", text, condition)


def _row_check(name: str, text: str, condition: str) -> SqlCheck:
    return SqlCheck(name, text, f"CHECK ({condition})", (f"SELECT *\nFROM candidates WHERE NOT ({condition})",))


def _table_checks(model: Model, schema: Schema) -> Iterator[SqlCheck]:
    """Yield the checks that need more than one row: keys, and dependencies with the values that they have learned."""
    facts = FactExpressions(schema, SCRIPT)
    columns = ", ".join(identifier(column.name) for column in schema.columns)
    copy = _unused_name("copy", schema)
    for k, (fact, text) in enumerate(zip(model.facts, fact_texts(model), strict=True), 1):
        if isinstance(fact, Key):
            names, present = copies(fact, SCRIPT)
            numbered = f"SELECT *, ROW_NUMBER() OVER (PARTITION BY {names} ORDER BY rowid) AS {copy}"
            query = f"SELECT {columns}\nFROM ({numbered}\n  FROM candidates WHERE {present})\nWHERE {copy} > 1"
            yield SqlCheck(f"fact_{k}", text, f"UNIQUE ({names})", (query,))
        elif isinstance(fact, Dependency):
            queries = [q for pairs in facts.known_pairs(fact) for q in pairs.broken_rows("candidates", columns)]
            queries += [] if fact.mapping else _first_values(fact, columns, _unused_name("first_value", schema))
            yield SqlCheck(f"fact_{k}", text, None, tuple(queries))


def _first_values(fact: Dependency, columns: str, first: str) -> list[str]:
    """Return queries for the rows whose right value is not that of the first row with the same left values."""
    queries = []
    for left, right in contradictions(fact, SCRIPT):
        window = f"FIRST_VALUE({right}) OVER (PARTITION BY {left} ORDER BY rowid) AS {first}"
        differs = f"{right} <> {first} OR ({right} IS NULL) <> ({first} IS NULL)"
        queries.append(f"SELECT {columns}\nFROM (SELECT *, {window}\n  FROM candidates)\nWHERE {differs}")
    return queries


def _violations(checks: list[SqlCheck], schema: Schema) -> str:
    """Return the query that lists every row of candidates once for each check that it breaks."""
    rule, meaning = (_unused_name(word, schema) for word in ("rule", "meaning"))
    selects = [
        f"SELECT {string(check.name)} AS {rule}, {string(comment_text(check.text))} AS {meaning}, broken.*\n"
        f"FROM ({query}) AS broken"
        for check in checks
        for query in check.queries
    ]
    if not selects:
        return f"SELECT '' AS {rule}, '' AS {meaning}, candidates.*\nFROM candidates WHERE FALSE"
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
