"""Statements: what a sentence says, between its text and its rows.

`phrases` writes a statement down, `language` reads it, `rows` makes it linear. A literal "column ∈ levels" is 0 or 1 in
every row of a table, so each of these is exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

from unwritten.rules.columns.scope import Scope

REQUIRES, EXCLUDES, EXACTLY_WHEN = "requires", "excludes", "exactly when"
EXACTLY, AT_MOST, AT_LEAST = "exactly", "at most", "at least"


@dataclass(frozen=True)
class Literal:
    """The column has one of these levels (places, in order)."""

    column: int
    levels: tuple[int, ...]


@dataclass(frozen=True)
class Fixed:
    """The literal is always true, or never."""

    literal: Literal
    never: bool = False


@dataclass(frozen=True)
class Pair:
    """Two literals, one of which requires or excludes the other, or is true exactly when it is."""

    left: Literal
    word: str
    right: Literal


@dataclass(frozen=True)
class Count:
    """Exactly, at most or at least so many of the literals are true."""

    word: str
    number: int
    literals: tuple[Literal, ...]


@dataclass(frozen=True)
class Differ:
    """No two of the columns have the same value."""

    columns: tuple[int, ...]


@dataclass(frozen=True)
class Together:
    """Each level of the left column comes with one of the right, and the other way round."""

    left: int
    right: int
    pairs: tuple[tuple[int, int], ...]


Term = tuple[int, Literal | int]  # a factor, and a literal or a column as a number


@dataclass(frozen=True)
class Linear:
    """A sum of terms stands in a relation (=, ≤, ≥) to a number."""

    terms: tuple[Term, ...]
    relation: str
    rhs: int


Statement = Fixed | Pair | Count | Differ | Together | Linear
Entries = tuple[dict[int, int], bool, int]  # coefficients by variable, equality or at most, right-hand side


def columns_of(statement: Statement) -> tuple[int, ...]:
    """The columns that a statement speaks of, in its order."""
    match statement:
        case Fixed(literal, _):
            return (literal.column,)
        case Pair(left, _, right):
            return tuple(dict.fromkeys((left.column, right.column)))
        case Count(_, _, literals):
            return tuple(dict.fromkeys(literal.column for literal in literals))
        case Differ(columns):
            return columns
        case Together(left, right, _):
            return (left, right)
        case Linear(terms, _, _):
            return tuple(dict.fromkeys(x.column if isinstance(x, Literal) else x for _, x in terms))


def rows(statement: Statement, scope: Scope) -> list[Entries]:
    """The rows that say the same, given that each one-hot column has exactly one level."""
    match statement:
        case Fixed(literal, never):
            return [_row([(1, literal)], True, 0 if never else 1, scope)]
        case Pair(left, word, right):
            other = 1 if word == EXCLUDES else -1
            return [_row([(1, left), (other, right)], word == EXACTLY_WHEN, 1 if word == EXCLUDES else 0, scope)]
        case Count(word, number, literals):
            sign = -1 if word == AT_LEAST else 1
            return [_row([(sign, literal) for literal in literals], word == EXACTLY, sign * number, scope)]
        case Differ(columns):
            return _all_different(columns, scope)
        case Together(left, right, pairs):
            both = [((1, Literal(left, (a,))), (-1, Literal(right, (b,)))) for a, b in pairs]
            return [_row(pair, True, 0, scope) for pair in both]
        case Linear(terms, relation, rhs):
            sign = -1 if relation == "≥" else 1
            return [_row([(sign * times, x) for times, x in terms], relation == "=", sign * rhs, scope)]


def _all_different(columns: tuple[int, ...], scope: Scope) -> list[Entries]:
    """At most one column per level; exactly one where there are as many columns as levels, which is then the same."""
    holders: dict[str | None, list[Term]] = defaultdict(list)
    for c in columns:
        for k, level in enumerate(scope.columns[c].levels):
            holders[level].append((1, Literal(c, (k,))))
    onto = len(holders) == len(columns) and all(len(terms) == len(columns) for terms in holders.values())
    return [_row(terms, onto, 1, scope) for terms in holders.values() if len(terms) > 1]


def _row(terms: Iterable[Term], equality: bool, rhs: int, scope: Scope) -> Entries:
    """The terms over variables, divided by what they have in common."""
    entries: dict[int, int] = defaultdict(int)
    for times, x in terms:
        part, constant = _literal(x, scope) if isinstance(x, Literal) else _number(x, scope)
        rhs -= times * constant
        for j, value in part.items():
            entries[j] += times * value
    entries = {j: value for j, value in entries.items() if value}
    common = gcd(*entries.values()) if entries else 1
    if equality and rhs % common:
        common = 1  # no label obeys it, and the row shows why
    return {j: value // common for j, value in entries.items()}, equality, rhs // common


def _literal(literal: Literal, scope: Scope) -> tuple[dict[int, int], int]:
    start, column = scope.starts[literal.column], scope.columns[literal.column]
    if len(literal.levels) == len(column.levels):
        return {}, 1
    if column.one_hot:
        return {start + k: 1 for k in literal.levels}, 0
    return ({start: 1}, 0) if literal.levels == (1,) else ({start: -1}, 1) if literal.levels == (0,) else ({}, 0)


def _number(c: int, scope: Scope) -> tuple[dict[int, int], int]:
    start, column = scope.starts[c], scope.columns[c]
    values = column.numbers
    if values is None:
        return {start: 1}, 0
    if column.one_hot:
        return {start + k: value for k, value in enumerate(values)}, 0
    return {start: values[1] - values[0]}, values[0]
