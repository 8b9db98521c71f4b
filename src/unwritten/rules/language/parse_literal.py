"""Reading literals: the statement that a column has one of some values, as in `trim in {base, sport}`."""

from __future__ import annotations

from unwritten.rules.language.reader import Reader
from unwritten.rules.language.statements import ColumnLiteral
from unwritten.tables.quoting import quoted, shown


def read_literal(reader: Reader) -> ColumnLiteral:
    """Read `trim = sport`, `trim in {base, sport}`, `trim != sport` or the name of a boolean; also in brackets."""
    c = reader.try_column()  # first, since the names of latents begin with a bracket
    if c is None and reader.try_sign("["):
        return read_until_bracket(reader)
    return _read_condition(reader, reader.read_column() if c is None else c)


def read_until_bracket(reader: Reader) -> ColumnLiteral:
    """Read a literal and the bracket that closes it."""
    literal = _read_condition(reader, reader.read_column())
    if not reader.try_sign("]"):
        reader.fail(f"a bracket is not closed before {reader.rest}: write ] after the value")
    return literal


def _read_condition(reader: Reader, c: int) -> ColumnLiteral:
    """Read what follows the name of a column: an operator and values, or nothing after a boolean."""
    column, start = reader.scope.columns[c], reader.place
    name = shown(quoted(column.name))
    equal = reader.try_sign("==", "=", "∈") or reader.try_words("in")
    unequal = not equal and (reader.try_sign("≠", "!=", "∉") or reader.try_words("not", "in"))
    if column.kind == "integer":
        reader.fail(f"{name} is an integer column: compare it ({name} <= 3), or read it as a category", start)
    if not (equal or unequal):
        if column.kind == "boolean":
            return ColumnLiteral(c, (1,))
        if reader.try_sign("+", "−", "-", "≤", "<", "≥", ">"):
            reader.fail(f"{name} is not a number: write {name} = … for a condition", 0)
        reader.fail(f"an operator is missing after {name}, before {reader.rest}: write = or in {{…}}")
    levels = _read_values(reader, c)
    return ColumnLiteral(c, reader.scope.other_levels(c, levels) if unequal else levels)


def _read_values(reader: Reader, c: int) -> tuple[int, ...]:
    """Read one value, or several in braces."""
    if not reader.try_sign("{"):
        return (reader.read_level(c),)
    levels = {reader.read_level(c)}
    while reader.try_sign(","):
        levels.add(reader.read_level(c))
    if not reader.try_sign("}"):
        reader.fail(f"a brace is not closed before {reader.rest}: write }} after the last value")
    return tuple(sorted(levels))
