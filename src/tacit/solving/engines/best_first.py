"""Best-first: labels in order of value, each tested against all cuts; the first to pass is the optimum.

Any multipliers λ of the rules give w·y = λ·b + (w − Aᵀλ)·y on labels that obey the equalities (and ≤ where λ ≥ 0 on
inequalities), so ordering labels by their reduced weights orders them by value. The multipliers of the linear
relaxation make that order tightest; a poor or wrong λ only costs time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.data import FloatArray, IntArray
from tacit.solving.backends import Limits, Rows
from tacit.solving.decision import Answers, Status
from tacit.solving.engines.base import Queries
from tacit.solving.program import Program

LARGEST_SEARCH = 4_000_000  # labels; past it the search gives up and says so


class BestFirst:
    """Search over one program without latents; compiled on first use, and kept on disk from then on."""

    def __init__(self, program: Program, backend: str, cap: int = LARGEST_SEARCH) -> None:
        from tacit.solving.engines import search

        self._search: Any = search.best_first
        self._found = search.FOUND
        self._program = program
        self._cap = cap
        rules = program.rules
        self._matrix = rules.matrix.astype(np.int64)
        self._columns = rules.matrix.T.astype(np.float64)
        self._free = np.flatnonzero(program.upper > program.lower)
        self._order = np.arange(len(program.cut_limits))
        self._relaxation: Any = None
        if len(rules):
            from tacit.solving.backends.highs import HighsBackend

            self._relaxation = HighsBackend(program.variables, Rows.of_rules(rules), integral=False)

    def answer(self, queries: Queries, limits: Limits) -> Answers:
        """One search per query, starting from the best seen label as the value to beat."""
        answers = Answers.blank(len(queries), self._program.width)
        for i in range(len(queries)):
            outcome, value, label, bound, used_cuts, nodes = self._ask(
                queries.weights[i], queries.floor[i], queries.tolerance[i]
            )
            found = value > queries.floor[i]
            if found:
                answers.labels[i] = label
            elif np.isfinite(queries.floor[i]):
                answers.labels[i] = queries.floor_labels[i]
            answers.bounds[i], answers.used_cuts[i] = max(bound, value), used_cuts
            if outcome == self._found:
                answers.status[i] = Status.OPTIMAL if np.isfinite(value) else Status.INFEASIBLE
            else:
                answers.status[i] = Status.FEASIBLE if np.isfinite(value) else Status.FAILED
                answers.notes[i] = f"best-first search stopped after {nodes} labels"
        return answers

    def beats(self, weights: FloatArray, value: float, equal: float) -> bool | None:
        """Whether some label of the program has more than `value`; None if the search gave up."""
        outcome, best, *_ = self._ask(weights, value, equal)
        return best > value if outcome == self._found or best > value else None

    def _ask(self, weights: FloatArray, floor: float, equal: float) -> tuple[int, float, IntArray, float, bool, int]:
        program = self._program
        multipliers = self._multipliers(weights)
        reduced = weights - self._columns @ multipliers
        start = np.where(reduced > 0, program.upper, program.lower)
        top = float(reduced @ start + multipliers @ program.rules.rhs) + equal
        order = self._free[np.argsort(np.abs(reduced[self._free]), kind="stable")]
        steps = (program.upper - program.lower)[order]
        ups = np.where(start[order] == program.lower[order], steps, 0)
        matrix = np.ascontiguousarray(self._matrix[:, order].T)
        swing = matrix * np.where(ups > 0, steps, -steps)[:, None]
        result: tuple[int, float, IntArray, float, bool, int] = self._search(
            np.abs(reduced[order]),
            steps,
            ups,
            order,
            start,
            matrix,
            program.rules.rhs - self._matrix @ start,
            program.rules.equality,
            _suffix_sums(np.maximum(swing, 0)),
            _suffix_sums(np.minimum(swing, 0)),
            weights,
            top,
            program.cut_weights,
            program.cut_limits,
            self._order,
            floor,
            equal,
            self._cap,
        )
        return result

    def _multipliers(self, weights: FloatArray) -> FloatArray:
        """λ of the linear relaxation, at least 0 on inequalities; zeros where there is none."""
        rules = self._program.rules
        found = self._relaxation.duals(weights) if self._relaxation else None
        if found is None or not np.isfinite(found).all():
            return np.zeros(len(rules))
        return np.asarray(np.where(rules.equality, found, np.maximum(found, 0.0)))


def _suffix_sums(swing: IntArray) -> IntArray:
    sums = np.zeros((len(swing) + 1, swing.shape[1]), np.int64)
    sums[:-1] = swing[::-1].cumsum(axis=0)[::-1]
    return sums
