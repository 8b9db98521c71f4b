"""Row checker: everything that can be wrong with the rows of a table, in one place for check, explain and repair.

A linear rule touches few columns. Looking up what each of these columns adds, and summing, is several times faster than
multiplying the rows' labels, whose entries are mostly 0, by the matrix of all rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unwritten import budgets
from unwritten.conditions import compares_rows
from unwritten.data import BoolArray, IntArray
from unwritten.mining import lifted_labels
from unwritten.rules import RuleSet, Sentence
from unwritten.rules.columns.one_hot_rows import level_values
from unwritten.rules.columns.scope import Scope
from unwritten.tables import Encoded, Schema
from unwritten.tables.typed_rows import TypedRows

if TYPE_CHECKING:
    from unwritten.model import Model

ColumnPart = tuple[int, IntArray | None, int]  # column, what each code adds; or None and the factor of an integer


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is wrong with each of n rows.

    `broken` (n × sentences) are the sentences that a row breaks, `unknown` (n × used columns) the cells with a value
    that should be known, `new` those with one that was to be expected, `outside` (n × used columns) the integers
    outside the range seen, and `misfit` (n,) the rows that are not a basis of the model's matroid.
    """

    broken: BoolArray
    unknown: BoolArray
    new: BoolArray
    outside: BoolArray
    misfit: BoolArray

    def bad(self, *, strict: bool) -> BoolArray:
        """Which rows are wrong; if `strict`, also those with an integer outside the range seen."""
        bad = self.broken.any(axis=1) | self.unknown.any(axis=1) | self.misfit
        return bad | self.outside.any(axis=1) if strict else bad


class RowChecker:
    """The sentences of a model, prepared for one pass over a table.

    `lacking` are columns that the table turned out to lack and that only rules about whole columns name; these rules
    are not checked. If `single_rows`, no row is compared with another one.
    """

    def __init__(
        self, model: Model, schema: Schema, sentences: Sequence[Sentence], *, single_rows: bool = False
    ) -> None:
        self._model, self._schema = model, schema
        said = [list(sentence.rules) for sentence in sentences]
        stated = sorted({i for rules in said for i in rules})
        self._linear = _LinearChecker(model, schema, stated)
        self._facts = [
            (fact, None if single_rows and compares_rows(fact.condition) else fact.checker()) for fact in model.facts
        ]
        by_gaps = _saying([list(sentence.gaps) for sentence in sentences], range(len(model.gaps)))
        self._says_of_values = np.concatenate([_saying(said, stated), by_gaps])
        self._says_fact = _saying([list(sentence.facts) for sentence in sentences], range(len(model.facts)))
        self._mentions = np.array([[c.name in s.columns for s in sentences] for c in schema.used], bool)
        self._lacking: dict[str, None] = {}

    @property
    def lacking(self) -> tuple[str, ...]:
        """The columns of rules that were not checked."""
        return tuple(self._lacking)

    def check(self, block: Encoded, rows: TypedRows) -> Verdict:
        """Judge some rows of the table; earlier rows may matter for later ones."""
        unknown = self._alarming(block, rows)
        by_facts = np.zeros((rows.rows, len(self._facts)), bool)
        for k, (fact, check) in enumerate(self._facts):
            absent = [name for name in fact.columns if name not in rows.names]
            self._lacking.update(dict.fromkeys(absent))
            if check is not None and not absent:
                by_facts[:, k] = check(rows)
        by_values = np.concatenate([self._linear.broken(block), self._model.gaps.broken(block.labels)], axis=1)
        matroid = self._model.matroid
        return Verdict(
            self._sentences(by_values, by_facts, block.unknown),
            unknown,
            block.unknown & ~unknown,
            self._outside(block),
            np.zeros(rows.rows, bool) if matroid is None else ~matroid.is_basis(block.labels),
        )

    def _sentences(self, by_values: BoolArray, by_facts: BoolArray, unknown: BoolArray) -> BoolArray:
        """Which sentences the rows break; one about values says nothing of a value that was never seen."""
        result = np.zeros((len(by_values), self._says_fact.shape[1]), bool)
        for i in np.flatnonzero(by_values.any(axis=1)).tolist():
            result[i] = self._says_of_values[by_values[i]].any(axis=0) & ~self._mentions[unknown[i]].any(axis=0)
        for i in np.flatnonzero(by_facts.any(axis=1)).tolist():
            result[i] |= self._says_fact[by_facts[i]].any(axis=0)
        return result

    def _alarming(self, block: Encoded, rows: TypedRows) -> BoolArray:
        """Which unknown values are findings: not those of a column in which new values are to be expected.

        A missing value is a finding wherever 1,000 rows had none.
        """
        alarming = block.unknown.copy()
        for k, column in enumerate(self._schema.used):
            if not column.closed and alarming[:, k].any():
                none_seen = self._model.examples >= budgets.NEW_VALUE_ROWS
                alarming[:, k] &= rows.missing(column.name) if none_seen else False
        return alarming

    def _outside(self, block: Encoded) -> BoolArray:
        outside = np.zeros(block.unknown.shape, bool)
        for k, column in enumerate(self._schema.used):
            if column.kind == "integer":
                beyond = (block.codes[k] < column.lower) | (block.codes[k] > column.upper)
                outside[:, k] = beyond & ~block.unknown[:, k]
        return outside


class _LinearChecker:
    """Some linear rules of a model over the columns of a table."""

    def __init__(self, model: Model, schema: Schema, places: list[int]) -> None:
        self._rules: RuleSet = model.rules[np.array(places, np.int64)]
        self._lifts = model.lifts
        scope = Scope.of(schema.variables, schema)
        self._parts = [_column_parts(row, scope) for row in self._rules.matrix[:, : len(schema.variables)]]

    def broken(self, block: Encoded) -> BoolArray:
        """Which row (first axis) breaks which rule (second axis)."""
        if self._lifts:
            return self._rules.broken(lifted_labels(self._lifts, block.labels))
        broken = np.zeros((len(self._rules), len(block.unknown)), bool)
        for out, parts, rhs, equality in zip(
            broken, self._parts, self._rules.rhs.tolist(), self._rules.equality.tolist(), strict=True
        ):
            activity = np.zeros(len(block.unknown), np.int64)
            for k, table, factor in parts:
                activity += factor * block.codes[k] if table is None else table.take(block.codes[k])
            np.not_equal(activity, rhs, out=out) if equality else np.greater(activity, rhs, out=out)
        return broken.T


def _column_parts(row: IntArray, scope: Scope) -> list[ColumnPart]:
    """Return what each code of a column adds to the row, for every column that the row touches."""
    additions, factors = level_values(row, scope)
    parts: list[ColumnPart] = [(k, None, factor) for k, factor in factors.items()]
    # the last code is an unknown value, which adds nothing
    return parts + [(k, np.array([*values, 0], np.int64), 0) for k, values in additions.items()]


def _saying(said: list[list[int]], places: Sequence[int]) -> BoolArray:
    """Return which sentence (column) says what stands at each of these places (row)."""
    at = {place: k for k, place in enumerate(places)}
    says = np.zeros((len(at), len(said)), bool)
    for sentence, them in enumerate(said):
        says[[at[place] for place in them], sentence] = True
    return says
