"""SQL: a table that refuses rows that break a rule, and a view that names the rules they break."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unwritten.conditions import Decides, flat
from unwritten.errors import DataError
from unwritten.exports.comments import comment_lines, comment_text, provenance
from unwritten.exports.dialect import SCRIPT, identifier, string
from unwritten.exports.named_statements import Statement, column_statements, left_out, schema_of, statements
from unwritten.exports.sql_queries import Queries, of_single_rows, unique_names
from unwritten.tables import Column, Schema
from unwritten.tables.quoting import shown
from unwritten.tables.roles import NUMBERS

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
    """One test: its name, its meaning in words, its constraints, and the queries of broken rows."""

    name: str
    text: str
    constraints: tuple[str, ...]
    queries: tuple[str, ...]


def write(model: Model, weights: object = None) -> str:
    """Return SQL statements that both SQLite and DuckDB run."""
    schema = schema_of(model, weights, "sql")
    _require_different_names(schema)
    writer = _Checks(schema)
    checks = [writer.check(statement) for _, statement in column_statements(model, schema)]
    checks += [writer.check(statement) for statement in statements(model, schema)]
    columns = [f"    {identifier(column.name)} {type_of(column)}" for column in schema.columns]
    rows = [
        f"    -- {comment_text(check.text)}\n    CONSTRAINT {check.name}{f'_{k}' if k else ''} {constraint}"
        for check in checks
        for k, constraint in enumerate(check.constraints)
    ]
    notes = [*NOTES, *([LOOKUPS] if any(not check.constraints for check in checks) else []), *left_out(model)]
    parts = [
        "\n".join(comment_lines("--", [provenance(model), *notes])),
        "CREATE TABLE decisions (\n" + ",\n".join([*columns, *rows]) + "\n);",
        "CREATE TABLE candidates (\n" + ",\n".join(columns) + "\n);",
        f"CREATE VIEW violations AS\n{_violations(checks, schema)};",
    ]
    return "\n\n".join(parts) + "\n"


def type_of(column: Column) -> str:
    """Return the SQL type of a column's values."""
    if column.kind == "bins":
        return "DOUBLE"
    if column.kind == "skip" and column.role in NUMBERS:
        return "BIGINT" if column.role == "integer" else "DOUBLE"
    by_role = {"date": "DATE", "timestamp": "TIMESTAMP"}.get(column.role, "TEXT")
    return {"integer": "BIGINT", "boolean": "BOOLEAN"}.get(column.dtype, by_role)


def _require_different_names(schema: Schema) -> None:
    """Raise if two columns differ only in upper and lower case."""
    seen: dict[str, str] = {}
    for column in schema.columns:
        other = seen.setdefault(column.name.lower(), column.name)
        if other != column.name:
            pair = f"{shown(other)!r} and {shown(column.name)!r}"
            raise DataError(f"the columns {pair} have the same name in SQL, which ignores case: rename one")


class _Checks:
    """Writes the checks of one table."""

    def __init__(self, schema: Schema) -> None:
        self._schema, self._queries = schema, Queries(schema, SCRIPT, "candidates")
        self._columns = ", ".join(identifier(column.name) for column in schema.columns)

    def check(self, statement: Statement) -> SqlCheck:
        """Return the constraints that a table can have, and the queries for rows that break the statement."""
        constraints, queries = list[str](), list[str]()
        single = of_single_rows(statement.condition)
        if single is not None:
            constraints.append(f"CHECK ({self._queries.conditions.test(single)})")
            queries.append(self._queries.rows_without(single))
        for names in unique_names(statement.condition):
            keys, present = self._queries.key(names)
            constraints.append(f"UNIQUE ({keys})")
            queries.append(self._later_copies(keys, present))
        for part in flat(statement.condition):
            if isinstance(part, Decides):
                queries += self._queries.against_known(part, self._columns) if part.known else [self._first(part)]
        return SqlCheck(statement.name, statement.text, tuple(constraints), tuple(queries))

    def _later_copies(self, keys: str, present: str) -> str:
        copy = _unused_name("copy", self._schema)
        numbered = f"SELECT *, ROW_NUMBER() OVER (PARTITION BY {keys} ORDER BY rowid) AS {copy}"
        return f"SELECT {self._columns}\nFROM ({numbered}\n  FROM candidates WHERE {present})\nWHERE {copy} > 1"

    def _first(self, decides: Decides) -> str:
        """Return the query for the rows whose right value is not that of the first row with the same left values."""
        (left, right), first = self._queries.sides(decides), _unused_name("first_value", self._schema)
        window = f"FIRST_VALUE({right}) OVER (PARTITION BY {left} ORDER BY rowid) AS {first}"
        differs = f"{right} <> {first} OR ({right} IS NULL) <> ({first} IS NULL)"
        return f"SELECT {self._columns}\nFROM (SELECT *, {window}\n  FROM candidates)\nWHERE {differs}"


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
