"""What an engine is: it prepares a program once and answers blocks of queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray, tolerance
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers
from unwritten.solving.program import Program

LARGEST_MULTIPLIER = 2.0**16  # times the largest weight


@dataclass(frozen=True, eq=False)
class Queries:
    """Weights to maximise (m × d) and, for each, the best seen label: a floor that every answer must reach."""

    weights: FloatArray
    floor: FloatArray
    floor_labels: IntArray
    tolerance: FloatArray

    @classmethod
    def of(cls, program: Program, weights: FloatArray) -> Queries:
        """Look up the best seen label of every query, in blocks of one matrix product."""
        equal = tolerance(weights, program.variables)
        best, values = best_of(program.incumbents_float, weights, equal)
        labels = program.incumbents[best] if len(program.incumbents) else np.zeros(weights.shape, np.int64)
        return cls(weights, values, labels, equal)

    def __len__(self) -> int:
        return len(self.weights)

    def __getitem__(self, which: slice | IntArray) -> Queries:
        return Queries(self.weights[which], self.floor[which], self.floor_labels[which], self.tolerance[which])


def best_of(points: FloatArray, weights: FloatArray, equal: FloatArray) -> tuple[IntArray, FloatArray]:
    """For each row of weights the column of `points` (d × N) with the largest value, the first on a tie.

    Values within `equal` of the largest count as ties, so that rounding cannot decide.
    """
    m, n = len(weights), points.shape[1]
    best, values = np.zeros(m, np.int64), np.full(m, -np.inf)
    if n == 0:
        return best, values
    step = max(1, budgets.QUERY_BLOCK_ENTRIES // n)
    for start in range(0, m, step):
        block = weights[start : start + step]
        scores = block @ points
        enough = scores.max(axis=1) - equal[start : start + step]
        best[start : start + step] = (scores >= enough[:, None]).argmax(axis=1)
        values[start : start + step] = scores[np.arange(len(block)), best[start : start + step]]
    return best, values


def sound_multipliers(found: FloatArray | None, weights: FloatArray, equality: BoolArray) -> FloatArray:
    """Multipliers of rules as a solver found them, at least 0 on inequalities; zeros where they cannot be used.

    Wrong ones cost time only, but those far above the weights would drown them in rounding.
    """
    largest = LARGEST_MULTIPLIER * float(np.abs(weights).max(initial=0.0))
    if found is None or found.shape != equality.shape or not (np.abs(found) <= largest).all():
        return np.zeros(len(equality))
    return np.asarray(np.where(equality, found, np.maximum(found, 0.0)))


class Engine(Protocol):
    """One way of answering queries over one program."""

    def __init__(self, program: Program, backend: str) -> None:
        """Prepare; `backend` names the solver to use, where the engine needs one."""

    def answer(self, queries: Queries, limits: Limits) -> Answers:
        """Unchecked answers; each independent of the queries before it."""
