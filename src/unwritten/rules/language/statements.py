"""Statements: the meaning of a sentence, between its text and its rows.

`phrases` writes the text of a statement, `grammar` reads it, and `rows_of` turns it into linear rows. A literal
"column ∈ levels" is 0 or 1 in every row of a table, so a statement and its rows mean exactly the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

from unwritten.errors import DataError
from unwritten.rules.columns.scope import Scope

LARGEST = (1 << 63) - 1  # what 64 bits hold
REQUIRES, EXCLUDES, EXACTLY_WHEN = "requires", "excludes", "exactly when"
EXACTLY, AT_MOST, AT_LEAST = "exactly", "at most", "at least"


@dataclass(frozen=True)
class ColumnLiteral:
    """The column has one of these levels; both are places in the scope, levels in ascending order."""

    column: int
    levels: tuple[int, ...]


@dataclass(frozen=True)
class Fixed:
    """The literal is always true, or never."""

    literal: ColumnLiteral
    never: bool = False


@dataclass(frozen=True)
class Pair:
    """The left literal requires or excludes the right one, or is true exactly when it is."""

    left: ColumnLiteral
    word: str
    right: ColumnLiteral


@dataclass(frozen=True)
class Count:
    """Exactly, at most or at least `number` of the literals are true."""

    word: str
    number: int
    literals: tuple[ColumnLiteral, ...]


@dataclass(frozen=True)
class AllDiffer:
    """No two of the columns have the same value."""

    columns: tuple[int, ...]


@dataclass(frozen=True)
class GoTogether:
    """Each pair (level of the left column, level of the right column) occurs together: neither without the other."""

    left: int
    right: int
    pairs: tuple[tuple[int, int], ...]


Term = tuple[int, ColumnLiteral | int]  # a factor, and a literal or a column whose values are numbers


@dataclass(frozen=True)
class Linear:
    """The sum of the terms is equal to (=), at most (≤) or at least (≥) the right-hand side."""

    terms: tuple[Term, ...]
    relation: str
    rhs: int


Statement = Fixed | Pair | Count | AllDiffer | GoTogether | Linear
SparseRow = tuple[dict[int, int], bool, int]  # coefficients by variable, equality (else at most), right-hand side


def columns_of(statement: Statement) -> tuple[int, ...]:
    """The columns that a statement speaks of, in its order."""
    match statement:
        case Fixed(literal, _):
            return (literal.column,)
        case Pair(left, _, right):
            return tuple(dict.fromkeys((left.column, right.column)))
        case Count(_, _, literals):
            return tuple(dict.fromkeys(literal.column for literal in literals))
        case AllDiffer(columns):
            return columns
        case GoTogether(left, right, _):
            return (left, right)
        case Linear(terms, _, _):
            return tuple(dict.fromkeys(x.column if isinstance(x, ColumnLiteral) else x for _, x in terms))


def rows_of(statement: Statement, scope: Scope) -> list[SparseRow]:
    """The rows that mean the same as the statement, given that each one-hot column has exactly one level.

    This is the way back from `columns.normal_row`. The rows are kept as the statement is written, not in normal form.
    """
    match statement:
        case Fixed(literal, never):
            return [_row([(1, literal)], True, 0 if never else 1, scope)]
        case Pair(left, word, right):
            factor = 1 if word == EXCLUDES else -1
            return [_row([(1, left), (factor, right)], word == EXACTLY_WHEN, 1 if word == EXCLUDES else 0, scope)]
        case Count(word, number, literals):
            sign = -1 if word == AT_LEAST else 1
            return [_row([(sign, literal) for literal in literals], word == EXACTLY, sign * number, scope)]
        case AllDiffer(columns):
            return _all_differ(columns, scope)
        case GoTogether(left, right, pairs):
            terms = [((1, ColumnLiteral(left, (a,))), (-1, ColumnLiteral(right, (b,)))) for a, b in pairs]
            return [_row(pair, True, 0, scope) for pair in terms]
        case Linear(terms, relation, rhs):
            sign = -1 if relation == "≥" else 1
            return [_row([(sign * factor, x) for factor, x in terms], relation == "=", sign * rhs, scope)]


def _all_differ(columns: tuple[int, ...], scope: Scope) -> list[SparseRow]:
    """One row per level: at most one column has it, or exactly one if there are as many columns as levels.

    With as many columns as levels, both forms have the same solutions.
    """
    holders: dict[str | None, list[Term]] = defaultdict(list)
    for c in columns:
        for k, level in enumerate(scope.columns[c].levels):
            holders[level].append((1, ColumnLiteral(c, (k,))))
    exactly = len(holders) == len(columns) and all(len(terms) == len(columns) for terms in holders.values())
    return [_row(terms, exactly, 1, scope) for terms in holders.values() if len(terms) > 1]


def _row(terms: Iterable[Term], equality: bool, rhs: int, scope: Scope) -> SparseRow:
    """The terms as one row over variables, divided by the common factor of its coefficients."""
    entries: dict[int, int] = defaultdict(int)
    for factor, x in terms:
        part, constant = _literal_entries(x, scope) if isinstance(x, ColumnLiteral) else _number_entries(x, scope)
        rhs -= factor * constant
        for j, value in part.items():
            entries[j] += factor * value
    entries = {j: value for j, value in entries.items() if value}
    common = gcd(*entries.values()) if entries else 1
    if equality and rhs % common:
        common = 1  # no label obeys the row, and it shows why
    if any(abs(number) > LARGEST for number in (rhs, *entries.values())):
        raise DataError("a rule has numbers beyond 64 bits: write it with smaller ones")
    return {j: value // common for j, value in entries.items()}, equality, rhs // common


def _literal_entries(literal: ColumnLiteral, scope: Scope) -> tuple[dict[int, int], int]:
    """A literal as a sum of variables and a constant."""
    start, column = scope.starts[literal.column], scope.columns[literal.column]
    if len(literal.levels) == len(column.levels):
        return {}, 1
    if column.one_hot:
        return {start + k: 1 for k in literal.levels}, 0
    return ({start: 1}, 0) if literal.levels == (1,) else ({start: -1}, 1) if literal.levels == (0,) else ({}, 0)


def _number_entries(c: int, scope: Scope) -> tuple[dict[int, int], int]:
    """The value of a column that holds integers, as a sum of variables and a constant."""
    start, column = scope.starts[c], scope.columns[c]
    values = column.numbers
    if values is None:
        return {start: 1}, 0
    if column.one_hot:
        return {start + k: value for k, value in enumerate(values)}, 0
    return {start: values[1] - values[0]}, values[0]
