"""Activity: pairs of literals that a linear row excludes, by the least and greatest value the row can take.

With "a + b + c = 9" and small ranges, a = 1 and b = 2 may leave no possible value for c. The members of an exactly-one
group are treated as one unit that takes one of their coefficients.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray, Variables
from unwritten.rules import RuleSet
from unwritten.rules.exactly_one import exactly_one_rules
from unwritten.rules.literal_rows import as_literals


def exclusions_by_activity(rules: RuleSet, width: int) -> Iterator[tuple[int, int]]:
    """Pairs of literals (2j for y_j, 2j + 1 for its negation) that rows other than clauses exclude."""
    variables = rules.variables
    unit = np.arange(len(variables))
    for row in rules.matrix[exactly_one_rules(rules)]:
        members = np.flatnonzero(row)
        if (unit[members] == members).all():
            unit[members] = members[0]
    grouped = np.bincount(unit, minlength=len(variables))[unit] > 1
    for row, rhs, equality in zip(rules.matrix, rules.rhs.tolist(), rules.equality.tolist(), strict=True):
        support = np.flatnonzero(row)
        step = int(np.abs(row).max(initial=1))
        clause = variables.binary[support].all() and as_literals(row, equality, rhs, step) is not None
        if not clause and len(support) and support[-1] < width:
            yield from _exclusions_of_row(row, rhs, equality, unit, grouped, variables)


def _exclusions_of_row(
    row: IntArray, rhs: int, equality: bool, unit: IntArray, grouped: BoolArray, variables: Variables
) -> Iterator[tuple[int, int]]:
    touched = np.flatnonzero(np.isin(unit, unit[np.flatnonzero(row)]))
    if len(touched) > budgets.ROW_OPTIONS:
        return
    literal: list[int] = []
    worth: list[int] = []
    low: dict[int, int] = {}
    high: dict[int, int] = {}
    for j in touched.tolist():
        at = int(unit[j])
        ends = (
            [int(row[j])]
            if grouped[j]
            else sorted((int(row[j] * variables.lower[j]), int(row[j] * variables.upper[j])))
        )
        low[at], high[at] = min(low.get(at, ends[0]), ends[0]), max(high.get(at, ends[-1]), ends[-1])
        if variables.binary[j]:
            literal.append(2 * j)
            worth.append(int(row[j]))
            if not grouped[j]:
                literal.append(2 * j + 1)
                worth.append(0)
    units = unit[np.array(literal, np.int64) >> 1]
    up = np.array(worth) - np.array([low[int(u)] for u in units])
    down = np.array(worth) - np.array([high[int(u)] for u in units])
    least, greatest = sum(low.values()), sum(high.values())
    out = least + up[:, None] + up[None, :] > rhs
    if equality:
        out |= greatest + down[:, None] + down[None, :] < rhs
    out &= np.triu(units[:, None] != units[None, :])
    for i, k in np.argwhere(out).tolist():
        yield literal[i], literal[k]
