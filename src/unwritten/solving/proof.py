"""Proofs: if a seen label attains an upper bound, it is optimal; this module says what that bound rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray
from unwritten.rules import MINED
from unwritten.solving.backends import BREAKDOWNS, Limits, family, installed
from unwritten.solving.decision import Answers, Status, joined_notes
from unwritten.solving.engines import BestFirst, QueryBatch
from unwritten.solving.program import Program
from unwritten.solving.session import Session
from unwritten.solving.solver_choices import ProofEffort

UNVERIFIED = (
    "not proven: the bound is one solver's word, and our own search did not verify it; proof='data' searches longer"
)
ALONE = "not proven: the bound is one solver's word, and no independent solver that is installed confirms it"


class Prover:
    """Decides what each answer of one session's program is proven by."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._program = program = session.program
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

    @property
    def _is_small_search(self) -> bool:
        """True if limits stand in the way of a proof by rules, and a proof by the data is searched in milliseconds."""
        program = self._program
        spans = (program.upper - program.lower + 1).astype(np.float64)
        return program.has_limits and float(np.log2(spans).sum()) <= budgets.PROVEN_BITS

    def prove(
        self, queries: QueryBatch, answers: Answers, values: FloatArray, effort: ProofEffort, limits: Limits
    ) -> NDArray[Any]:
        """Return "data", "rules" or None for each answer.

        An answer is proven if it is optimal and a seen label has its value. That it is optimal must be known from a
        search of our own, or from two independent solvers. Two cases are never proven: answers that rest on cuts with
        slack, which are estimates, and answers of programs that examples break. Limits are estimates, too: with them,
        answers are proven by the data or not at all. Bounds that were read off the data
        count as mined. `effort="data"` spends up to the time limit on each proof by the data.
        """
        program = self._program
        proof: NDArray[Any] = np.full(len(queries), None, object)
        if program.noisy:
            return proof
        proven = (answers.status == Status.OPTIMAL) & (values >= answers.bounds - queries.tolerance)
        proven &= queries.floor >= values - queries.tolerance
        proven &= ~answers.used_cuts | program.cuts_exact
        proven &= self._verified(queries, answers, proven, effort, limits)
        if not program.has_limits:
            proof[proven] = "rules"
        if self._bounds_declared:
            needs_no_mined_rule = proven.copy()
            if self._has_mined_rules:
                rows = np.flatnonzero(proven)
                box_best = program.box_best(queries.weights[rows])
                needs_no_mined_rule[rows] = queries.floor[rows] >= box_best - queries.tolerance[rows]
            proof[needs_no_mined_rule] = "data"
            rest = np.flatnonzero(proven & ~needs_no_mined_rule)
            if (effort == "data" or self._is_small_search) and rest.size:
                proof[rest[self._proven(self._seen_is_best_for_data, queries[rest], limits)]] = "data"
        return proof

    def _verified(
        self, queries: QueryBatch, answers: Answers, proven: BoolArray, effort: ProofEffort, limits: Limits
    ) -> BoolArray:
        """Return which answers are verified; note why those that seem `proven` are not."""
        verified = answers.verified.copy()
        rest = np.flatnonzero(proven & ~verified)
        if effort == "data" and rest.size:
            verified[rest] = self._proven(partial(_seen_is_best, self._session), queries[rest], limits)
        for i in rest[~verified[rest]]:
            answers.notes[i] = joined_notes(answers.notes[i], ALONE if effort == "data" else UNVERIFIED)
        return verified

    def _proven(
        self, search: Callable[[QueryBatch, Limits], BoolArray], queries: QueryBatch, limits: Limits
    ) -> BoolArray:
        """Return which answers a search proves; if a solver breaks down, only those that it does not break down on."""
        try:
            return search(queries, limits)
        except BREAKDOWNS:
            self._data_search = self._data_session = None
            if len(queries) == 1:
                return np.zeros(1, bool)
            return np.concatenate([self._proven(search, queries[i : i + 1], limits) for i in range(len(queries))])

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
        best[rest] = _seen_is_best(self._data_session, queries[rest], limits)
        return best


def _seen_is_best(session: Session, queries: QueryBatch, limits: Limits) -> BoolArray:
    """Return where no label beats the best seen one, by a long search of our own or by two independent solvers."""
    best, open_ = np.zeros(len(queries), bool), np.zeros(len(queries), bool)
    for i, (weights, floor, equal) in enumerate(zip(queries.weights, queries.floor, queries.tolerance, strict=True)):
        verdict = session.proof_verifier.better_label(weights, floor, equal, limits, budgets.VERIFIED_BOXES_DATA)
        best[i], open_[i] = verdict.proven, not verdict.settled
    rest = np.flatnonzero(open_)
    if rest.size:
        best[rest] = _solvers_agree(session, queries[rest], limits)
    return best


def _solvers_agree(session: Session, queries: QueryBatch, limits: Limits) -> BoolArray:
    """Return where two independent solvers say that no label beats the best seen one; nowhere if only one is there."""
    solvers = {family(name): name for name in reversed(installed())}
    chosen = [name for name in installed() if name in solvers.values()][:2]
    queries = replace(queries, gap=np.zeros(len(queries)))
    agree = np.full(len(queries), len(chosen) == 2)
    for name in chosen:
        asked = np.flatnonzero(agree)
        if asked.size:
            answer = session.engine("lazy", name).answer(queries[asked], limits)
            at_most_floor = answer.bounds <= queries.floor[asked] + queries.tolerance[asked]
            rests_on_slack = answer.used_cuts & (not session.program.cuts_exact)
            agree[asked] = (answer.status == Status.OPTIMAL) & at_most_floor & ~rests_on_slack
    return agree
