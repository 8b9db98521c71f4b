"""Best-first: visit labels in order of value and test each against all cuts; the first that passes is the optimum.

Any multipliers λ of the rules give w·y = λ·b + (w − Aᵀλ)·y on labels that obey the equalities (and ≤ if λ ≥ 0 on
inequalities), so ordering labels by their reduced weights w − Aᵀλ orders them by value. The multipliers of the linear
relaxation make that order tightest; a poor or wrong λ only costs time. A partial label is also dropped if meeting its
rules from there on would cost more value than is allowed. The search itself is compiled: `native/best_first.cpp` and
`native/rule_reach.h`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray
from unwritten.native import kernels
from unwritten.solving.backends import Limits, Rows
from unwritten.solving.decision import Answers
from unwritten.solving.engines.engine import QueryBatch, rule_sizes, usable_multipliers
from unwritten.solving.engines.search_result import SearchResult
from unwritten.solving.program import Program


class BestFirst:
    """Search over one program without latents."""

    def __init__(self, program: Program, backend: str, most_labels: int | None = None) -> None:
        self._program = program
        if most_labels is None:
            cuts = len(program.cut_limits)
            most_labels = budgets.BEST_FIRST_LABELS if cuts else budgets.BEST_FIRST_LABELS_WITHOUT_CUTS
        self._most_labels = most_labels
        rules = program.rules
        self._kernel = kernels.BestFirstRules(
            np.ascontiguousarray(rules.matrix, np.int64),
            np.ascontiguousarray(rules.rhs, np.int64),
            np.ascontiguousarray(rules.equality, np.bool_),
            np.ascontiguousarray(program.lower, np.int64),
            np.ascontiguousarray(program.upper, np.int64),
            np.ascontiguousarray(program.cut_weights, np.float64),
            np.ascontiguousarray(program.cut_limits, np.float64),
            budgets.CUT_TILE_ENTRIES,
        )
        self._sizes = rule_sizes(rules)
        self._relaxation: Any = None
        if len(rules):
            from unwritten.solving.backends.highs import HighsBackend

            self._relaxation = HighsBackend(program.variables, Rows.of_rules(rules), integral=False)

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Search for every query, with the value of its best seen label as the value to beat."""
        result = self.search(queries.weights, queries.floor, queries.tolerance, limits)
        return result.answers(queries, "best-first search stopped after {} labels")

    def search(self, weights: FloatArray, floor: FloatArray, equal: FloatArray, limits: Limits) -> SearchResult:
        """Search for the best label of each query with more than its floor; values within `equal` are equal."""
        weights = np.ascontiguousarray(weights)
        seconds = np.inf if limits.time_limit is None else limits.time_limit
        arrays = weights, self._multipliers(weights, equal, limits), floor, equal
        return SearchResult(*self._kernel.search(*arrays, self._most_labels, seconds, limits.stop.is_set))

    def _multipliers(self, weights: FloatArray, equal: FloatArray, limits: Limits) -> FloatArray:
        """Return λ of the linear relaxation, at least 0 on inequalities; zeros if it cannot be had."""
        multipliers = np.zeros((len(weights), len(self._program.rules)))
        if self._relaxation:
            for i, row in enumerate(weights):
                if limits.stop.is_set():
                    break
                duals = self._relaxation.duals(row)
                multipliers[i] = usable_multipliers(duals, self._program.rules.equality, self._sizes, equal[i])
        return multipliers
