"""Conditions in the language of rules: a column has one of some values."""

from __future__ import annotations

from unwritten.rules.language.reader import Reader
from unwritten.rules.language.statements import Literal
from unwritten.tables.quoting import quoted, shown


def literal(reader: Reader) -> Literal:
    """`trim = sport`, `trim in {base, sport}`, `trim != sport`, or the name of a boolean; also in brackets."""
    c = reader.known_column()  # first, since the names of latents begin with a bracket
    if c is None and reader.sign("["):
        return bracketed(reader)
    return _condition(reader, reader.column() if c is None else c)


def bracketed(reader: Reader) -> Literal:
    """A literal and the bracket that closes it."""
    found = _condition(reader, reader.column())
    if not reader.sign("]"):
        reader.fail(f"a bracket is not closed before {reader.rest}: write ] after the value")
    return found


def _condition(reader: Reader, c: int) -> Literal:
    """What follows the name of a column."""
    column, start = reader.scope.columns[c], reader.place
    name = shown(quoted(column.name))
    equal = reader.sign("==", "=", "∈") or reader.word("in")
    unequal = not equal and (reader.sign("≠", "!=", "∉") or reader.word("not", "in"))
    if column.kind == "integer":
        reader.fail(f"{name} is an integer column: compare it ({name} <= 3), or read it as a category", start)
    if not (equal or unequal):
        if column.kind == "boolean":
            return Literal(c, (1,))
        if reader.sign("+", "−", "-", "≤", "<", "≥", ">"):
            reader.fail(f"{name} is not a number: write {name} = … for a condition", 0)
        reader.fail(f"an operator is missing after {name}, before {reader.rest}: write = or in {{…}}")
    levels = _values(reader, c)
    return Literal(c, reader.scope.others(c, levels) if unequal else levels)


def _values(reader: Reader, c: int) -> tuple[int, ...]:
    """One value, or several in braces."""
    if not reader.sign("{"):
        return (reader.level(c),)
    levels = {reader.level(c)}
    while reader.sign(","):
        levels.add(reader.level(c))
    if not reader.sign("}"):
        reader.fail(f"a brace is not closed before {reader.rest}: write }} after the last value")
    return tuple(sorted(levels))
