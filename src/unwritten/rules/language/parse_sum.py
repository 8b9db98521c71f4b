"""Reading sums: `seats + cargo = 9`, `2·[trim = sport] + seats ≤ 5`."""

from __future__ import annotations

from dataclasses import dataclass

from unwritten.errors import DataError
from unwritten.rules.language.parse_literal import read_until_bracket
from unwritten.rules.language.reader import Reader
from unwritten.rules.language.statements import ColumnLiteral, Linear, Term
from unwritten.tables.quoting import quoted, shown

#: Each sign with the relation it means and what it adds to the right-hand side; longer signs come first.
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
class ReadTerm:
    """One term of a sum as it was read: `factor · operand`, or the constant `factor` if there is no operand.

    `digits` is set if the operand is a variable whose name is this number, so that the text may mean either.
    """

    factor: int
    operand: ColumnLiteral | int | None
    digits: int | None = None
    quoted: bool = False


def read_linear(reader: Reader) -> Linear:
    """Read a relation between two sums."""
    left = _read_side(reader)
    sign = reader.try_sign(*RELATIONS)
    if sign is None:
        reader.fail(f"an operator is missing before {reader.rest}: write =, <= or >= between two sums")
    relation, shift = RELATIONS[sign]
    start = reader.place
    right = _read_side(reader)
    reader.try_words("always")
    right = _with_numbers_resolved(reader, left, right, relation)
    terms: list[Term] = [(term.factor, term.operand) for term in left if term.operand is not None]
    terms += [(-term.factor, term.operand) for term in right if term.operand is not None]
    constant = sum(term.factor for term in right if term.operand is None)
    constant -= sum(term.factor for term in left if term.operand is None)
    if relation == "=" and len(terms) == 1 and terms[0][0] == 1:
        _require_value(reader, terms[0][1], constant, start)
    return Linear(tuple(terms), relation, constant + shift)


def _read_side(reader: Reader) -> list[ReadTerm]:
    """Read the terms on one side of a relation."""
    sign = reader.try_sign("+", "−", "-")
    terms = [_read_term(reader, -1 if sign in ("−", "-") else 1)]
    while sign := reader.try_sign("+", "−", "-"):
        terms.append(_read_term(reader, 1 if sign == "+" else -1))
    return terms


def _read_term(reader: Reader, sign: int) -> ReadTerm:
    start = reader.place
    number, end = reader.try_integer(), reader.place
    if number is None:
        operand = _read_operand(reader)
        return ReadTerm(sign, operand, quoted=reader.text[start : reader.place].strip().startswith('"'))
    reader.place = start
    c = reader.try_column()
    if c is not None and reader.place > end:  # a name that begins with digits
        return ReadTerm(sign, _require_integers(reader, c))
    reader.place = end
    if reader.try_sign("·", "*"):
        return ReadTerm(sign * number, _read_operand(reader))
    if c is not None and not reader.scope.has_table:
        return ReadTerm(sign, c, number)
    return ReadTerm(sign * number, None)


def _read_operand(reader: Reader) -> ColumnLiteral | int:
    c = reader.try_column()
    if c is None and reader.try_sign("["):
        return read_until_bracket(reader)
    return _require_integers(reader, reader.read_column() if c is None else c)


def _require_integers(reader: Reader, c: int) -> int:
    """Return the column, or fail if its values are not integers."""
    column = reader.scope.columns[c]
    if column.kind != "integer" and column.numbers is None:
        name = shown(quoted(column.name))
        reader.fail(f"{name} does not hold integers: write [{name} = …] for a condition in a sum")
    return c


def _with_numbers_resolved(
    reader: Reader, left: list[ReadTerm], right: list[ReadTerm], relation: str
) -> list[ReadTerm]:
    """Return the right side, with digits that are also a variable's name read as a number if they are alone there.

    Elsewhere such digits mean the variable. A relation between two single terms could mean either, and is refused.
    """
    single = len(left) == len(right) == 1 and reader.ended
    left_digits, right_digits = left[0].digits, right[0].digits
    if single and (left_digits is not None or (right_digits is not None and relation == "=" and not left[0].quoted)):
        digits = right_digits if left_digits is None else left_digits
        raise DataError(f"{digits} is both a number and the name of a variable: put names of variables in quotes")
    if len(right) == 1 and right_digits is not None:
        return [ReadTerm(right[0].factor * right_digits, None)]
    return right


def _require_value(reader: Reader, operand: ColumnLiteral | int, value: int, place: int) -> None:
    """Fail if a column of a table is said to have a value that it never has."""
    if isinstance(operand, int) and operand < reader.scope.table_columns:
        column = reader.scope.columns[operand]
        if column.levels and str(value) not in column.levels:
            reader.place = place
            reader.read_level(operand)
