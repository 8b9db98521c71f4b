"""SQL expressions for names, values and predicates that both SQLite and DuckDB run.

A CHECK passes if it is NULL, and a comparison with a missing value is NULL. A column that may be missing is therefore
tested with IS NULL or IS NOT NULL first, so that the expression is always true or false.
"""

from __future__ import annotations

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.exports.predicates import Apart, BothOrNeither, ColumnTerm, HasLevel, NotAll, Predicate
from unwritten.tables.column import Column, Level
from unwritten.tables.quoting import shown

FLAT_TERMS = 256  # in one flat expression: SQLite limits the depth of an expression to 1,000


def identifier(name: str) -> str:
    """Return a name in double quotes."""
    return f'"{_safe(name).replace(chr(34), chr(34) * 2)}"'


def string(text: str) -> str:
    """Return a text in single quotes."""
    return "'" + _safe(text).replace("'", "''") + "'"


def _safe(text: str) -> str:
    if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text):
        raise DataError(f"SQL cannot write {shown(text)!r}, which holds a NUL or half a character: rename or recode it")
    return text


def type_of(column: Column) -> str:
    """Return the SQL type of a column's values."""
    if column.kind == "bins":
        return "DOUBLE"
    return {"integer": "BIGINT", "boolean": "BOOLEAN"}.get(column.dtype, "TEXT")


def known_value(column: Column) -> str:
    """Return the test that a cell holds a value that the column knows; it is never NULL."""
    name = identifier(column.name)
    optional = None in column.levels
    if column.kind == "integer":
        test = (
            f"{name} BETWEEN {-budgets.LARGEST_LABEL} AND {budgets.LARGEST_LABEL} AND {name} = CAST({name} AS BIGINT)"
        )
    elif column.kind == "bins":
        test = f"{name} = CAST({name} AS DOUBLE)"
    else:
        values = [_literal(column, level) for level in column.levels if level is not None]
        test = f"{name} IN ({', '.join(values)})" if values else "FALSE"
    return f"{name} IS NULL OR {test}" if optional else f"{name} IS NOT NULL AND {test}"


def predicate_sql(predicate: Predicate) -> str:
    """Return a predicate as SQL; it is NULL only if a cell is NULL that must not be."""
    match predicate:
        case NotAll(tests):
            return f"NOT ({_joined([has_level(test) for test in tests], ' AND ')})"
        case BothOrNeither(left, right):
            return f"({has_level(left)}) = ({has_level(right)})"
        case Apart(pairs):
            return _joined([_apart(*pair) for pair in pairs], " AND ")
        case _:
            total = _joined([_term(term) for term in predicate.terms], " + ") or "0"
            return f"{total} {'=' if predicate.equality else '<='} {predicate.rhs}"


def has_level(test: HasLevel) -> str:
    """Return the test that a column has one of the given levels."""
    column, name = test.column, identifier(test.column.name)
    present = [k for k, level in enumerate(column.levels) if level is not None]
    chosen = [k for k in present if k in test.levels]
    may_be_missing = any(column.levels[k] is None for k in test.levels)
    if len(present) == len(column.levels):
        return _among(column, name, chosen, present)
    if chosen == present:
        return "TRUE" if may_be_missing else f"{name} IS NOT NULL"
    if not chosen:
        return f"{name} IS NULL" if may_be_missing else "FALSE"
    among = _among(column, name, chosen, present)
    return f"({name} IS NULL OR {among})" if may_be_missing else f"({name} IS NOT NULL AND {among})"


def _among(column: Column, name: str, chosen: list[int], present: list[int]) -> str:
    """Return the test for a cell that is not missing; it names the chosen levels or the others, whichever are fewer."""
    if column.kind == "bins":
        return _ranges(column, name, chosen)
    others = [k for k in present if k not in chosen]
    if not others or not chosen:
        return "FALSE" if others else "TRUE"
    fewer, one, several = (
        (others, "<>", "NOT IN") if len(others) < len(chosen) and column.width > 1 else (chosen, "=", "IN")
    )
    values = [_literal(column, column.levels[k]) for k in fewer]
    return f"{name} {one} {values[0]}" if len(values) == 1 else f"{name} {several} ({', '.join(values)})"


def _ranges(column: Column, name: str, chosen: list[int]) -> str:
    """Return bins as ranges of the number; neighbouring bins are one range."""
    # the exponent makes a number a double and not a decimal
    edges = [repr(edge) if "e" in repr(edge) else f"{edge!r}e0" for edge in column.edges]
    parts = []
    for k in chosen:
        if k and k - 1 in chosen:
            continue
        end = next(m for m in range(k, len(edges) + 1) if m + 1 not in chosen)
        sides = [f"{name} >= {edges[k - 1]}"] if k else []
        sides += [f"{name} < {edges[end]}"] if end < len(edges) else []
        parts.append(" AND ".join(sides) or "TRUE")
    return parts[0] if len(parts) == 1 and " AND " not in parts[0] else f"({' OR '.join(f'({p})' for p in parts)})"


def _term(term: ColumnTerm) -> str:
    if not term.cases:
        return ("" if term.factor == 1 else f"{term.factor} * ") + identifier(term.column.name)
    cases = " ".join(f"WHEN {has_level(test)} THEN {value}" for test, value in term.cases)
    return f"CASE {cases} ELSE 0 END"


def _apart(left: Column, right: Column, low: int, high: int) -> str:
    """Return the test that the difference of two columns is not between two numbers."""
    first, second = identifier(left.name), identifier(right.name)
    if high - low == 2:
        ahead = low + 1
        return f"{first} <> {second}" + (f" {'+' if ahead > 0 else '-'} {abs(ahead)}" if ahead else "")
    return f"({first} - {second} <= {low} OR {first} - {second} >= {high})"


def _joined(parts: list[str], sign: str) -> str:
    """Join the parts with a sign; more than FLAT_TERMS parts are put into nested brackets."""
    if len(parts) <= FLAT_TERMS:
        return sign.join(parts)
    groups = [parts[start : start + FLAT_TERMS] for start in range(0, len(parts), FLAT_TERMS)]
    return _joined([f"({sign.join(group)})" for group in groups], sign)


def _literal(column: Column, level: Level) -> str:
    """Return the value of a level as an SQL literal."""
    value = column.value(level)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value) if isinstance(value, int) else string(str(value))
