"""Best-first: labels in order of value, each tested against all cuts; the first to pass is the optimum.

Any multipliers λ of the rules give w·y = λ·b + (w − Aᵀλ)·y on labels that obey the equalities (and ≤ where λ ≥ 0 on
inequalities), so ordering labels by their reduced weights orders them by value. The multipliers of the linear
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
from unwritten.solving.engines.base import Queries, sound_multipliers
from unwritten.solving.program import Program


@dataclass(frozen=True, eq=False)
class Asked:
    """What one search came to; `value` is the floor where nothing beats it."""

    finished: bool
    out_of_time: bool
    value: float
    label: IntArray
    bound: float
    used_cuts: bool
    labels: int


class BestFirst:
    """Search over one program without latents; compiled on first use, and kept on disk from then on."""

    def __init__(self, program: Program, backend: str, cap: int = budgets.BEST_FIRST_LABELS) -> None:
        from unwritten.solving.engines import search

        self._search: Any = search
        self._program = program
        self._cap = cap
        rules = program.rules
        self._matrix = rules.matrix.astype(np.int64)
        self._columns = rules.matrix.T.astype(np.float64)
        self._free = np.flatnonzero(program.upper > program.lower)
        self._order = np.arange(len(program.cut_limits))
        self._relaxation: Any = None
        if len(rules):
            from unwritten.solving.backends.highs import HighsBackend

            self._relaxation = HighsBackend(program.variables, Rows.of_rules(rules), integral=False)

    def answer(self, queries: Queries, limits: Limits) -> Answers:
        """One search per query, starting from the best seen label as the value to beat."""
        answers = Answers.blank(len(queries), self._program.width)
        for i in range(len(queries)):
            ask = self._ask(queries.weights[i], queries.floor[i], queries.tolerance[i], limits)
            if ask.value > queries.floor[i]:
                answers.labels[i] = ask.label
            elif np.isfinite(queries.floor[i]):
                answers.labels[i] = queries.floor_labels[i]
            answers.bounds[i], answers.used_cuts[i] = max(ask.bound, ask.value), ask.used_cuts
            if ask.finished:
                answers.status[i] = Status.OPTIMAL if np.isfinite(ask.value) else Status.INFEASIBLE
                continue
            answers.out_of_time[i] = ask.out_of_time
            none = Status.TIME_LIMIT if ask.out_of_time else Status.FAILED
            answers.status[i] = Status.FEASIBLE if np.isfinite(ask.value) else none
            answers.notes[i] = f"best-first search stopped after {ask.labels} labels"
        return answers

    def beats(self, weights: FloatArray, value: float, equal: float, limits: Limits) -> bool | None:
        """Whether some label of the program has more than `value`; None if the search gave up."""
        ask = self._ask(weights, value, equal, limits)
        return ask.value > value if ask.finished or ask.value > value else None

    def _ask(self, weights: FloatArray, floor: float, equal: float, limits: Limits) -> Asked:
        deadline = np.inf if limits.time_limit is None else monotonic() + limits.time_limit
        start, task = self._task(weights, equal)
        walk = self._search.Walk.begin(start, task, floor)
        finished, ended = False, False
        while not (finished or ended) and walk.labels < self._cap:
            finished = self._search.advance(task, walk, min(self._cap, walk.labels + budgets.BEST_FIRST_STRIDE))
            ended = limits.stop.is_set() or monotonic() > deadline
        bound = walk.best if finished else task.top
        out_of_time = ended and not finished
        return Asked(finished, out_of_time, walk.best, walk.best_label, bound, walk.used_cuts(task), walk.labels)

    def _task(self, weights: FloatArray, equal: float) -> tuple[IntArray, Any]:
        """The label that is best for the reduced weights, and the search that starts there."""
        program = self._program
        multipliers = self._multipliers(weights)
        reduced = weights - self._columns @ multipliers
        start = np.where(reduced > 0, program.upper, program.lower)
        order = self._free[np.argsort(np.abs(reduced[self._free]), kind="stable")]
        steps = (program.upper - program.lower)[order]
        ups = np.where(start[order] == program.lower[order], steps, 0)
        matrix = np.ascontiguousarray(self._matrix[:, order].T)
        swing = matrix * np.where(ups > 0, steps, -steps)[:, None]
        return start, self._search.Task(
            price=np.abs(reduced[order]),
            steps=steps,
            ups=ups,
            column=order,
            matrix=matrix,
            missing=program.rules.rhs - self._matrix @ start,
            exact=program.rules.equality,
            most=_suffix_sums(np.maximum(swing, 0)),
            least=_suffix_sums(np.minimum(swing, 0)),
            weights=weights,
            top=float(reduced @ start + multipliers @ program.rules.rhs) + equal,
            cuts=np.asarray(program.cut_weights),
            limits=program.cut_limits,
            order=self._order,
            equal=equal,
        )

    def _multipliers(self, weights: FloatArray) -> FloatArray:
        """λ of the linear relaxation, at least 0 on inequalities; zeros where there is none."""
        rules = self._program.rules
        found = self._relaxation.duals(weights) if self._relaxation else None
        return sound_multipliers(found, weights, rules.equality)


def _suffix_sums(swing: IntArray) -> IntArray:
    sums = np.zeros((len(swing) + 1, swing.shape[1]), np.int64)
    sums[:-1] = swing[::-1].cumsum(axis=0)[::-1]
    return sums
