"""Proofs: if a seen label attains an upper bound, it is optimal; this module says what that bound rests on."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import BoolArray, FloatArray
from unwritten.rules import MINED
from unwritten.solving.backends import BREAKDOWNS, Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines import BestFirst, QueryBatch
from unwritten.solving.program import Program
from unwritten.solving.session import Session
from unwritten.solving.solver_choices import ProofEffort


class Prover:
    """Decides what each answer of one program is proven by."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._bounds_declared = program.variables.declared
        self._has_mined_rules = program.structure is not None or any(
            origin == MINED for origin in program.rules.origins
        )
        self._data_session: Session | None = None
        self._data_search: BestFirst | None = None

    @cached_property
    def _data_program(self) -> Program:
        """The program of what the data alone proves: bounds, given rows and exact cuts."""
        program = self._program.without_mined_rules()
        return program if program.cuts_exact else program.without_cuts()

    def prove(
        self, queries: QueryBatch, answers: Answers, values: FloatArray, effort: ProofEffort, limits: Limits
    ) -> NDArray[Any]:
        """Return "data", "rules" or None for each answer.

        An answer is proven if it is optimal and a seen label has its value. Two cases are never proven: answers that
        rest on cuts with slack, which are estimates, and answers of programs that examples break. Bounds that were
        read off the data count as mined. `effort="data"` spends up to the time limit on each proof by the data.
        """
        program = self._program
        proof: NDArray[Any] = np.full(len(queries), None, object)
        if program.noisy:
            return proof
        proven = (answers.status == Status.OPTIMAL) & (values >= answers.bounds - queries.tolerance)
        proven &= queries.floor >= values - queries.tolerance
        proven &= ~answers.used_cuts | program.cuts_exact
        proof[proven] = "rules"
        if self._bounds_declared:
            needs_no_mined_rule = proven.copy()
            if self._has_mined_rules:
                rows = np.flatnonzero(proven)
                box_best = program.box_best(queries.weights[rows])
                needs_no_mined_rule[rows] = queries.floor[rows] >= box_best - queries.tolerance[rows]
            proof[needs_no_mined_rule] = "data"
            rest = np.flatnonzero(proven & ~needs_no_mined_rule)
            if effort == "data" and rest.size:
                proof[rest[self._data_prove(queries[rest], limits)]] = "data"
        return proof

    def _data_prove(self, queries: QueryBatch, limits: Limits) -> BoolArray:
        """Return which answers the data prove; if a solver breaks down, only those that it does not break down on."""
        try:
            return self._seen_is_best_for_data(queries, limits)
        except BREAKDOWNS:
            self._data_search = self._data_session = None
            if len(queries) == 1:
                return np.zeros(1, bool)
            return np.concatenate([self._data_prove(queries[i : i + 1], limits) for i in range(len(queries))])

    def _seen_is_best_for_data(self, queries: QueryBatch, limits: Limits) -> BoolArray:
        """Return where no label beats the best seen one under bounds, given rows and exact cuts alone."""
        program = self._data_program
        best, rest = np.zeros(len(queries), bool), np.arange(len(queries))
        if not program.latents:
            self._data_search = self._data_search or BestFirst(program, "")
            result = self._data_search.search(queries.weights, queries.floor, queries.tolerance, limits)
            beaten = result.best > queries.floor
            best = result.finished & ~beaten
            rest = np.flatnonzero(~result.finished & ~beaten)
            if limits.time_limit is not None or not rest.size:
                return best
        self._data_session = self._data_session or Session(program)
        lazy = self._data_session.engine("lazy", "highs")
        unfinished = queries[rest]
        answer = lazy.answer(unfinished, replace(limits, mip_gap=0.0))
        best[rest] = (answer.status == Status.OPTIMAL) & (answer.bounds <= unfinished.floor + unfinished.tolerance)
        return best
