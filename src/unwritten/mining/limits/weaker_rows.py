"""Rows that are not tested: a weaker row excludes all but next to none of the labels that the examples prove forbidden.

A weaker row forbids less: one coefficient is a step smaller, counted from one end of its column. "At least one of a, b"
becomes "at least one of a, b, c", or "at least one of a, b unless c is 0". "At most one of" three columns becomes two
of its pairs, and one pair becomes nothing. If no example proves a label forbidden that only the stronger row excludes,
the stronger row is preferred only because it is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.limits.choices import Choices
from unwritten.mining.limits.points import Points
from unwritten.rules import RuleSet

TESTS = 3
"""Least excluded labels beyond the stronger row alone for it to count as tested: one or two may have other reasons."""


@dataclass(frozen=True, eq=False)
class _Weaker:
    """Something weaker than a row.

    `pass_` says which labels it lets pass, and `tell` which of them speak for the row if an example claims them. `near`
    changes labels into some that it may let pass. `besides` are the other rows that forbid what the row forbids more.
    """

    pass_: Callable[[IntArray], BoolArray]
    tell: Callable[[IntArray], BoolArray]
    near: Callable[[IntArray], IntArray]
    besides: BoolArray


def untested(points: Points, choices: Choices, known: RuleSet, rows: IntArray, first: int) -> BoolArray:
    """Which of the first rows `[a, b]` are told from something weaker by hardly any excluded label.

    Labels count from the lower bounds. `known` are the rules besides the rows. If not all labels are listed, labels
    near the claimed ones are tried.
    """
    claimed, unclaimed = (_broken(labels, rows) for labels in (points.excluded, points.unknown))
    doubted, new = np.zeros(first, bool), _NewPairs.of(points)
    for k in range(first):
        besides = np.zeros(0, bool)
        for weaker in (*_smaller_steps(rows, k, points), *_missing_pairs(rows, k, points, new)):
            if not np.array_equal(weaker.besides, besides):
                besides = weaker.besides
                own = points.excluded[_alone(claimed, k, besides)]
                others = points.unknown[_alone(unclaimed, k, besides)]
            telling = weaker.tell(own)
            tests = int(telling.sum())
            if tests >= TESTS:
                continue
            near = own[:0] if points.complete else weaker.near(own[: budgets.LIMIT_STEPS_TRIED])
            near = near[weaker.pass_(near) & _alone(_broken(near, rows), k, besides)] + choices.variables.lower
            near = near[known.obeyed_by(near)]
            tests += int((weaker.tell(near - choices.variables.lower) & (choices.excludes(near)[0] > 0)).sum())
            left = len(near) or weaker.pass_(others).any() or (weaker.pass_(own) & ~telling).any()
            if tests < TESTS and left:
                doubted[k] = True
                break
    return doubted


def _broken(labels: IntArray, rows: IntArray) -> BoolArray:
    """For each label and row, whether the label breaks the row."""
    return np.asarray(labels @ rows[:, :-1].T > rows[:, -1])


def _alone(broken: BoolArray, k: int, besides: BoolArray) -> BoolArray:
    """Which labels break row k, and no other row but some of those `besides`."""
    others = ~besides
    others[k] = False
    return np.asarray(broken[:, k] & ~broken[:, others].any(axis=1))


def _smaller_steps(rows: IntArray, k: int, points: Points) -> Iterator[_Weaker]:
    """Rows that forbid less the nearer a column is to one of its ends, and the same at its other end."""
    row, nothing = rows[k], np.zeros(len(rows), bool)
    for column in np.flatnonzero(points.spans).tolist():
        span = int(points.spans[column])
        for high in (True, False):
            weaker = row.copy()
            weaker[column] += -1 if high else 1
            weaker[-1] += 0 if high else span
            obeys = partial(_obeys, weaker)
            yield _Weaker(obeys, obeys, partial(_towards, column, span, high), nothing)


def _missing_pairs(rows: IntArray, k: int, points: Points, new: _NewPairs) -> Iterator[_Weaker]:
    """ "At most one of" two or more columns, weakened by one pair; all other pairs still exclude each other.

    A label with the pair tells only if it has no other two values that no seen label has together: they, too, may be
    why nobody chose it. Rows that forbid the pair as well do not count: if they are not stated, this one stands alone.
    """
    row = rows[k]
    members = np.flatnonzero(row[:-1])
    signs = row[members]
    of_pairs = (np.abs(signs) == 1).all() and row[-1] + (signs < 0).sum() == 1
    if len(members) < 2 or not of_pairs or (points.spans[members] != 1).any():
        return
    for i, j in combinations(range(len(members)), 2):
        pair = (signs < 0).astype(np.int64)
        pair[[i, j]] ^= 1
        besides = _forbids(rows, members[[i, j]], pair[[i, j]], points.spans)
        yield _Weaker(
            partial(_has, members, pair), partial(new.only, members, pair), partial(_with, members, pair), besides
        )


def _forbids(rows: IntArray, columns: IntArray, values: IntArray, spans: IntArray) -> BoolArray:
    """Which rows no label obeys that has these values in these columns."""
    free = np.minimum(rows[:, :-1], 0) * spans
    free[:, columns] = 0
    return np.asarray(free.sum(axis=1) + rows[:, columns] @ values > rows[:, -1])


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


@dataclass(frozen=True, eq=False)
class _NewPairs:
    """The pairs of values (0 or 1, of 0/1 columns) that no label has together which limits must keep."""

    binary: BoolArray
    new: FloatArray

    @classmethod
    def of(cls, points: Points) -> _NewPairs:
        binary = points.spans == 1
        literals = _literals(points.kept, binary)
        new = (literals.T @ literals == 0).astype(np.float64)
        np.fill_diagonal(new, 0)
        return cls(binary, new)

    def only(self, columns: IntArray, values: IntArray, labels: IntArray) -> BoolArray:
        """Which labels have these values in these columns, and a single new pair."""
        literals = _literals(labels, self.binary)
        counts = ((literals @ self.new) * literals).sum(axis=1)  # each pair from both sides
        return np.asarray(_has(columns, values, labels) & (counts == 2))


def _literals(labels: IntArray, binary: BoolArray) -> FloatArray:
    values = labels[:, binary].astype(np.float64)
    return np.concatenate([1 - values, values], axis=1)
