"""Rule checker: which rules many rows of a table break, computed from the codes of their columns.

A rule touches few columns. Looking up what each of these columns adds, and summing, is several times faster than
multiplying the rows' labels, whose entries are mostly 0, by the matrix of all rules.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import BoolArray, IntArray
from unwritten.mining import Lift, lifted_labels
from unwritten.rules import RuleSet
from unwritten.tables import Encoded, Schema

ColumnPart = tuple[int, IntArray | None, int]  # column, what each code adds; or None and the factor of an integer


class RuleChecker:
    """Rules over the columns of a table, prepared for checking blocks of rows."""

    def __init__(self, rules: RuleSet, schema: Schema, lifts: tuple[Lift, ...] = ()) -> None:
        self._rules, self._lifts = rules, lifts
        self._parts = [_column_parts(row, schema) for row in rules.matrix[:, : len(schema.variables)]]

    def broken(self, block: Encoded) -> BoolArray:
        """Return which row (first axis) breaks which rule (second axis)."""
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


def _column_parts(row: IntArray, schema: Schema) -> list[ColumnPart]:
    """Return what each code of a column adds to the row, for every column that the row touches."""
    parts: list[ColumnPart] = []
    for k, column in enumerate(schema.used):
        coefficients = row[schema.places[column.name]]
        if not coefficients.any():
            continue
        if column.kind == "integer":
            parts.append((k, None, int(coefficients[0])))
        else:
            levels = coefficients if column.one_hot else [0, coefficients[0]]
            parts.append((k, np.array([*levels, 0], np.int64), 0))  # the last code is an unknown value
    return parts
