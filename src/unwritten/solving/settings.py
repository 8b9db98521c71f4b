"""DecideSettings: how queries are to be decided."""

from __future__ import annotations

import os
from dataclasses import dataclass
from numbers import Real

import numpy as np

from unwritten.errors import DataError
from unwritten.solving.backends import backend_class
from unwritten.solving.solver_choices import (
    BackendName,
    EngineName,
    ProofEffort,
    backend_name,
    engine_name,
    proof_effort,
)


@dataclass(frozen=True)
class DecideSettings:
    """How to decide. Every value is checked when the settings are made.

    Parameters
    ----------
    engine
        The way to answer a query. All engines but "inner" return a label of the same, largest value. An engine that
        cannot answer gives way to "lazy", and the decision's note says so.

        - "auto" picks the first that fits of "explicit", "greedy", "forest", "closure", "groups", "best-first" and
          "lazy"; with a `backend` of your choice it picks "lazy".
        - "explicit" lists all labels that obey the rules once, and picks the best of the list for each query.
        - "greedy" takes variables in order of weight; it needs labels that are the bases of a matroid.
        - "forest" goes from the leaves to the roots; it needs rules such as "a requires b" or "exactly one of some",
          over 0/1 variables, that link them without a cycle.
        - "closure" finds a minimum cut; it needs rules that are implications between 0/1 variables, with cycles or
          without.
        - "groups" fixes variables one by one and draws conclusions; it needs rules that say exactly, at most or at
          least one of some 0/1 variables.
        - "best-first" visits labels in order of value until one passes every cut; it takes no lifts.
        - "lazy" gives the rules to a solver, adds the cuts that its answer breaks, and repeats.
        - "monolithic" gives all rules and all cuts to a solver at once: the paper's integer program, and the slowest.
        - "inner" returns the best seen label, which need not be the best label: the paper's inner polytope.
    backend
        The solver that "lazy" and "monolithic" run on: "highs" and "scipy" are always there; "cpsat", "scip" and
        "gurobi" need a package of their own. "auto" starts with "highs". If a solver fails, the next one is asked.
    mip_gap
        How far an answer may fall short of the best one, as a share of what the best seen label is worth: 0.05 is
        five percent. Without a seen label that obeys the rules, it is 0.
    time_limit
        Seconds per query, or None for no limit. They hold for all work on the query: lists, solvers and proofs.
    n_jobs
        The number of threads; -1 takes all cores, -2 all but one, and None takes 1. Answers do not depend on it.
    proof
        "auto" proves an answer by the data alone only if that is cheap; "data" also searches for such a proof.
    """

    engine: EngineName = "auto"
    backend: BackendName = "auto"
    mip_gap: float = 0.0
    time_limit: float | None = None
    n_jobs: int | None = 1
    proof: ProofEffort = "auto"

    def __post_init__(self) -> None:
        if not isinstance(self.mip_gap, Real) or not 0 <= self.mip_gap < np.inf:
            raise DataError(f"mip_gap is {self.mip_gap!r}: use a share such as 0 or 0.05")
        limit = self.time_limit
        if limit is not None and (not isinstance(limit, Real) or not 0 < limit < np.inf):
            raise DataError(f"time_limit is {limit!r}: use seconds per query, or None for no limit")
        if self.n_jobs is not None and (not isinstance(self.n_jobs, int) or self.n_jobs == 0):
            raise DataError(
                f"n_jobs is {self.n_jobs!r}: use a whole number of threads, at least 1, or -1 for all cores"
            )
        proof_effort(self.proof)
        engine_name(self.engine)
        if backend_name(self.backend) != "auto":
            backend_class(self.backend)  # raises if the solver's package is not installed

    @property
    def threads(self) -> int:
        """The number of threads that `n_jobs` asks for."""
        if self.n_jobs is None or self.n_jobs > 0:
            return self.n_jobs or 1
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return max(1, cores + 1 + self.n_jobs)

    @property
    def may_stop_early(self) -> bool:
        """True if a solver may return before it has the best label."""
        return self.time_limit is not None or self.mip_gap > 0
