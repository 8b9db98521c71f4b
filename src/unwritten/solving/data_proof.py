"""Proofs by the data alone: is a seen label the best under bounds, given rows and exact cuts, without any mined rule?

If some examples are wrong, others may be wrong too, though nothing contradicts them. Then no proof may rest on a single
example: the cuts are divided into two halves, and each half alone must prove that nothing is better. So every better
label is excluded by two examples at least, and two wrong ones would have to agree.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray
from unwritten.data.halfspaces import in_memory
from unwritten.solving.backends import Limits, family, installed
from unwritten.solving.decision import Status
from unwritten.solving.engines import BestFirst, QueryBatch
from unwritten.solving.program import Program
from unwritten.solving.session import Session


class DataProof:
    """Searches for labels that beat the seen ones under what the data alone says."""

    def __init__(self, program: Program) -> None:
        self._programs = _halves(program) if program.contradicted else [program]
        self._searches: list[BestFirst | None] = [None] * len(self._programs)
        self._sessions: list[Session | None] = [None] * len(self._programs)

    def seen_is_best(self, queries: QueryBatch, limits: Limits) -> BoolArray:
        """Return where no label beats the best seen one."""
        best = np.ones(len(queries), bool)
        for k in range(len(self._programs)):
            rest = np.flatnonzero(best)
            if rest.size:
                best[rest] = self._seen_is_best(k, queries[rest], limits)
        return best

    def _seen_is_best(self, k: int, queries: QueryBatch, limits: Limits) -> BoolArray:
        program = self._programs[k]
        best, rest = np.zeros(len(queries), bool), np.arange(len(queries))
        if not program.latents:
            search = self._searches[k] = self._searches[k] or BestFirst(program, "")
            result = search.search(queries.weights, queries.floor, queries.tolerance, limits)
            beaten = result.best > queries.floor
            best = result.finished & ~beaten
            rest = np.flatnonzero(~result.finished & ~beaten)
            if limits.time_limit is not None or not rest.size:
                return best
        session = self._sessions[k] = self._sessions[k] or Session(program)
        best[rest] = seen_is_best(session, queries[rest], limits)
        return best


def _halves(program: Program) -> list[Program]:
    """Return the program with every second cut, and with the others; equal cuts stay together, and count as one."""
    if not in_memory(program.cut_weights) or len(program.cut_limits) < 2:
        return [program.without_cuts()]
    distinct = np.unique(program.cut_weights, axis=0, return_inverse=True)[1].ravel()
    halves = [distinct % 2 == k for k in range(2)]
    return [replace(program, cut_weights=program.cut_weights[h], cut_limits=program.cut_limits[h]) for h in halves]


def seen_is_best(session: Session, queries: QueryBatch, limits: Limits) -> BoolArray:
    """Return where no label beats the best seen one, by a long search of our own or by two independent solvers."""
    best, open_ = np.zeros(len(queries), bool), np.zeros(len(queries), bool)
    for i, (weights, floor, equal) in enumerate(zip(queries.weights, queries.floor, queries.tolerance, strict=True)):
        left = limits.shared(len(queries) - i)
        verdict = session.proof_verifier.better_label(weights, floor, equal, left, budgets.VERIFIED_BOXES_DATA)
        best[i], open_[i] = verdict.proven, not verdict.settled
    rest = np.flatnonzero(open_)
    if rest.size:
        best[rest] = _solvers_agree(session, queries[rest], limits.shared(2 * len(rest)))
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
