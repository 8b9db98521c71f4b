"""Proofs: if a seen label attains an upper bound, it is optimal; this module says what that bound rests on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray
from unwritten.data.label_entries import LabelTable
from unwritten.rules import MINED
from unwritten.solving.backends import BREAKDOWNS, Limits
from unwritten.solving.data_proof import DataProof, seen_is_best
from unwritten.solving.decision import Answers, Status, joined_notes
from unwritten.solving.engines import QueryBatch
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
        self._by_data_alone = program.has_limits or program.contradicted
        self._data_proof: DataProof | None = None

    @cached_property
    def _repeated(self) -> LabelTable:
        """The labels that at least two examples have."""
        program = self._program
        labels = program.seen[program.repeated]
        return LabelTable(labels[program.obeys(labels, cuts=False)] if len(labels) else labels)

    @property
    def _is_small_search(self) -> bool:
        """True if nothing is proven by rules, and a proof by the data is searched in milliseconds."""
        program = self._program
        spans = (program.upper - program.lower + 1).astype(np.float64)
        return self._by_data_alone and float(np.log2(spans).sum()) <= budgets.PROVEN_BITS

    def prove(
        self, queries: QueryBatch, answers: Answers, values: FloatArray, effort: ProofEffort, limits: Limits
    ) -> NDArray[Any]:
        """Return "data", "rules" or None for each answer.

        An answer is proven if it is optimal and a seen label has its value. That it is optimal must be known from a
        search of our own, or from two independent solvers. Two cases are never proven: answers that rest on cuts with
        slack, which are estimates, and answers of programs whose rules some examples break. Limits are estimates, too:
        with them, answers are proven by the data or not at all. The same holds if some examples contradicted others,
        and then two examples must say each thing that a proof rests on. Bounds that were read off the data count as
        mined. `effort="data"` spends up to the time limit on each proof by the data.
        """
        program = self._program
        proof: NDArray[Any] = np.full(len(queries), None, object)
        if program.noisy:
            return proof
        proven = (answers.status == Status.OPTIMAL) & (values >= answers.bounds - queries.tolerance)
        proven &= queries.floor >= values - queries.tolerance
        proven &= ~answers.used_cuts | program.cuts_exact
        if program.contradicted and proven.any():
            repeated = self._repeated.best(queries.weights, queries.tolerance)[1]
            proven &= repeated >= values - queries.tolerance
        proven &= self._verified(queries, answers, proven, effort, limits)
        if not self._by_data_alone:
            proof[proven] = "rules"
        if self._bounds_declared:
            needs_no_mined_rule = proven.copy()
            if self._has_mined_rules or program.contradicted:
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
            verified[rest] = self._proven(partial(seen_is_best, self._session), queries[rest], limits)
        for i in rest[~verified[rest]]:
            answers.notes[i] = joined_notes(answers.notes[i], ALONE if effort == "data" else UNVERIFIED)
        return verified

    def _proven(
        self, search: Callable[[QueryBatch, Limits], BoolArray], queries: QueryBatch, limits: Limits
    ) -> BoolArray:
        """Return which answers a search proves; if a solver breaks down, only those that it does not break down on."""
        try:
            return search(queries, limits.shared(len(queries)))
        except BREAKDOWNS:
            self._data_proof = None
            if len(queries) == 1:
                return np.zeros(1, bool)
            return np.concatenate([self._proven(search, queries[i : i + 1], limits) for i in range(len(queries))])

    def _seen_is_best_for_data(self, queries: QueryBatch, limits: Limits) -> BoolArray:
        """Return where no label beats the best seen one under bounds, given rows and exact cuts alone."""
        if self._data_proof is None:
            program = self._program.without_mined_rules()
            self._data_proof = DataProof(program if program.cuts_exact else program.without_cuts())
        return self._data_proof.seen_is_best(queries, limits)
