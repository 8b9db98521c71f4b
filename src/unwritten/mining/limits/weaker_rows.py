"""Rows that are not tested: a weaker row explains all that the examples claim beyond it.

A weaker row forbids less: one coefficient is a step smaller, counted from one end of its column. "At least one of a, b"
becomes "at least one of a, b, c", or "at least one of a, b unless c is 0". If no example claims that a label is not
allowed which only the stronger row excludes, then nothing speaks for the stronger row but that it is shorter.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.mining.limits.claims import Claims
from unwritten.mining.limits.points import Points
from unwritten.rules import RuleSet

TESTS = 3
"""Claimed labels that only the stronger row excludes, from which on it is tested: one or two may have other reasons."""

End = tuple[int, int, bool]  # a column, its span, and whether its high end is meant


def untested(points: Points, claims: Claims, known: RuleSet, rows: IntArray, first: int) -> BoolArray:
    """Which of the first rows `[a, b]` hardly any claimed label tells from some weaker row.

    Labels count from the lower bounds. `known` are the rules besides the rows. If not all labels are listed, labels one
    step from claimed ones are tried.
    """
    ends = [(int(j), int(points.spans[j]), high) for j in np.flatnonzero(points.spans) for high in (True, False)]
    claimed, unclaimed = (_alone(labels, rows) for labels in (points.excluded, points.unknown))
    found = np.zeros(first, bool)
    for k in range(first):
        own, others = points.excluded[claimed[:, k]], points.unknown[unclaimed[:, k]]
        for end in ends:
            weaker = _weaker(rows[k], end)
            tests = int(_lets_pass(weaker, own).sum())
            if tests >= TESTS:
                continue
            near = own[:0] if points.complete else _towards(own, end)
            near = near[_lets_pass(weaker, near) & _alone(near, rows)[:, k]] + claims.variables.lower
            near = near[known.obeyed_by(near)]
            tests += int((claims.excludes(near)[0] > 0).sum())
            if tests < TESTS and (len(near) or _lets_pass(weaker, others).any()):
                found[k] = True
                break
    return found


def _lets_pass(row: IntArray, labels: IntArray) -> BoolArray:
    return np.asarray(labels @ row[:-1] <= row[-1])


def _alone(labels: IntArray, rows: IntArray) -> BoolArray:
    """For each label and row, whether the label breaks this row and no other."""
    breaks = labels @ rows[:, :-1].T > rows[:, -1]
    return np.asarray(breaks & (breaks.sum(axis=1) == 1)[:, None])


def _weaker(row: IntArray, end: End) -> IntArray:
    """The row that forbids less the nearer a column is to this end, and the same at its other end."""
    column, span, high = end
    weaker = row.copy()
    weaker[column] += -1 if high else 1
    weaker[-1] += 0 if high else span
    return weaker


def _towards(labels: IntArray, end: End) -> IntArray:
    """Some of the labels, one step nearer to an end of a column."""
    column, span, high = end
    moved = labels[: budgets.LIMIT_STEPS_TRIED].copy()
    moved[:, column] += 1 if high else -1
    return moved[(moved[:, column] >= 0) & (moved[:, column] <= span)]
