"""Best-first: visit labels in order of value and test each against all cuts; the first that passes is the optimum.

Any multipliers λ of the rules give w·y = λ·b + (w − Aᵀλ)·y on labels that obey the equalities (and ≤ if λ ≥ 0 on
inequalities), so ordering labels by their reduced weights w − Aᵀλ orders them by value. The multipliers of the linear
relaxation make that order tightest; a poor or wrong λ only costs time.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends import Limits, Rows
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.engine import QueryBatch, usable_multipliers
from unwritten.solving.program import Program


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The result of one search. `value` is the best value of a label, or the floor if no label beats that.

    `finished` is False if the search stopped early; then no label has more than `bound`. `labels` counts the labels
    visited, and `used_cuts` is True if a cut excluded a better label.
    """

    finished: bool
    out_of_time: bool
    value: float
    label: IntArray
    bound: float
    used_cuts: bool
    labels: int


class BestFirst:
    """Search over one program without latents. The search is compiled on first use and cached on disk."""

    def __init__(self, program: Program, backend: str, most_labels: int | None = None) -> None:
        from unwritten.solving.engines import search

        self._search: Any = search
        self._program = program
        self._most_labels = budgets.BEST_FIRST_LABELS if most_labels is None else most_labels
        rules = program.rules
        self._matrix = rules.matrix.astype(np.int64)
        self._columns = rules.matrix.T.astype(np.float64)
        self._free = np.flatnonzero(program.upper > program.lower)
        self._cut_order = np.arange(len(program.cut_limits))
        self._relaxation: Any = None
        if len(rules):
            from unwritten.solving.backends.highs import HighsBackend

            self._relaxation = HighsBackend(program.variables, Rows.of_rules(rules), integral=False)

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Run one search per query, with the value of the best seen label as the value to beat."""
        answers = Answers.blank(len(queries), self._program.width)
        for i in range(len(queries)):
            result = self.search(queries.weights[i], queries.floor[i], queries.tolerance[i], limits)
            if result.value > queries.floor[i]:
                answers.labels[i] = result.label
            elif np.isfinite(queries.floor[i]):
                answers.labels[i] = queries.floor_labels[i]
            answers.bounds[i], answers.used_cuts[i] = max(result.bound, result.value), result.used_cuts
            has_label = np.isfinite(result.value)
            if result.finished:
                answers.status[i] = Status.OPTIMAL if has_label else Status.INFEASIBLE
                continue
            answers.out_of_time[i] = result.out_of_time
            without_label = Status.TIME_LIMIT if result.out_of_time else Status.FAILED
            answers.status[i] = Status.FEASIBLE if has_label else without_label
            answers.notes[i] = f"best-first search stopped after {result.labels} labels"
        return answers

    def beats(self, weights: FloatArray, value: float, equal: float, limits: Limits) -> bool | None:
        """Return whether some label of the program has more than `value`; None if the search stopped early."""
        result = self.search(weights, value, equal, limits)
        return result.value > value if result.finished or result.value > value else None

    def search(self, weights: FloatArray, floor: float, equal: float, limits: Limits) -> SearchResult:
        """Search for the best label with more than `floor`; values within `equal` of each other are equal."""
        deadline = np.inf if limits.time_limit is None else monotonic() + limits.time_limit
        start, task = self._task(weights, equal)
        walk = self._search.BestFirstWalk.begin(start, task, floor)
        finished, must_stop = False, False
        while not (finished or must_stop) and walk.labels < self._most_labels:
            until = min(self._most_labels, walk.labels + budgets.BEST_FIRST_STRIDE)
            finished = self._search.advance(task, walk, until)
            must_stop = limits.stop.is_set() or monotonic() > deadline
        bound = walk.best if finished else task.top
        out_of_time = must_stop and not finished
        return SearchResult(finished, out_of_time, walk.best, walk.best_label, bound, walk.used_cuts(task), walk.labels)

    def _task(self, weights: FloatArray, equal: float) -> tuple[IntArray, Any]:
        """Return the label that is best for the reduced weights, and the search that starts there."""
        program = self._program
        multipliers = self._multipliers(weights)
        reduced = weights - self._columns @ multipliers
        start = np.where(reduced > 0, program.upper, program.lower)
        order = self._free[np.argsort(np.abs(reduced[self._free]), kind="stable")]
        steps = (program.upper - program.lower)[order]
        ups = np.where(start[order] == program.lower[order], steps, 0)
        matrix = np.ascontiguousarray(self._matrix[:, order].T)
        swing = matrix * np.where(ups > 0, steps, -steps)[:, None]
        return start, self._search.BestFirstTask(
            price=np.abs(reduced[order]),
            steps=steps,
            ups=ups,
            column=order,
            matrix=matrix,
            missing=program.rules.rhs - self._matrix @ start,
            equality=program.rules.equality,
            most=_suffix_sums(np.maximum(swing, 0)),
            least=_suffix_sums(np.minimum(swing, 0)),
            weights=weights,
            top=float(reduced @ start + multipliers @ program.rules.rhs) + equal,
            cuts=np.asarray(program.cut_weights),
            limits=program.cut_limits,
            cut_order=self._cut_order,
            equal=equal,
        )

    def _multipliers(self, weights: FloatArray) -> FloatArray:
        """Return λ of the linear relaxation, at least 0 on inequalities; zeros if it cannot be had."""
        multipliers = self._relaxation.duals(weights) if self._relaxation else None
        return usable_multipliers(multipliers, weights, self._program.rules.equality)


def _suffix_sums(swing: IntArray) -> IntArray:
    """Return the sums of rows k, k + 1, … for each k, and a row of zeros behind them."""
    sums = np.zeros((len(swing) + 1, swing.shape[1]), np.int64)
    sums[:-1] = swing[::-1].cumsum(axis=0)[::-1]
    return sums
