"""Rows that are not tested: a weaker row explains all that the examples claim beyond it.

A weaker row forbids less: one coefficient is a step smaller, counted from one end of its column. "At least one of a, b"
becomes "at least one of a, b, c", or "at least one of a, b unless c is 0". "At most one of" three columns becomes two
of its pairs. If no example claims that a label is not allowed which only the stronger row excludes, then nothing speaks
for the stronger row but that it is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.mining.limits.claims import Claims
from unwritten.mining.limits.points import Points
from unwritten.rules import RuleSet

TESTS = 3
"""Claimed labels that only the stronger row excludes, from which on it is tested: one or two may have other reasons."""


@dataclass(frozen=True, eq=False)
class _Weaker:
    """Something weaker than a row: the labels that it lets `pass_`, and labels like others that it may let pass."""

    pass_: Callable[[IntArray], BoolArray]
    near: Callable[[IntArray], IntArray]


def untested(points: Points, claims: Claims, known: RuleSet, rows: IntArray, first: int) -> BoolArray:
    """Which of the first rows `[a, b]` hardly any claimed label tells from something weaker.

    Labels count from the lower bounds. `known` are the rules besides the rows. If not all labels are listed, labels
    near the claimed ones are tried.
    """
    claimed, unclaimed = (_alone(labels, rows) for labels in (points.excluded, points.unknown))
    found = np.zeros(first, bool)
    for k in range(first):
        own, others = points.excluded[claimed[:, k]], points.unknown[unclaimed[:, k]]
        for weaker in (*_smaller_steps(rows[k], points), *_missing_pairs(rows[k], points)):
            tests = int(weaker.pass_(own).sum())
            if tests >= TESTS:
                continue
            near = own[:0] if points.complete else weaker.near(own[: budgets.LIMIT_STEPS_TRIED])
            near = near[weaker.pass_(near) & _alone(near, rows)[:, k]] + claims.variables.lower
            near = near[known.obeyed_by(near)]
            tests += int((claims.excludes(near)[0] > 0).sum())
            if tests < TESTS and (len(near) or weaker.pass_(others).any()):
                found[k] = True
                break
    return found


def _alone(labels: IntArray, rows: IntArray) -> BoolArray:
    """For each label and row, whether the label breaks this row and no other."""
    breaks = labels @ rows[:, :-1].T > rows[:, -1]
    return np.asarray(breaks & (breaks.sum(axis=1) == 1)[:, None])


def _smaller_steps(row: IntArray, points: Points) -> Iterator[_Weaker]:
    """Rows that forbid less the nearer a column is to one of its ends, and the same at its other end."""
    for column in np.flatnonzero(points.spans).tolist():
        span = int(points.spans[column])
        for high in (True, False):
            weaker = row.copy()
            weaker[column] += -1 if high else 1
            weaker[-1] += 0 if high else span
            yield _Weaker(partial(_obeys, weaker), partial(_towards, column, span, high))


def _missing_pairs(row: IntArray, points: Points) -> Iterator[_Weaker]:
    """ "At most one of" three or more columns without one of its pairs: those that share a column may still stand."""
    members = np.flatnonzero(row[:-1])
    signs = row[members]
    of_pairs = (np.abs(signs) == 1).all() and row[-1] + (signs < 0).sum() == 1
    if len(members) < 3 or not of_pairs or (points.spans[members] != 1).any():
        return
    for i, j in combinations(range(len(members)), 2):
        pair = (signs < 0).astype(np.int64)
        pair[[i, j]] ^= 1
        yield _Weaker(partial(_has, members, pair), partial(_with, members, pair))


def _obeys(row: IntArray, labels: IntArray) -> BoolArray:
    return np.asarray(labels @ row[:-1] <= row[-1])


def _towards(column: int, span: int, high: bool, labels: IntArray) -> IntArray:
    """The labels, one step nearer to an end of a column."""
    moved = labels.copy()
    moved[:, column] += 1 if high else -1
    return moved[(moved[:, column] >= 0) & (moved[:, column] <= span)]


def _has(columns: IntArray, values: IntArray, labels: IntArray) -> BoolArray:
    return np.asarray((labels[:, columns] == values).all(axis=1))


def _with(columns: IntArray, values: IntArray, labels: IntArray) -> IntArray:
    """The labels with these values in these columns, each once."""
    changed = labels.copy()
    changed[:, columns] = values
    return np.unique(changed, axis=0)
