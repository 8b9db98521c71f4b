"""Proofs: when a seen label attains an upper bound, it is optimal, and this says by what."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray
from unwritten.rules import MINED
from unwritten.solving.backends import BREAKDOWNS, Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines import BestFirst, Queries
from unwritten.solving.program import Program
from unwritten.solving.session import Session


class Prover:
    """Decides what each answer of one program is proven by."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._bounds_declared = program.variables.declared
        self._mined = program.structure is not None or any(origin == MINED for origin in program.rules.origins)
        self._by_data: Session | None = None
        self._search: BestFirst | None = None

    def prove(self, queries: Queries, answers: Answers, values: FloatArray, kind: str, limits: Limits) -> NDArray[Any]:
        """ "data", "rules" or None for each answer (`kind="data"` spends up to the time limit on the first).

        The outer optimum must be attained by a seen label. Cuts with slack are estimates and prove nothing, so an
        answer that rests on them is not proven; nor is any where examples broke what was mined. Bounds read off the
        data count as mined.
        """
        program = self._program
        proof: NDArray[Any] = np.full(len(queries), None, object)
        if program.noisy:
            return proof
        optimal = np.array([status == Status.OPTIMAL for status in answers.status], bool)
        attained = optimal & (values >= answers.bounds - queries.tolerance)
        attained &= queries.floor >= values - queries.tolerance
        attained &= ~answers.used_cuts | program.cuts_exact
        proof[attained] = "rules"
        if self._bounds_declared:
            at_box_best = queries.floor >= program.box_best(queries.weights) - queries.tolerance
            for i in np.flatnonzero(attained):
                if not self._mined or at_box_best[i] or (kind == "data" and self._proves(queries, int(i), limits)):
                    proof[i] = "data"
        return proof

    def _proves(self, queries: Queries, i: int, limits: Limits) -> bool:
        """Whether there is a proof by data; none where a solver breaks down."""
        try:
            return self._proven_by_data(queries, i, limits)
        except BREAKDOWNS:
            self._search = self._by_data = None
            return False

    def _proven_by_data(self, queries: Queries, i: int, limits: Limits) -> bool:
        """Whether no label beats the seen one under bounds, given rows and exact cuts alone."""
        program = self._program.without_mined_rules()
        if not program.cuts_exact:
            program = program.without_cuts()
        if not program.latents:
            self._search = self._search or BestFirst(program, "")
            beaten = self._search.beats(queries.weights[i], queries.floor[i], queries.tolerance[i], limits)
            if beaten is not None:
                return not beaten
            if limits.time_limit is not None:
                return False
        self._by_data = self._by_data or Session(program)
        reply = self._by_data.engine("lazy", "highs").answer(queries[np.array([i])], replace(limits, mip_gap=0.0))
        return bool(reply.status[0] == Status.OPTIMAL and reply.bounds[0] <= queries.floor[i] + queries.tolerance[i])
