"""Rule checker: which rules many rows of a table break, computed from the codes of their columns.

A rule touches few columns. Looking up what each of these columns adds, and summing, is several times faster than
multiplying the rows' labels, whose entries are mostly 0, by the matrix of all rules.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.mining import Lift, lifted_labels
from unwritten.rules import Gaps, RuleSet
from unwritten.rules.columns.one_hot_rows import level_values
from unwritten.rules.columns.scope import Scope
from unwritten.tables import Encoded, Schema

ColumnPart = tuple[int, IntArray | None, int]  # column, what each code adds; or None and the factor of an integer


class RuleChecker:
    """Rules over the columns of a table, prepared for checking blocks of rows."""

    def __init__(self, rules: RuleSet, schema: Schema, lifts: tuple[Lift, ...] = (), gaps: Gaps | None = None) -> None:
        self._rules, self._lifts, self._gaps = rules, lifts, gaps
        scope = Scope.of(schema.variables, schema)
        self._parts = [_column_parts(row, scope) for row in rules.matrix[:, : len(schema.variables)]]

    def broken(self, block: Encoded) -> BoolArray:
        """Return which row (first axis) breaks which rule, and behind the rules which gap (second axis)."""
        broken = self._broken_rules(block)
        return np.concatenate([broken, self._gaps.broken(block.labels)], axis=1) if self._gaps else broken

    def _broken_rules(self, block: Encoded) -> BoolArray:
        if self._lifts:
            return self._rules.broken(lifted_labels(self._lifts, block.labels))
        rules = self._rules
        broken = np.zeros((len(rules), len(block.unknown)), bool)
        for out, parts, rhs, equality in zip(
            broken, self._parts, rules.rhs.tolist(), rules.equality.tolist(), strict=True
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
