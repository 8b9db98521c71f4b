"""Reading: the shortest statement that says what a profile says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import gcd, lcm

from unwritten.rules.columns.profile import Profile, Sets
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.phrases import kind_of, mentions, text_of
from unwritten.rules.language.statements import (
    AT_LEAST,
    AT_MOST,
    EXACTLY,
    EXACTLY_WHEN,
    EXCLUDES,
    REQUIRES,
    Count,
    Fixed,
    Linear,
    Literal,
    Pair,
    Statement,
    Term,
)

EXCLUDING, EITHER = 0.4, 0.75  # in values: “excludes A” reads worse than “requires B or C”, but better than “not A”


def statement_of(profile: Profile, scope: Scope) -> Statement:
    """A statement about literals or about numbers, whichever is shorter; between two literals, words go first."""
    found = profile.literals
    spoken = None if found is None else _of_literals(*found, profile.equality, scope)
    if isinstance(spoken, Fixed) or (isinstance(spoken, Pair) and not profile.equality):
        return spoken
    as_numbers = linear(profile, scope, numbers=len(profile.blocks) + len(profile.numbers) > 1)
    if spoken is not None and any(abs(times) > 1 or isinstance(x, Literal) for times, x in as_numbers.terms):
        return spoken
    if isinstance(spoken, Pair):
        return as_numbers if kind_of(as_numbers) == "equal" else spoken
    other = linear(profile, scope, numbers=False) if spoken is None else spoken
    return min(other, as_numbers, key=lambda statement: len(text_of(statement, scope)))


def clause(left: Literal, right: Literal, scope: Scope) -> Pair:
    """That two literals of different columns are never both true, with as few values as can be."""
    no_left, no_right = (Literal(x.column, scope.others(x.column, x.levels)) for x in (left, right))
    ways = [Pair(left, REQUIRES, no_right), Pair(right, REQUIRES, no_left), Pair(left, EXCLUDES, right)]
    return min(ways, key=lambda pair: _length(pair, scope))


def equivalence(left: Literal, right: Literal, scope: Scope) -> Pair:
    """That one of two literals is true exactly when the other is."""
    no_left, no_right = (Literal(x.column, scope.others(x.column, x.levels)) for x in (left, right))
    ways = [Pair(left, EXACTLY_WHEN, right), Pair(no_left, EXACTLY_WHEN, no_right)]
    return min(ways, key=lambda pair: _length(pair, scope))


def _length(pair: Pair, scope: Scope) -> tuple[float, bool, int]:
    """What makes a pair hard to read: many values, excluding, a condition that something is not so."""
    values, _ = _effort((pair.left, pair.right), scope)
    if pair.word == EXCLUDES:
        values += EXCLUDING
    elif len(pair.right.levels) == 2:
        values -= EITHER
    return values, pair.word == EXCLUDES, _effort((pair.left,), scope)[1]


def _effort(literals: tuple[Literal, ...], scope: Scope) -> tuple[float, int]:
    """How many values are named, and how many booleans that are not so."""
    booleans = [x for x in literals if scope.columns[x.column].kind == "boolean"]
    return sum(mentions(x, scope) for x in literals), sum(x.levels == (0,) for x in booleans)


def _of_literals(sets: Sets, k: int, equality: bool, scope: Scope) -> Statement | None:
    """So many (or at most so many) of these literals are true, in words; None if that cannot be."""
    n = len(sets)
    literals = [Literal(c, levels) for c, levels in sets]
    others = [Literal(c, scope.others(c, levels)) for c, levels in sets]
    if not 0 <= k <= n:
        return None
    if n == 1:
        allowed, forbidden = (literals[0], others[0]) if equality and k == 1 else (others[0], literals[0])
        fewer = mentions(allowed, scope) <= mentions(forbidden, scope)
        return Fixed(allowed) if fewer else Fixed(forbidden, never=True)
    if n == 2 and k == 1:
        return equivalence(literals[0], others[1], scope) if equality else clause(literals[0], literals[1], scope)
    words = (EXACTLY, EXACTLY) if equality or k == 0 else (AT_MOST, AT_LEAST)
    ways = [Count(words[0], k, tuple(literals)), Count(words[1], n - k, tuple(others))]
    return min(ways, key=lambda way: (*_effort(way.literals, scope), way.number))


def linear(profile: Profile, scope: Scope, numbers: bool) -> Linear:
    """The profile as a sum, with columns as numbers where they can be and this is asked for."""
    terms: list[tuple[Fraction, Literal | int]] = [(Fraction(times), c) for c, times in profile.numbers]
    rhs = Fraction(profile.rhs)
    for c, values in profile.blocks:
        slope = _slope(scope.columns[c].numbers, values) if numbers else None
        if slope is not None:
            terms.append((slope[0], c))
            rhs -= slope[1]
            continue
        base = values[0] if scope.columns[c].kind == "boolean" else _commonest(values)
        rhs -= base
        for value in sorted(set(values) - {base}):
            chosen = tuple(k for k, other in enumerate(values) if other == value)
            terms.append((Fraction(value - base), Literal(c, chosen)))
    terms.sort(key=lambda term: term[1].column if isinstance(term[1], Literal) else term[1])
    return _whole(terms, profile.equality, rhs)


def _whole(terms: list[tuple[Fraction, Literal | int]], equality: bool, rhs: Fraction) -> Linear:
    """The sum with integers that have nothing in common, the first one positive where it may be."""
    if not terms:  # not obeyed by any label; `0 = 1` could be about a column named 0
        return Linear((), "≥", 1)
    times = lcm(rhs.denominator if equality else 1, *(factor.denominator for factor, _ in terms))
    factors = [int(factor * times) for factor, _ in terms]
    common = gcd(*factors) or 1
    bound = rhs * times / common
    if equality and bound.denominator > 1:  # no label obeys it
        common, bound = 1, rhs * times
    whole = bound.numerator // bound.denominator
    factors = [factor // common for factor in factors]
    relation = "=" if equality else "≤"
    if factors[0] < 0 if equality else all(factor < 0 for factor in factors):
        factors, whole = [-factor for factor in factors], -whole
        relation = "=" if equality else "≥"
    signed: list[Term] = [(factor, x) for factor, (_, x) in zip(factors, terms, strict=True)]
    return Linear(tuple(signed), relation, whole)


def _slope(numbers: list[int] | None, values: tuple[int, ...]) -> tuple[Fraction, Fraction] | None:
    """`(a, b)` with values = a·numbers + b, if there are such."""
    if numbers is None:
        return None
    a = Fraction(values[1] - values[0], numbers[1] - numbers[0])
    b = values[0] - a * numbers[0]
    return (a, b) if all(a * x + b == value for x, value in zip(numbers, values, strict=True)) else None


def _commonest(values: tuple[int, ...]) -> int:
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value))
