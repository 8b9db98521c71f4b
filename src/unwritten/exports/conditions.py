"""Conditions: the rules over the columns of a table, as SQL and pandera write them.

A row over one-hot variables is a sum of one term per column, for a column has exactly one level. Where each term has
two values and only the largest of all is too much, the row is a clause: not all of these at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.exports.comments import rule_texts
from unwritten.model import Model
from unwritten.rules.columns.one_hot_rows import level_values
from unwritten.rules.columns.scope import Scope
from unwritten.tables import Schema
from unwritten.tables.column import Column


@dataclass(frozen=True)
class Literal:
    """The column has one of these levels (places, in order)."""

    column: Column
    levels: tuple[int, ...]

    @property
    def negated(self) -> Literal:
        """The column has one of its other levels."""
        return Literal(self.column, tuple(k for k in range(len(self.column.levels)) if k not in self.levels))


@dataclass(frozen=True)
class Clause:
    """Not all of the literals are true."""

    literals: tuple[Literal, ...]


@dataclass(frozen=True)
class Same:
    """Both literals are true, or neither."""

    left: Literal
    right: Literal


@dataclass(frozen=True)
class Term:
    """What a column adds to a sum: the number beside the literal that is true, else 0; or a multiple of itself."""

    column: Column
    cases: tuple[tuple[Literal, int], ...] = ()
    times: int = 0


@dataclass(frozen=True)
class Sum:
    """The terms add up to `rhs`, or to at most that."""

    terms: tuple[Term, ...]
    equality: bool
    rhs: int


Condition = Clause | Same | Sum


def schema_of(model: Model, weights: object, target: str) -> Schema:
    """The schema of a model whose rules can be said over its columns."""
    if model.schema is None:
        raise DataError(f"an export to {target} needs a table: mine one, e.g. with mine(Table.of('decisions.csv'))")
    if model.lifts:
        raise DataError(f"latent variables are no columns, so {target} cannot say rules on them: mine without lifts")
    if weights is not None:
        raise DataError(f"{target} checks rows and has no place for weights: leave them out")
    return model.schema


def left_out(model: Model) -> list[str]:
    """What rows of a table are not checked for."""
    return (
        ["cuts are left out: they limit what decisions are worth, and say nothing of rows"] if len(model.cuts) else []
    )


def conditions(model: Model, schema: Schema) -> Iterator[tuple[str, str, Condition]]:
    """For each rule that the levels of columns do not imply: a name, its text, and what it demands."""
    texts, scope = rule_texts(model), Scope.of(schema.variables, schema)
    for i in range(len(model.rules)):
        found = condition(scope, model.rules.matrix[i], bool(model.rules.equality[i]), int(model.rules.rhs[i]))
        if found is not None:
            yield f"rule_{i + 1}", texts[i], found


def condition(scope: Scope, row: IntArray, equality: bool, rhs: int) -> Condition | None:
    """One row over columns, given that each holds a value it knows; None if it then always holds."""
    levels, factors = level_values(row, scope)
    finite = {scope.columns[c]: values for c, values in levels.items()}
    numbers = {scope.columns[c]: factor for c, factor in factors.items()}
    reach = sum(abs(a) * budgets.LARGEST_LABEL for a in numbers.values())  # whatever the range seen
    low = sum(min(values) for values in finite.values()) - reach
    high = sum(max(values) for values in finite.values()) + reach
    if high <= rhs and (not equality or low == high == rhs):
        return None
    if not numbers:
        if len(finite) == 1:
            ((column, values),) = finite.items()
            wrong = tuple(k for k, v in enumerate(values) if (v != rhs if equality else v > rhs))
            return Clause((Literal(column, wrong),))
        if finite and all(len(set(values)) == 2 for values in finite.values()):
            steps = [max(values) - min(values) for values in finite.values()]
            tops = tuple(_where(column, max(values), values) for column, values in finite.items())
            if not equality and high - min(steps) <= rhs:
                return Clause(tops)
            if equality and len(tops) == 2 and steps[0] == steps[1] == rhs - low:
                return _same(tops[0], tops[1].negated)
    return _sum(finite, numbers, equality, rhs)


def _same(left: Literal, right: Literal) -> Same:
    """The shorter way to say it: of the literals, or of their opposites."""
    others = left.negated, right.negated
    shorter = sum(len(each.levels) for each in others) < len(left.levels) + len(right.levels)
    return Same(*others) if shorter else Same(left, right)


def _sum(finite: dict[Column, list[int]], numbers: dict[Column, int], equality: bool, rhs: int) -> Sum:
    """The most frequent value of each column is taken off, so that few cases are left.

    Unlike `rules.columns.one_hot_rows.commonest`, it prefers the value of the first level among equally frequent ones,
    so that exported files stay as they were.
    """
    terms = []
    for column, values in finite.items():
        common = Counter(values).most_common(1)[0][0]
        rhs -= common
        others = sorted(set(values) - {common})
        if others:
            terms.append(Term(column, tuple((_where(column, v, values), v - common) for v in others)))
    terms += [Term(column, times=times) for column, times in numbers.items()]
    return Sum(tuple(terms), equality, rhs)


def _where(column: Column, value: int, values: list[int]) -> Literal:
    return Literal(column, tuple(int(k) for k in np.flatnonzero(np.array(values, object) == value)))
