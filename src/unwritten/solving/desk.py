"""Desk: the door to one program. It takes queries, spreads them over threads, and explains infeasible programs."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from threading import Event, Lock
from time import monotonic

from unwritten import budgets
from unwritten.data import FloatArray
from unwritten.data.distinct import unique_rows
from unwritten.progress import Progress, silent
from unwritten.solving.answering import answer_queries
from unwritten.solving.backends import BREAKDOWNS, Limits
from unwritten.solving.conflict import find_clash
from unwritten.solving.decision import Decisions, Status
from unwritten.solving.program import Program
from unwritten.solving.proof import Prover
from unwritten.solving.session import Session
from unwritten.solving.settings import DecideSettings
from unwritten.solving.shifting import Shift

PARTS_PER_THREAD = 8  # small parts, so that little is left to do after Ctrl-C
QUERY_TIMES = 1.2  # time limits that a query may take with its proof
DECIDE_TIMES = 1.4  # the same with the search for clashing rows
STEP_SECONDS = 0.2  # between two reports of progress


class Desk:
    """Answers queries about one program. Threads may share it: each borrows a session and a prover."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._shift = Shift.of(program)
        self._idle: list[tuple[Session, Prover]] = []
        self._lock = Lock()
        self._clash: tuple[str, ...] | None = None

    def decide(self, weights: FloatArray, settings: DecideSettings, report: Progress = silent) -> Decisions:
        """Decide every row of `weights`, which are maximised; equal rows are decided once."""
        first, place = unique_rows(weights)
        end = _end(settings, len(first), DECIDE_TIMES)
        distinct = weights if len(first) == len(weights) else weights[first]
        if settings.threads > 1:
            parts = self._decide_in_threads(distinct, settings, report)
        elif report is silent:
            parts = [self._decide_part(distinct, settings, Event())]
        else:
            parts = self._decide_in_steps(distinct, settings, report)
        return self._with_clash(Decisions.joined(parts, place), end)

    @contextmanager
    def lend(self) -> Iterator[tuple[Session, Prover]]:
        """Lend a session and a prover that nobody else uses meanwhile."""
        with self._lock:
            lent = self._idle.pop() if self._idle else self._opened()
        try:
            yield lent
        finally:
            with self._lock:
                self._idle.append(lent)

    def _opened(self) -> tuple[Session, Prover]:
        session = Session(self._shift.program)
        return session, Prover(session)

    def _decide_in_steps(self, weights: FloatArray, settings: DecideSettings, report: Progress) -> list[Decisions]:
        """Decide part after part and report each; a part takes about as long as a person waits for an update."""
        parts: list[Decisions] = []
        done, size = 0, 1
        while done < len(weights) or not parts:
            start = monotonic()
            parts.append(self._decide_part(weights[done : done + size], settings, Event()))
            done = min(len(weights), done + size)
            report(_step(len(weights)), done, len(weights))
            seconds = monotonic() - start
            size = 2 * size if seconds < STEP_SECONDS else max(1, size // 2)
        return parts

    def _decide_in_threads(self, weights: FloatArray, settings: DecideSettings, report: Progress) -> list[Decisions]:
        size = max(1, len(weights) // (PARTS_PER_THREAD * settings.threads))
        parts = [weights[start : start + size] for start in range(0, max(1, len(weights)), size)]
        stop = Event()
        with ThreadPoolExecutor(settings.threads) as pool:
            try:  # a Ctrl-C between two submissions must stop the threads too
                futures = [pool.submit(self._decide_or_stop, part, settings, stop) for part in parts]
                decided = []
                for future in futures:
                    decided.append(_awaited(future))
                    report(_step(len(weights)), min(len(weights), size * len(decided)), len(weights))
                return decided
            except BaseException:
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _decide_or_stop(self, weights: FloatArray, settings: DecideSettings, stop: Event) -> Decisions:
        """Decide a part; if that fails, other threads need not go on, and nobody waits for them."""
        try:
            return self._decide_part(weights, settings, stop)
        except BaseException:
            stop.set()
            raise

    def _decide_part(self, weights: FloatArray, settings: DecideSettings, stop: Event) -> Decisions:
        limits = Limits(time_limit=settings.time_limit, stop=stop, end=_end(settings, len(weights), QUERY_TIMES))
        with self.lend() as (session, prover):
            queries = self._shift.queries(weights, settings.mip_gap)
            return self._shift.restored(answer_queries(session, prover, queries, settings, limits), weights)

    def _with_clash(self, decisions: Decisions, end: float) -> Decisions:
        """Add the rows that cannot hold together, if a query is infeasible."""
        if not (decisions.status == Status.INFEASIBLE).any():
            return decisions
        clash = self._clash
        if clash is None:
            try:
                clash = find_clash(self.program, self._shift.program, end)
            except BREAKDOWNS:
                clash = ()
            if not clash and self.program.structure is not None:
                clash = ("every label is a basis of the mined matroid, and none of these obeys the rules",)
            if clash or end == inf:  # with more time, one may be found
                self._clash = clash
        return replace(decisions, clash=clash)


def _awaited(future: Future[Decisions]) -> Decisions:
    """Wait for a result in short waits: Python hears a Ctrl-C that comes just before a wait only after it."""
    while not future.done():
        wait([future], timeout=budgets.SOLVER_POLL_SECONDS)
    return future.result()


def _end(settings: DecideSettings, queries: int, times: float) -> float:
    """Return when work on so many queries must end, if all of it may take so many times their time limits."""
    return inf if settings.time_limit is None else monotonic() + times * settings.time_limit * max(1, queries)


def _step(queries: int) -> str:
    return "deciding 1 query" if queries == 1 else f"deciding {queries:,} queries"
