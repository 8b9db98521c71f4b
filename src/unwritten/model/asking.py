"""Asking: the best label for weights, and all labels under the rules."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from unwritten.data import FloatArray, IntArray, Sense, Variables, weights_from
from unwritten.data.frames import FrameLike, frame_like
from unwritten.errors import DataError, InfeasibleError, SolverError
from unwritten.evidence.answer_forecast import AnswerForecast
from unwritten.mining import Cuts, Lift, Matroid, lifted_labels, lifted_variables
from unwritten.progress import Progress, shown_progress, silent
from unwritten.rules import Gaps, RuleSet
from unwritten.solving import (
    BackendName,
    DecideSettings,
    Decisions,
    Desk,
    EngineName,
    Program,
    ProofEffort,
    Status,
    list_labels,
    seen_instead,
    with_gaps,
)


class Asking:
    """The questions that a model answers; `Model` has the fields."""

    variables: Variables
    rules: RuleSet
    redundant: RuleSet
    cuts: Cuts
    seen: IntArray
    counts: IntArray
    sense: Sense
    lifts: tuple[Lift, ...]
    matroid: Matroid | None
    suspects: IntArray
    forecast: AnswerForecast | None
    gaps: Gaps

    @cached_property
    def extended(self) -> Variables:
        """The variables of the labels, then the latent variables."""
        return lifted_variables(self.lifts, self.variables)

    @property
    def noisy(self) -> bool:
        """True if some examples break a rule or contradict others."""
        return len(self.suspects) > 0

    @property
    def rules_broken(self) -> bool:
        """True if some examples break a rule that is stated nevertheless; then no answer is called proven."""
        evidence = (*self.rules.evidence, *(gap.evidence for gap in self.gaps))
        return self.noisy and (self.matroid is not None or any(e is not None and e.violations for e in evidence))

    @cached_property
    def program(self) -> Program:
        """The integer program that queries are asked of; its weights are maximised."""
        linear = Program(
            variables=self.extended,
            rules=self.rules,
            redundant=self.redundant,
            width=len(self.variables),
            cut_weights=self.cuts.weights,
            cut_limits=self.cuts.limits(self.variables),
            cuts_exact=self.cuts.exact,
            seen=self.seen,
            lift=lambda labels: lifted_labels(self.lifts, labels),
            structure=self.matroid,
            noisy=self.rules_broken,
            contradicted=self.noisy and not self.rules_broken,
            repeated=self.counts > 1,
        )
        return with_gaps(linear, self.gaps)

    @cached_property
    def _desk(self) -> Desk:
        return Desk(self.program)

    def decide(
        self,
        weights: object,
        engine: EngineName = "auto",
        backend: BackendName = "auto",
        mip_gap: float = 0,
        time_limit: float | None = None,
        n_jobs: int | None = 1,
        proof: ProofEffort = "auto",
        *,
        progress: bool | Progress | None = None,
    ) -> Decisions:
        """The best label for each row of weights, with its value, bound, status and proof.

        Parameters
        ----------
        weights
            (m × d) array, sparse matrix or data frame, in the sense that the model was mined with.
        engine
            "auto" chooses. "explicit" lists all labels under the rules; "greedy" takes variables by weight, for
            matroids; "forest" goes from leaves to roots, for hierarchies; "closure" finds a minimum cut, for
            implications with cycles; "groups" branches on exactly-one groups; "best-first" walks labels in order of
            value; "lazy" gives a solver the cuts that its answers break; "monolithic" gives it all cuts at once. All of
            these return the same values. "inner" returns the best seen label, and so does "auto" if the model's
            `forecast` says that this label is right more often than the best label under the rules; the decision's note
            then says why.
        backend
            The solver of "lazy" and "monolithic": "auto", "highs", "scipy", "cpsat", "scip" or "gurobi".
        mip_gap, time_limit
            When a solver may stop: at a gap, as a share of what the best seen label is worth, and after some seconds
            per query.
        n_jobs
            The number of threads, or -1 for all cores; answers do not depend on it.
        proof
            "auto" proves answers by the data if that is cheap; "data" searches for such proofs.
        progress
            True shows progress, False does not, None shows it in terminals and notebooks.
        """
        settings = DecideSettings(engine, backend, mip_gap, time_limit, n_jobs, proof)
        queries = weights_from(weights, len(self.variables), order=self.variables.names)
        with shown_progress(progress) as report:
            decisions = self._decided(queries, settings, report)
        if engine == "auto" and self.forecast is not None and self.forecast.prefers_seen:
            seen = self._decided(queries, replace(settings, engine="inner"), silent)
            decisions = seen_instead(decisions, seen, self.forecast)
        forecast = None if engine == "inner" else self.forecast
        return replace(decisions, frame_kind=FrameLike.of(weights), forecast=forecast)

    def _decided(self, queries: FloatArray, settings: DecideSettings, report: Progress) -> Decisions:
        """Decide queries in the sense that the model was mined with."""
        sign = 1.0 if self.sense == "max" else -1.0
        decisions = self._desk.decide(sign * queries + 0.0, settings, report)
        if self.sense == "max":
            return decisions
        return replace(
            decisions, values=-decisions.values, bounds=-decisions.bounds, seen_values=-decisions.seen_values
        )

    def predict(
        self,
        weights: object,
        engine: EngineName = "auto",
        backend: BackendName = "auto",
        mip_gap: float = 0,
        time_limit: float | None = None,
        n_jobs: int | None = 1,
        proof: ProofEffort = "auto",
        *,
        progress: bool | Progress | None = None,
    ) -> Any:
        """The best label for each row of weights, as (m × d) integers; raises if a query has no answer.

        If the weights are a data frame, the labels are returned as the same kind of frame. The settings are those of
        `decide`.
        """
        decisions = self.decide(weights, engine, backend, mip_gap, time_limit, n_jobs, proof, progress=progress)
        status = decisions.status
        unanswered = np.flatnonzero((status != Status.OPTIMAL) & (status != Status.FEASIBLE))
        if unanswered.size:
            first = decisions[int(unanswered[0])]
            if first.status == Status.INFEASIBLE:
                clash = "; ".join(decisions.clash) or "not found in time"
                raise InfeasibleError(f"no label obeys all rules; these clash: {clash}", decisions.clash)
            raise SolverError(f"a query has no answer ({first.note}): {first.status.remedy}")
        return frame_like(weights, self.variables.names, decisions.labels)

    def labels(self, limit: int = 1_000_000) -> IntArray:
        """Every label within bounds that obeys the rules, in lexicographic order; cuts are ignored.

        Raises an error if listing them needs more than `limit` partial labels at a time.
        """
        if isinstance(limit, bool) or not isinstance(limit, int | np.integer) or limit < 0:
            raise DataError(f"limit is {limit!r}: use a number of partial labels, such as 1_000_000")
        listed = list_labels(self._desk.program, limit, cuts=False)
        if listed is None:
            raise SolverError(
                f"too many labels obey the rules to list within {limit} branches: raise limit, or add rules"
            )
        return listed
