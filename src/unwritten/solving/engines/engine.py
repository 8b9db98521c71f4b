"""Engine: it prepares a program once and answers batches of queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray, tolerance
from unwritten.data.products import row_values
from unwritten.rules import RuleSet
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.program import Program

MULTIPLIED_ROOM = 2.0**46  # times the tolerance, for multiplied rules: their sums are rounded to 53 bits


@dataclass(frozen=True, eq=False)
class QueryBatch:
    """Weights to maximise (m × d) and, for each row, the best seen label and its value.

    That value is the floor: every answer must reach it. Values within `tolerance` of each other count as equal. A
    solver may stop if its answer is within `gap` of the best.
    """

    weights: FloatArray
    floor: FloatArray
    floor_labels: IntArray
    tolerance: FloatArray
    gap: FloatArray

    @classmethod
    def of(cls, program: Program, weights: FloatArray) -> QueryBatch:
        """Look up the best seen label of every query; without seen labels the floor is −∞."""
        equal = tolerance(weights, program.variables)
        best, values = program.incumbents.best(weights, equal)
        seen = program.incumbents.labels
        labels = seen[best] if len(seen) else np.zeros(weights.shape, np.int64)
        return cls(weights, values, labels, equal, np.zeros(len(weights)))

    def __len__(self) -> int:
        return len(self.weights)

    def seen(self, labels: IntArray) -> BoolArray:
        """Return, for each query's label (m × d), whether it is the best seen label, which satisfies all cuts."""
        return np.asarray((labels == self.floor_labels).all(axis=1) & np.isfinite(self.floor))

    def __getitem__(self, which: slice | IntArray) -> QueryBatch:
        return QueryBatch(
            self.weights[which], self.floor[which], self.floor_labels[which], self.tolerance[which], self.gap[which]
        )


def best_answers(queries: QueryBatch, labels: IntArray) -> Answers:
    """Answers whose labels are the best under rules alone; of equally good labels, the seen one proves more."""
    answers = Answers.blank(*labels.shape)
    answers.labels = labels
    answers.bounds = row_values(queries.weights, labels)
    answers.status[:] = Status.OPTIMAL
    answers.used_cuts[:] = False
    seen = np.isfinite(queries.floor) & (queries.floor >= answers.bounds - queries.tolerance)
    answers.labels[seen] = queries.floor_labels[seen]
    return answers


def rule_sizes(rules: RuleSet) -> FloatArray:
    """Return how large the two sides of each rule can be together."""
    rows, columns = np.nonzero(rules.matrix)
    terms = np.abs(rules.matrix[rows, columns]) * rules.variables.reach[columns].astype(np.float64)
    return np.asarray(np.bincount(rows, terms, len(rules)) + np.abs(rules.rhs))


def usable_multipliers(
    multipliers: FloatArray | None, equality: BoolArray, sizes: FloatArray, equal: float
) -> FloatArray:
    """Return a solver's multipliers of rules, made at least 0 on inequalities; zeros if they cannot be used.

    Wrong multipliers only cost time, but with rules of these `sizes` they must not round away what is not `equal`.
    """
    if multipliers is None or multipliers.shape != equality.shape:
        return np.zeros(len(equality))
    if not np.abs(multipliers) @ sizes <= MULTIPLIED_ROOM * equal:  # also if there is a NaN
        return np.zeros(len(equality))
    return np.asarray(np.where(equality, multipliers, np.maximum(multipliers, 0.0)))


class Engine(Protocol):
    """One way of answering queries about one program."""

    def __init__(self, program: Program, backend: str) -> None:
        """Prepare the program; `backend` names the solver, if the engine needs one."""

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Return unchecked answers; none depends on the queries before it."""
