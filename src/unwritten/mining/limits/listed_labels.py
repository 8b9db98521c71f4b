"""List all labels within bounds and known rules, column by column, as long as they are few."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray, Variables
from unwritten.rules import RuleSet


def listed(variables: Variables, rules: RuleSet, most: int | None = None) -> IntArray | None:
    """All labels within the bounds that obey the rules, or None if there are more than `most` on the way.

    >>> from unwritten.rules import RuleSet
    >>> abc = Variables.named("abc")
    >>> listed(abc, RuleSet.of(abc, [([1, 1, 1], "==", 1)]))
    array([[1, 0, 0],
           [0, 1, 0],
           [0, 0, 1]])
    """
    limit = budgets.LIMIT_LISTED if most is None else most
    rows = np.concatenate([rules.matrix, -rules.matrix[rules.equality]])
    room = np.concatenate([rules.rhs, -rules.rhs[rules.equality]])
    lower, upper = variables.lower, variables.upper
    if not len(rows) and np.log2(upper - lower + 1.0).sum() > np.log2(limit) + 1:  # without rules, there are too many
        return None
    least = np.where(rows > 0, rows * lower, rows * upper)
    still = np.cumsum(least[:, ::-1], axis=1)[:, ::-1]  # what columns from here on add at least
    order = len(variables)
    labels, activity = np.zeros((1, 0), np.int64), np.zeros((1, len(rows)), np.int64)
    for j in range(order):
        values = np.arange(lower[j], upper[j] + 1)
        if len(labels) * len(values) > 4 * limit:
            return None
        labels = np.column_stack([np.repeat(labels, len(values), axis=0), np.tile(values, len(labels))])
        activity = np.repeat(activity, len(values), axis=0) + labels[:, -1:] * rows[:, j]
        rest = still[:, j + 1] if j + 1 < order else np.zeros(len(rows), np.int64)
        possible = (activity + rest <= room).all(axis=1)
        labels, activity = labels[possible], activity[possible]
        if len(labels) > limit:
            return None
    return labels[np.lexsort(labels.T)]
