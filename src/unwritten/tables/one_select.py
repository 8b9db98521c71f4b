"""Whether a text is one SELECT, for database servers that leave no other way to find out before they run it."""

from __future__ import annotations

import re

from unwritten.tables.query_rows import not_reading

QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/""", re.DOTALL)
READS = re.compile(r"[\s(]*(?:select|with|values)\b", re.IGNORECASE)
WRITES = re.compile(
    r"\b(into|insert|update|delete|merge|create|drop|alter|truncate|grant|revoke|commit|exec|execute|backup|restore)\b",
    re.IGNORECASE,
)


def require_one_select(query: str, title: str) -> None:
    """Raise unless the query is one statement that begins with SELECT, WITH or VALUES and has no word that writes.

    Databases differ in what a quote or a comment is, so a semicolon counts wherever it stands, and comments that some
    of them run are refused.
    """
    if ";" in query.strip().removesuffix(";"):
        raise not_reading(title, "has a semicolon before its end")
    if re.search(r"/\*M?!", query):
        raise not_reading(title, "has a comment that some databases run")
    words = QUOTED.sub(" ", query)
    if not READS.match(words):
        raise not_reading(title, "begins with another word than SELECT, WITH or VALUES")
    if writing := WRITES.search(words):
        raise not_reading(title, f"has the word {writing[1].upper()}, which must be in quotes if it is a name")
