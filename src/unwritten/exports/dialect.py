"""Dialect: how names and texts are written in SQL, in a script for databases or in a template of dbt."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from unwritten.errors import DataError
from unwritten.tables.quoting import shown

PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RESERVED = frozenset(
    (
        *("all", "and", "any", "as", "asc", "between", "both", "by", "case", "cast", "check", "collate", "column"),
        *("constraint", "create", "cross", "current_date", "current_time", "current_timestamp", "date", "default"),
        *("desc", "distinct", "do", "drop", "else", "end", "except", "exists", "false", "fetch", "for", "foreign"),
        *("from", "full", "grant", "group", "having", "in", "inner", "insert", "intersect", "interval", "into", "is"),
        *("join", "leading", "left", "like", "limit", "natural", "not", "null", "offset", "on", "or", "order"),
        *("outer", "over", "partition", "primary", "references", "returning", "right", "row", "rows", "select"),
        *("set", "some", "start", "table", "then", "time", "timestamp", "to", "trailing", "true", "union", "unique"),
        *("update", "user", "using", "values", "when", "where", "window", "with"),
    )
)


@dataclass(frozen=True)
class Dialect:
    """How SQL is written: names of columns and texts; `typed` if cells can only hold values of their column's type."""

    identifier: Callable[[str], str]
    string: Callable[[str], str]
    typed: bool


def identifier(name: str) -> str:
    """Return a name in double quotes."""
    return f'"{_safe(name).replace(chr(34), chr(34) * 2)}"'


def string(text: str) -> str:
    """Return a text in single quotes."""
    return "'" + _safe(text).replace("'", "''") + "'"


def is_plain_name(name: str) -> bool:
    """True if every database reads the name without quotes."""
    return PLAIN_NAME.fullmatch(name) is not None and name.lower() not in RESERVED


def template_text(text: str) -> str:
    """Return a text in which no bracket opens an expression of a template."""
    return text.replace("{", "{{ '{' }}")


def _template_identifier(name: str) -> str:
    """Return a plain name as it is, because databases disagree about case in quotes; others as the database quotes."""
    if is_plain_name(name):
        return name
    escaped = "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08x}" for c in _safe(name).replace('"', '""'))
    return f'{{{{ adapter.quote("{escaped}") }}}}'


def _template_string(text: str) -> str:
    return template_text(string(text))


def _safe(text: str) -> str:
    if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text):
        raise DataError(f"SQL cannot write {shown(text)!r}, which holds a NUL or half a character: rename or recode it")
    return text


SCRIPT = Dialect(identifier, string, typed=False)
TEMPLATE = Dialect(_template_identifier, _template_string, typed=True)
