"""Sums in the language of rules: `seats + cargo = 9`, `2·[trim = sport] + seats ≤ 5`."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.errors import DataError
from unwritten.rules.language.conditions import bracketed
from unwritten.rules.language.reader import Reader
from unwritten.rules.language.statements import Linear, Literal, Term
from unwritten.tables.quoting import quoted, shown

#: Each sign with the relation it stands for and what it adds to the right-hand side; longer signs first.
RELATIONS = {
    "==": ("=", 0),
    "=": ("=", 0),
    "≤": ("≤", 0),
    "<=": ("≤", 0),
    "≥": ("≥", 0),
    ">=": ("≥", 0),
    "<": ("≤", -1),
    ">": ("≥", 1),
}


@dataclass(frozen=True)
class Part:
    """One term as it was read: a constant if it has no operand; `digits` if it could be one all the same."""

    times: int
    operand: Literal | int | None
    digits: int | None = None
    quoted: bool = False


def linear(reader: Reader) -> Linear:
    """A relation between two sums."""
    left = _side(reader)
    sign = reader.sign(*RELATIONS)
    if sign is None:
        reader.fail(f"an operator is missing before {reader.rest}: write =, <= or >= between two sums")
    relation, more = RELATIONS[sign]
    start = reader.place
    right = _side(reader)
    reader.word("always")
    left, right = _told_apart(reader, left, right, relation)
    terms: list[Term] = [(part.times, part.operand) for part in left if part.operand is not None]
    terms += [(-part.times, part.operand) for part in right if part.operand is not None]
    constant = sum(part.times for part in right if part.operand is None)
    constant -= sum(part.times for part in left if part.operand is None)
    if relation == "=" and len(terms) == 1 and terms[0][0] == 1:
        _require_value(reader, terms[0][1], constant, start)
    return Linear(tuple(terms), relation, constant + more)


def _side(reader: Reader) -> list[Part]:
    sign = reader.sign("+", "−", "-")
    parts = [_part(reader, -1 if sign in ("−", "-") else 1)]
    while sign := reader.sign("+", "−", "-"):
        parts.append(_part(reader, 1 if sign == "+" else -1))
    return parts


def _part(reader: Reader, sign: int) -> Part:
    start = reader.place
    number, end = reader.integer(), reader.place
    if number is None:
        return Part(sign, _operand(reader), quoted=reader.text[start : reader.place].strip().startswith('"'))
    reader.place = start
    c = reader.known_column()
    if c is not None and reader.place > end:  # a name that begins with digits
        return Part(sign, _as_number(reader, c))
    reader.place = end
    if reader.sign("·", "*"):
        return Part(sign * number, _operand(reader))
    if c is not None and not reader.scope.plain:
        return Part(sign, c, number)
    return Part(sign * number, None)


def _operand(reader: Reader) -> Literal | int:
    c = reader.known_column()
    if c is None and reader.sign("["):
        return bracketed(reader)
    return _as_number(reader, reader.column() if c is None else c)


def _as_number(reader: Reader, c: int) -> int:
    column = reader.scope.columns[c]
    if column.kind != "integer" and column.numbers is None:
        name = shown(quoted(column.name))
        reader.fail(f"{name} does not hold integers: write [{name} = …] for a condition in a sum")
    return c


def _told_apart(reader: Reader, left: list[Part], right: list[Part], relation: str) -> tuple[list[Part], list[Part]]:
    """Digits that are also a variable's name: a number where they stand alone on the right, else the name."""
    single = len(left) == len(right) == 1 and reader.ended
    here, there = left[0].digits, right[0].digits
    if single and (here is not None or (there is not None and relation == "=" and not left[0].quoted)):
        digits = there if here is None else here
        raise DataError(f"{digits} is a number and a variable: put the names of variables in quotes")
    if len(right) == 1 and there is not None:
        right = [Part(right[0].times * there, None)]
    return left, right


def _require_value(reader: Reader, operand: Literal | int, value: int, place: int) -> None:
    """A column of a table must have the value that it is said to have."""
    if isinstance(operand, int) and operand < reader.scope.plain:
        column = reader.scope.columns[operand]
        if column.levels and str(value) not in column.levels:
            reader.place = place
            reader.level(operand)
