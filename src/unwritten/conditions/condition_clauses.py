"""Clauses: a condition as alternatives that rows of integers can say: tests of one cell, and sums with a largest value.

A row of a table obeys the condition if it obeys every clause, and a clause if one of its parts is true. What a missing
cell excuses is a part like others.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import gcd

from unwritten import budgets
from unwritten.conditions.across import Decides, compares_rows
from unwritten.conditions.cells import Missing, MultipleOf, OneOf, Product, Readable, Terms, Within, WithinBy
from unwritten.conditions.condition import Condition
from unwritten.conditions.logic import All, Either, Not, Same
from unwritten.conditions.texts import Alike
from unwritten.tables import Schema
from unwritten.tables.column import Level


class NotLinearError(Exception):
    """A condition that linear rows cannot say; the message is the reason, which follows "because"."""


@dataclass(frozen=True)
class Literal:
    """A test of one cell is true, or it is false."""

    test: OneOf | Missing
    holds: bool = True


@dataclass(frozen=True)
class AtMost:
    """A sum is at most `most`, or below it if it is `strict`, in the unit that `Within` counts in."""

    terms: Terms
    most: float
    strict: bool = False

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns whose numbers are added."""
        return tuple(term for _, term in self.terms if isinstance(term, str))


Part = Literal | AtMost | MultipleOf
Clause = frozenset[Part]


def clauses(condition: Condition, schema: Schema, holds: bool = True) -> list[Clause]:
    """Return what must all be true so that the condition is not false or, unless it `holds`, so that it is not true."""
    match condition:
        case Not(part):
            return clauses(part, schema, not holds)
        case All(parts) | Either(parts):
            each = [clauses(part, schema, holds) for part in parts]
            if isinstance(condition, All) == holds:
                return [clause for of_part in each for clause in of_part]
            return _alternatives(each)
        case OneOf() | Missing():
            return [frozenset([Literal(condition, holds)])]
        case Within():
            return _of_sum(condition, holds)
        case Readable() if holds:
            return []
        case MultipleOf() if holds:
            return [frozenset([condition])]
    return clauses(_plainer(condition, schema, holds), schema, holds)


def _alternatives(each: list[list[Clause]]) -> list[Clause]:
    """Return the clauses of conditions of which one must be true."""
    count = 1
    for of_part in each:
        count *= len(of_part)
        if count > budgets.CONDITION_CLAUSES:
            raise NotLinearError("it has too many cases")
    return [frozenset[Part]().union(*choice) for choice in product(*each)]


def _plainer(condition: Condition, schema: Schema, holds: bool) -> Condition:
    """Return a condition with the same meaning that is made of simpler ones: one that says when it is (not) broken."""
    match condition:
        case Same(left, right):
            return All((Either((Not(left), right)), Either((left, Not(right)))))
        case WithinBy(by, column, ranges):
            bounds = ((OneOf(by, (value,)), Within(((1, column),), low, high)) for value, low, high in ranges)
            return All(tuple(Either((Not(test), within)) for test, within in bounds))
        case Decides(left, right, known) if known and _listed(condition, schema):
            return All(tuple(Either((Not(_has(left, entry)), _has((right,), entry[-1:]))) for entry in known))
        case Alike(column, other) if _listed(condition, schema):
            levels = [level for level in schema[column].levels if level is not None]
            if holds:
                return All(tuple(Either((Not(OneOf(column, (one,))), OneOf(other, (one, None)))) for one in levels))
            return Either(tuple(_has((column, other), (one, one)) for one in levels))
    if compares_rows(condition):
        raise NotLinearError("it compares rows with each other")
    raise NotLinearError("no variables hold its texts")


def _has(names: tuple[str, ...], values: tuple[Level, ...]) -> Condition:
    return All(tuple(OneOf(name, (value,)) for name, value in zip(names, values, strict=False)))


def _listed(condition: Condition, schema: Schema) -> bool:
    """True if the values of all its columns have variables."""
    return all(schema[name].kind in ("category", "boolean") for name in condition.columns)


def _of_sum(total: Within, holds: bool) -> list[Clause]:
    """Return a clause for each end of the range or, if the sum must lie outside, one that names both sides."""
    if any(isinstance(term, Product) for _, term in total.terms):
        raise NotLinearError("a product is not linear")
    negative = tuple((-factor, term) for factor, term in total.terms)
    ends: list[AtMost] = []
    if total.lowest is not None:
        least = total.lowest - total.tolerance
        ends.append(_at_most(negative, -least, False) if holds else _at_most(total.terms, least, True))
    if total.highest is not None:
        most = total.highest + (0 if total.strict else total.tolerance)
        if holds:
            ends.append(_at_most(total.terms, most, total.strict))
        else:
            ends.append(_at_most(negative, -most, not total.strict))
    excuses = [Literal(Missing(name)) for name in total.numbers]
    return [frozenset([end, *excuses]) for end in ends] if holds else [frozenset([*ends, *excuses])]


def _at_most(terms: Terms, most: float, strict: bool) -> AtMost:
    """Return a sum in the one form that neither the order of its terms nor a common factor changes."""
    common = gcd(*(factor for factor, _ in terms))
    plain = sorted(((factor // common, term) for factor, term in terms), key=repr)
    return AtMost(tuple(plain), most / common, strict)
