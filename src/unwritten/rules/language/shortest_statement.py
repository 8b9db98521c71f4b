"""The shortest statement that means the same as a row in normal form."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

from unwritten.rules.columns.normal_row import LevelSets, NormalRow
from unwritten.rules.columns.one_hot_rows import commonest
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.phrases import kind_of, text_of, values_named
from unwritten.rules.language.statements import (
    AT_LEAST,
    AT_MOST,
    EXACTLY,
    EXACTLY_WHEN,
    EXCLUDES,
    REQUIRES,
    ColumnLiteral,
    Count,
    Fixed,
    Linear,
    Pair,
    Statement,
    Term,
)

#: Measured in values named: “excludes A” reads worse than “requires B or C”, but better than “requires not A”.
EXCLUDES_PENALTY, TWO_VALUES_BONUS = 0.4, 0.75


def statement_of(row: NormalRow, scope: Scope) -> Statement:
    """Choose between a statement about literals and one about numbers, whichever is shorter.

    A row about one or two literals is put into words, unless it says that two numbers are equal.
    """
    counted = row.literals
    in_words = None if counted is None else _count_statement(*counted, row.equality, scope)
    if isinstance(in_words, Fixed) or (isinstance(in_words, Pair) and not row.equality):
        return in_words
    as_sum = _linear(row, scope, numbers=len(row.blocks) + len(row.numbers) > 1)
    if in_words is not None and any(abs(factor) > 1 or isinstance(x, ColumnLiteral) for factor, x in as_sum.terms):
        return in_words
    if isinstance(in_words, Pair):
        return as_sum if kind_of(as_sum) == "equal" else in_words
    alternative = _linear(row, scope, numbers=False) if in_words is None else in_words
    return min(alternative, as_sum, key=lambda statement: len(text_of(statement, scope)))


def exclusion(left: ColumnLiteral, right: ColumnLiteral, scope: Scope) -> Pair:
    """The statement that two literals of different columns are never both true, in the form that reads best."""
    not_left, not_right = (_negation(x, scope) for x in (left, right))
    forms = [Pair(left, REQUIRES, not_right), Pair(right, REQUIRES, not_left), Pair(left, EXCLUDES, right)]
    return min(forms, key=lambda pair: _pair_effort(pair, scope))


def equivalence(left: ColumnLiteral, right: ColumnLiteral, scope: Scope) -> Pair:
    """The statement that one of two literals is true exactly when the other is, in the form that reads best."""
    forms = [Pair(left, EXACTLY_WHEN, right), Pair(_negation(left, scope), EXACTLY_WHEN, _negation(right, scope))]
    return min(forms, key=lambda pair: _pair_effort(pair, scope))


def _negation(literal: ColumnLiteral, scope: Scope) -> ColumnLiteral:
    return ColumnLiteral(literal.column, scope.other_levels(literal.column, literal.levels))


def _pair_effort(pair: Pair, scope: Scope) -> tuple[float, bool, int]:
    """How hard a pair is to read: many values, the word “excludes”, or a boolean condition that is false."""
    values, _ = _effort((pair.left, pair.right), scope)
    if pair.word == EXCLUDES:
        values += EXCLUDES_PENALTY
    elif len(pair.right.levels) == 2:
        values -= TWO_VALUES_BONUS
    return values, pair.word == EXCLUDES, _effort((pair.left,), scope)[1]


def _effort(literals: tuple[ColumnLiteral, ...], scope: Scope) -> tuple[float, int]:
    """The number of values that literals name, and the number of booleans that they say are false."""
    booleans = [x for x in literals if scope.columns[x.column].kind == "boolean"]
    return sum(values_named(x, scope) for x in literals), sum(x.levels == (0,) for x in booleans)


def _count_statement(sets: LevelSets, number: int, equality: bool, scope: Scope) -> Statement | None:
    """Exactly (or at most) `number` of these literals are true, in words; None if the number is out of range."""
    n = len(sets)
    literals = [ColumnLiteral(c, levels) for c, levels in sets]
    negations = [_negation(literal, scope) for literal in literals]
    if not 0 <= number <= n:
        return None
    if n == 1:
        allowed, forbidden = (literals + negations) if equality and number == 1 else (negations + literals)
        shorter = values_named(allowed, scope) <= values_named(forbidden, scope)
        return Fixed(allowed) if shorter else Fixed(forbidden, never=True)
    if n == 2 and number == 1:
        if equality:
            return equivalence(literals[0], negations[1], scope)
        return exclusion(literals[0], literals[1], scope)
    words = (EXACTLY, EXACTLY) if equality or number == 0 else (AT_MOST, AT_LEAST)
    forms = [Count(words[0], number, tuple(literals)), Count(words[1], n - number, tuple(negations))]
    return min(forms, key=lambda form: (*_effort(form.literals, scope), form.number))


def _linear(row: NormalRow, scope: Scope, numbers: bool) -> Linear:
    """The row as a sum; if `numbers`, columns whose values are integers appear as numbers where that is exact.

    Other columns appear as one literal for each value that differs from their commonest one.
    """
    terms: list[tuple[Fraction, ColumnLiteral | int]] = [(Fraction(factor), c) for c, factor in row.numbers]
    rhs = Fraction(row.rhs)
    for c, values in row.blocks:
        line = _line_through(scope.columns[c].numbers, values) if numbers else None
        if line is not None:
            slope, constant = line
            terms.append((slope, c))
            rhs -= constant
            continue
        base = values[0] if scope.columns[c].kind == "boolean" else commonest(values)
        rhs -= base
        for value in sorted(set(values) - {base}):
            levels = tuple(k for k, other in enumerate(values) if other == value)
            terms.append((Fraction(value - base), ColumnLiteral(c, levels)))
    terms.sort(key=lambda term: term[1].column if isinstance(term[1], ColumnLiteral) else term[1])
    return _with_integers(terms, row.equality, rhs)


def _with_integers(terms: list[tuple[Fraction, ColumnLiteral | int]], equality: bool, rhs: Fraction) -> Linear:
    """The sum with coprime integer factors.

    All signs are reversed if the first factor of an equality is negative, or every factor of an inequality is.
    """
    if not terms:  # no label obeys the row; `0 = 1` could be about a column named 0
        return Linear((), "≥", 1)
    scale = lcm(rhs.denominator if equality else 1, *(factor.denominator for factor, _ in terms))
    factors = [int(factor * scale) for factor, _ in terms]
    common = gcd(*factors) or 1
    bound = rhs * scale / common
    if equality and bound.denominator > 1:  # no label obeys it
        common, bound = 1, rhs * scale
    integer_rhs = bound.numerator // bound.denominator
    factors = [factor // common for factor in factors]
    relation = "=" if equality else "≤"
    if factors[0] < 0 if equality else all(factor < 0 for factor in factors):
        factors, integer_rhs = [-factor for factor in factors], -integer_rhs
        relation = "=" if equality else "≥"
    signed: list[Term] = [(factor, x) for factor, (_, x) in zip(factors, terms, strict=True)]
    return Linear(tuple(signed), relation, integer_rhs)


def _line_through(numbers: list[int] | None, values: tuple[int, ...]) -> tuple[Fraction, Fraction] | None:
    """The pair `(a, b)` with values = a·numbers + b; None if there is none."""
    if numbers is None:
        return None
    a = Fraction(values[1] - values[0], numbers[1] - numbers[0])
    b = values[0] - a * numbers[0]
    return (a, b) if all(a * x + b == value for x, value in zip(numbers, values, strict=True)) else None
