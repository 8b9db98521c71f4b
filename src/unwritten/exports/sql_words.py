"""SQL for names, values and conditions: what SQLite and DuckDB both run.

A CHECK passes where it is NULL, and so does a comparison with a missing value; so whatever can be missing is asked for
with IS NULL or IS NOT NULL first, which leaves true and false only.
"""

from __future__ import annotations

from unwritten import budgets
from unwritten.errors import DataError
from unwritten.exports.conditions import Clause, Condition, Literal, Same, Term
from unwritten.tables.column import Column
from unwritten.tables.quoting import shown

MOST_TERMS = 256  # in one flat expression: SQLite limits its depth to 1,000


def identifier(name: str) -> str:
    """A name in double quotes."""
    return f'"{_safe(name).replace(chr(34), chr(34) * 2)}"'


def string(text: str) -> str:
    """A text in single quotes."""
    return "'" + _safe(text).replace("'", "''") + "'"


def _safe(text: str) -> str:
    if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text):
        raise DataError(f"SQL cannot write {shown(text)!r}, which holds a NUL or half a character: rename or recode it")
    return text


def type_of(column: Column) -> str:
    """The SQL type of a column's values."""
    if column.kind == "bins":
        return "DOUBLE"
    return {"integer": "BIGINT", "boolean": "BOOLEAN"}.get(column.dtype, "TEXT")


def known(column: Column) -> str:
    """Whether a cell holds a value that the column knows: always true or false."""
    name = identifier(column.name)
    optional = None in column.levels
    if column.kind == "integer":
        test = (
            f"{name} BETWEEN {-budgets.LARGEST_LABEL} AND {budgets.LARGEST_LABEL} AND {name} = CAST({name} AS BIGINT)"
        )
    elif column.kind == "bins":
        test = f"{name} = CAST({name} AS DOUBLE)"
    else:
        values = [_value(column, level) for level in column.levels if level is not None]
        test = f"{name} IN ({', '.join(values)})" if values else "FALSE"
    return f"{name} IS NULL OR {test}" if optional else f"{name} IS NOT NULL AND {test}"


def condition(found: Condition) -> str:
    """A condition; NULL at most where a cell is NULL that may not be."""
    match found:
        case Clause(literals):
            return f"NOT ({_joined([literal(each) for each in literals], ' AND ')})"
        case Same(left, right):
            return f"({literal(left)}) = ({literal(right)})"
        case _:
            total = _joined([_term(term) for term in found.terms], " + ") or "0"
            return f"{total} {'=' if found.equality else '<='} {found.rhs}"


def literal(asked: Literal) -> str:
    """Whether the column has one of these levels."""
    column, name = asked.column, identifier(asked.column.name)
    present = [k for k, level in enumerate(column.levels) if level is not None]
    chosen = [k for k in present if k in asked.levels]
    missing = any(column.levels[k] is None for k in asked.levels)
    if len(present) == len(column.levels):
        return _among(column, name, chosen, present)
    if chosen == present:
        return "TRUE" if missing else f"{name} IS NOT NULL"
    if not chosen:
        return f"{name} IS NULL" if missing else "FALSE"
    test = _among(column, name, chosen, present)
    return f"({name} IS NULL OR {test})" if missing else f"({name} IS NOT NULL AND {test})"


def _among(column: Column, name: str, chosen: list[int], present: list[int]) -> str:
    """The same for a cell that is not missing, said of the levels or of the others, whichever are fewer."""
    if column.kind == "bins":
        return _ranges(column, name, chosen)
    others = [k for k in present if k not in chosen]
    if not others or not chosen:
        return "FALSE" if others else "TRUE"
    fewer, one, many = (
        (others, "<>", "NOT IN") if len(others) < len(chosen) and column.width > 1 else (chosen, "=", "IN")
    )
    values = [_value(column, column.levels[k]) for k in fewer]
    return f"{name} {one} {values[0]}" if len(values) == 1 else f"{name} {many} ({', '.join(values)})"


def _ranges(column: Column, name: str, chosen: list[int]) -> str:
    """Bins as ranges of the number; neighbours are one range."""
    edges = [repr(edge) if "e" in repr(edge) else f"{edge!r}e0" for edge in column.edges]  # e: a double, no decimal
    parts = []
    for k in chosen:
        if k and k - 1 in chosen:
            continue
        end = next(m for m in range(k, len(edges) + 1) if m + 1 not in chosen)
        sides = [f"{name} >= {edges[k - 1]}"] if k else []
        sides += [f"{name} < {edges[end]}"] if end < len(edges) else []
        parts.append(" AND ".join(sides) or "TRUE")
    return parts[0] if len(parts) == 1 and " AND " not in parts[0] else f"({' OR '.join(f'({p})' for p in parts)})"


def _term(term: Term) -> str:
    if not term.cases:
        return ("" if term.times == 1 else f"{term.times} * ") + identifier(term.column.name)
    cases = " ".join(f"WHEN {literal(asked)} THEN {value}" for asked, value in term.cases)
    return f"CASE {cases} ELSE 0 END"


def _joined(parts: list[str], sign: str) -> str:
    """The parts with a sign between them, in brackets where there are many."""
    if len(parts) <= MOST_TERMS:
        return sign.join(parts)
    some = [parts[start : start + MOST_TERMS] for start in range(0, len(parts), MOST_TERMS)]
    return _joined([f"({sign.join(each)})" for each in some], sign)


def _value(column: Column, level: str | None) -> str:
    value = column.value(level)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value) if isinstance(value, int) else string(str(value))
