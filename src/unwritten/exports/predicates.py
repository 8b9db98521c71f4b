"""Predicates: the rules of a model as conditions on the columns of a table, for SQL and pandera.

A row over one-hot variables is a sum of one term per column, because a column has exactly one level. If each term has
two values and only the largest sum exceeds the right-hand side, the row says: not all of these at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.exports.comments import facts_left_out
from unwritten.facts import (
    DatePart,
    Dependency,
    Key,
    LinearFact,
    MissingTogether,
    MissingWhen,
    NeverMissing,
    Order,
    RangeBy,
    RangeFact,
    RangeWhen,
    StartsWith,
    Step,
    SumOrder,
    TextForm,
    TextLength,
)
from unwritten.rules.columns.one_hot_rows import level_values
from unwritten.rules.columns.scope import Scope
from unwritten.rules.language.gap_sentences import gap_text
from unwritten.tables import Schema
from unwritten.tables.column import Column

if TYPE_CHECKING:
    from unwritten.model import Model


STATED = (
    LinearFact,
    Order,
    SumOrder,
    Key,
    Dependency,
    DatePart,
    StartsWith,
    MissingTogether,
    MissingWhen,
    TextForm,
    TextLength,
    Step,
    RangeWhen,
    RangeBy,
    RangeFact,
    NeverMissing,
)
"""The kinds of facts that SQL, pandera, dbt and Great Expectations state."""

Factors = tuple[tuple[Column, int], ...]  # columns of integers, each with its factor


@dataclass(frozen=True)
class HasLevel:
    """The test that a column has one of these levels, given by their places in `column.levels`, in order."""

    column: Column
    levels: tuple[int, ...]

    @property
    def negated(self) -> HasLevel:
        """The test that the column has one of its other levels."""
        return HasLevel(self.column, tuple(k for k in range(len(self.column.levels)) if k not in self.levels))


@dataclass(frozen=True)
class NotAll:
    """At least one of the tests fails."""

    tests: tuple[HasLevel, ...]


@dataclass(frozen=True)
class BothOrNeither:
    """The two tests have the same outcome."""

    left: HasLevel
    right: HasLevel


@dataclass(frozen=True)
class ColumnTerm:
    """What a column adds to a sum: the number of the case whose test holds, else 0; or a multiple of its value."""

    column: Column
    cases: tuple[tuple[HasLevel, int], ...] = ()
    factor: int = 0


@dataclass(frozen=True)
class ColumnSum:
    """The sum of the terms equals `rhs`, or is at most `rhs`."""

    terms: tuple[ColumnTerm, ...]
    equality: bool
    rhs: int


@dataclass(frozen=True)
class Apart:
    """For each (terms, low, high), the sum of the columns times their factors is at most `low` or at least `high`."""

    sums: tuple[tuple[Factors, int, int], ...]


Predicate = NotAll | BothOrNeither | ColumnSum | Apart


def schema_of(model: Model, weights: object, target: str) -> Schema:
    """Return the schema of a model whose rules can be written as conditions on columns; raise for other models."""
    if model.schema is None:
        raise DataError(f"an export to {target} needs a table: mine one, e.g. with mine(Table.of('decisions.csv'))")
    if model.lifts:
        raise DataError(
            f"latent variables are not columns, so {target} cannot state rules over them: mine without lifts"
        )
    if weights is not None:
        raise DataError(f"{target} checks rows and has no place for weights: leave them out")
    return model.schema


def left_out(model: Model) -> list[str]:
    """Return notes on the parts of the model that a check of rows cannot state."""
    cuts = "cuts are left out: they limit what decisions are worth, and say nothing of rows"
    return ([cuts] if len(model.cuts) else []) + facts_left_out(model, STATED)


@dataclass(frozen=True)
class RulePredicate:
    """A rule with its name and text.

    `open_columns` are columns in which values that were never seen are to be expected: the rule says nothing of rows
    with such a value.
    """

    name: str
    text: str
    predicate: Predicate
    open_columns: tuple[Column, ...] = ()


def predicates(model: Model, schema: Schema) -> Iterator[RulePredicate]:
    """Yield each rule and then each gap that a sentence states; rules that cannot be broken are left out."""
    said = {i: sentence for sentence in model.sentences for i in sentence.rules}
    scope = Scope.of(schema.variables, schema)
    sums = [fact for fact in model.facts if isinstance(fact, LinearFact)]
    for i in sorted(said):
        row, equality, rhs = model.rules.matrix[i], bool(model.rules.equality[i]), int(model.rules.rhs[i])
        predicate = predicate_of(scope, row, equality, rhs)
        if predicate is None or any(_is_said_by(fact, predicate) for fact in sums):
            continue
        open_columns = tuple(schema[name] for name in said[i].columns if not schema[name].closed)
        if isinstance(predicate, NotAll):  # its tests name values that were seen, and fail for others
            tested = [test.column.name for test in predicate.tests]
            open_columns = tuple(column for column in open_columns if column.name not in tested)
        yield RulePredicate(f"rule_{i + 1}", f"{said[i].text} ({said[i].id})", predicate, open_columns)
    columns = {column.names[0]: column for column in schema.used if not column.one_hot}
    for k, gap in enumerate(model.gaps):
        parts = tuple((tuple((columns[name], f) for name, f in part.terms), part.low, part.high) for part in gap.parts)
        yield RulePredicate(f"gap_{k + 1}", gap_text(gap, schema), Apart(parts))
    yield from companion_predicates(model, schema)


def companion_predicates(model: Model, schema: Schema) -> Iterator[RulePredicate]:
    """Yield what says that rare values come together: each of them requires the next, and the last the first."""
    for k, companions in enumerate(model.companions, 1):
        tests = [HasLevel(schema[name], (schema[name].levels.index(level),)) for name, level in companions.cells]
        for i, (test, other) in enumerate(zip(tests, [*tests[1:], tests[0]], strict=True), 1):
            text = companions.text(test.column.name)
            yield RulePredicate(f"companions_{k}_{i}", text, NotAll((test, other.negated)))


def _is_said_by(fact: LinearFact, predicate: Predicate) -> bool:
    """True if a predicate is the sum that a fact states, which also speaks of values that were never seen."""
    if not isinstance(predicate, ColumnSum) or not predicate.equality or any(term.cases for term in predicate.terms):
        return False
    factors = {term.column.name: term.factor for term in predicate.terms}
    signs = (1, -1)
    same = [{name: sign * f for name, f in zip(fact.names, fact.coefficients, strict=True)} for sign in signs]
    totals = [sign * fact.total for sign in signs]
    exact = not fact.tolerance and all(term.column.scale == 0 for term in predicate.terms)
    return exact and (factors, predicate.rhs) in list(zip(same, totals, strict=True))


def signed_sum(terms: list[tuple[str, int]]) -> str:
    """Return a sum in the signs of a program; its first factor is positive.

    >>> signed_sum([("a", 1), ("b", -2), ("c", 1)])
    'a - 2*b + c'
    """
    parts = [f"{'-' if f < 0 else '+'} {'' if abs(f) == 1 else f'{abs(f)}*'}{name}" for name, f in terms]
    return " ".join(parts).removeprefix("+ ")


def predicate_of(scope: Scope, row: IntArray, equality: bool, rhs: int) -> Predicate | None:
    """Return one row as a predicate; None if it holds whenever every column has a known value."""
    by_level, by_number = level_values(row, scope)
    additions = {scope.columns[c]: values for c, values in by_level.items()}
    factors = {scope.columns[c]: factor for c, factor in by_number.items()}
    reach = sum(abs(a) * budgets.LARGEST_LABEL for a in factors.values())  # integers may leave the range seen
    low = sum(min(values) for values in additions.values()) - reach
    high = sum(max(values) for values in additions.values()) + reach
    if high <= rhs and (not equality or low == high == rhs):
        return None
    if not factors:
        if len(additions) == 1:
            ((column, values),) = additions.items()
            wrong = tuple(k for k, v in enumerate(values) if (v != rhs if equality else v > rhs))
            return NotAll((HasLevel(column, wrong),))
        if additions and all(len(set(values)) == 2 for values in additions.values()):
            steps = [max(values) - min(values) for values in additions.values()]
            largest = tuple(_levels_adding(column, max(values), values) for column, values in additions.items())
            if not equality and high - min(steps) <= rhs:
                return NotAll(largest)
            if equality and len(largest) == 2 and steps[0] == steps[1] == rhs - low:
                return _both_or_neither(largest[0], largest[1].negated)
    return _column_sum(additions, factors, equality, rhs)


def _both_or_neither(left: HasLevel, right: HasLevel) -> BothOrNeither:
    """Return the shorter form: with these tests, or with both negated."""
    negated = left.negated, right.negated
    is_shorter = sum(len(test.levels) for test in negated) < len(left.levels) + len(right.levels)
    return BothOrNeither(*negated) if is_shorter else BothOrNeither(left, right)


def _column_sum(additions: dict[Column, list[int]], factors: dict[Column, int], equality: bool, rhs: int) -> ColumnSum:
    """Return the row as a sum: of numbers where levels are numbers, else of cases.

    Each column's most frequent addition moves to the right, so that few cases remain.

    Among equally frequent additions it takes that of the first level; `rules.columns.one_hot_rows.commonest` takes
    another one, which would change exported files.
    """
    terms = []
    for column, values in additions.items():
        line = _line_through(column, values)
        if line is not None:
            terms.append(ColumnTerm(column, factor=line[0]))
            rhs -= line[1]
            continue
        common = Counter(values).most_common(1)[0][0]
        rhs -= common
        others = sorted(set(values) - {common})
        if others:
            terms.append(ColumnTerm(column, tuple((_levels_adding(column, v, values), v - common) for v in others)))
    terms += [ColumnTerm(column, factor=factor) for column, factor in factors.items()]
    return ColumnSum(tuple(terms), equality, rhs)


def _line_through(column: Column, values: list[int]) -> tuple[int, int] | None:
    """Return (a, b) if each level adds a times its number plus b, so that the column can stand in a sum itself."""
    numbers = column.numbers if column.dtype == "integer" else None
    if numbers is None or len(numbers) < 2 or len(set(values)) < 2:
        return None
    a, rest = divmod(values[1] - values[0], numbers[1] - numbers[0])
    b = values[0] - a * numbers[0]
    return (a, b) if not rest and all(a * x + b == v for x, v in zip(numbers, values, strict=True)) else None


def _levels_adding(column: Column, value: int, values: list[int]) -> HasLevel:
    """Return the test for the levels that add `value`."""
    return HasLevel(column, tuple(int(k) for k in np.flatnonzero(np.array(values, object) == value)))
