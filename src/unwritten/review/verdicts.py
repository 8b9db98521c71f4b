"""Verdicts: which rules many rows break, from the codes of their columns.

A rule touches few columns. Looking up what each adds, and summing, is several times faster than multiplying the rows'
labels, most of which are 0, by the matrix of all rules.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.mining import Lift, lifted_labels
from unwritten.rules import RuleSet
from unwritten.rules.columns.one_hot_rows import level_values
from unwritten.rules.columns.scope import Scope
from unwritten.tables import Encoded, Schema


class Verdicts:
    """Rules over the columns of a table, ready to be asked."""

    def __init__(self, rules: RuleSet, schema: Schema, lifts: tuple[Lift, ...] = ()) -> None:
        self._rules, self._lifts = rules, lifts
        scope = Scope.of(schema.variables, schema)
        self._terms = [_terms(row, scope) for row in rules.matrix[:, : len(schema.variables)]]

    def broken(self, block: Encoded) -> BoolArray:
        """Which row (first axis) breaks which rule (second)."""
        if self._lifts:
            return self._rules.broken(lifted_labels(self._lifts, block.labels))
        rules = self._rules
        broken = np.zeros((len(rules), len(block.unknown)), bool)
        for out, terms, rhs, equality in zip(
            broken, self._terms, rules.rhs.tolist(), rules.equality.tolist(), strict=True
        ):
            activity = np.zeros(len(block.unknown), np.int64)
            for k, table, times in terms:
                activity += times * block.codes[k] if table is None else table.take(block.codes[k])
            np.not_equal(activity, rhs, out=out) if equality else np.greater(activity, rhs, out=out)
        return broken.T


def _terms(row: IntArray, scope: Scope) -> list[tuple[int, IntArray | None, int]]:
    """For each column that a row touches what each of its codes adds; for an integer column its coefficient."""
    levels, factors = level_values(row, scope)
    terms: list[tuple[int, IntArray | None, int]] = [(k, None, factor) for k, factor in factors.items()]
    return terms + [(k, np.array([*values, 0], np.int64), 0) for k, values in levels.items()]
