"""The way of a query: equal ones once, the chosen engine, an exact check, a fallback if that fails, a proof."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from numbers import Real
from threading import Event, Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import DataError, SolverError, UnwrittenError
from unwritten.solving.backends import BREAKDOWNS, Limits, backend_class
from unwritten.solving.conflict import find_clash
from unwritten.solving.decision import NO_LABEL, Answers, Decisions, Status
from unwritten.solving.engines import ON_BACKEND, Queries
from unwritten.solving.program import Program
from unwritten.solving.proof import Prover
from unwritten.solving.session import Session

ROUGH = 2.0**12  # times the tolerance: what solvers' own tolerances add to a bound


@dataclass(frozen=True)
class Settings:
    """How to decide; checked when made."""

    engine: str = "auto"
    backend: str = "auto"
    mip_gap: float = 0.0
    time_limit: float | None = None
    n_jobs: int = 1
    proof: str = "auto"

    def __post_init__(self) -> None:
        if not isinstance(self.mip_gap, Real) or not 0 <= self.mip_gap < np.inf:
            raise DataError(f"mip_gap is {self.mip_gap!r}: use a share such as 0 or 0.05")
        limit = self.time_limit
        if limit is not None and (not isinstance(limit, Real) or not 0 < limit < np.inf):
            raise DataError(f"time_limit is {limit!r}: use seconds per query, or None for no limit")
        if not isinstance(self.n_jobs, int) or self.n_jobs < 1:
            raise DataError(f"n_jobs is {self.n_jobs!r}: use a whole number of threads, at least 1")
        if self.proof not in ("auto", "data"):
            raise DataError(f"proof is {self.proof!r}: use 'auto', or 'data' to try harder for a proof by the data")
        if self.backend not in ("auto", ""):
            backend_class(self.backend)


class Desk:
    """Answers queries about one program; safe to share between threads, each of which borrows a session."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._idle: list[tuple[Session, Prover]] = []
        self._lock = Lock()
        self._clash: tuple[str, ...] | None = None

    def decide(self, weights: FloatArray, settings: Settings) -> Decisions:
        """Decisions for every row of `weights`, which are to be maximised."""
        _, first, place = _unique_rows(weights)
        unique = weights[first]
        alone = settings.n_jobs == 1
        done = [self._part(unique, settings, Event())] if alone else self._in_threads(unique, settings)
        return self._with_clash(_joined(done, place))

    def _in_threads(self, weights: FloatArray, settings: Settings) -> list[Decisions]:
        """Several parts per thread, so that little is left to do when somebody presses Ctrl-C."""
        size = max(1, len(weights) // (8 * settings.n_jobs))
        parts = [weights[start : start + size] for start in range(0, max(1, len(weights)), size)]
        stop = Event()
        with ThreadPoolExecutor(settings.n_jobs) as pool:
            futures = [pool.submit(self._part, part, settings, stop) for part in parts]
            try:
                return [future.result() for future in futures]
            except BaseException:
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    @contextmanager
    def lend(self) -> Iterator[tuple[Session, Prover]]:
        """A session and a prover that nobody else uses meanwhile."""
        with self._lock:
            lent = self._idle.pop() if self._idle else (Session(self.program), Prover(self.program))
        try:
            yield lent
        finally:
            with self._lock:
                self._idle.append(lent)

    def _part(self, weights: FloatArray, settings: Settings, stop: Event) -> Decisions:
        limits = Limits(settings.mip_gap, settings.time_limit, stop)
        with self.lend() as (session, prover):
            return _answered(session, prover, Queries.of(self.program, weights), settings, limits)

    def _with_clash(self, decisions: Decisions) -> Decisions:
        if not (decisions.status == Status.INFEASIBLE).any():
            return decisions
        if self._clash is None:
            try:
                self._clash = find_clash(self.program)
            except BREAKDOWNS:
                self._clash = ()
            if not self._clash and self.program.structure is not None:
                self._clash = ("every label is a basis of the mined matroid, and none of these obeys the rules",)
        return replace(decisions, clash=self._clash)


def _answered(session: Session, prover: Prover, queries: Queries, settings: Settings, limits: Limits) -> Decisions:
    """Try the plan's engines in turn until every query has an answer that passes the exact check."""
    limited = settings.time_limit is not None or settings.mip_gap > 0
    kept = Answers.blank(len(queries), session.program.width)
    engines, denied = np.full((2, len(queries)), "", object)  # denied: by which solver a query was called infeasible
    open_ = np.arange(len(queries))
    for name, backend in session.plan(settings.engine, settings.backend):
        if not open_.size or limits.stop.is_set():
            break
        called = f"{name}+{backend}" if backend else name
        try:
            answers = session.engine(name, backend).answer(queries[open_], limits)
        except BREAKDOWNS as error:
            if isinstance(error, UnwrittenError) and not isinstance(error, SolverError):
                raise
            session.forget(name, backend)
            kept.notes[open_] = [_and(note, _breakdown(called, error)) for note in kept.notes[open_]]
            continue
        _refuse_wrong(session.program, queries[open_], answers, called, settings)
        # One solver's word is not enough to call a program infeasible, in whichever engine; a search of all labels is.
        trusted = (name not in ON_BACKEND) | ((kept.status[open_] == Status.INFEASIBLE) & (denied[open_] != backend))
        final = (answers.status == Status.OPTIMAL) | ((answers.status == Status.TIME_LIMIT) & limited)
        final |= (answers.status == Status.INFEASIBLE) & trusted
        final |= answers.out_of_time & np.isin(answers.status, (Status.FEASIBLE, Status.TIME_LIMIT))
        final |= (answers.status == Status.FEASIBLE) & (name == "inner" or (limited and name in ON_BACKEND))
        denied[open_[answers.status == Status.INFEASIBLE]] = backend
        _adopt(kept, open_, answers, engines, called)
        open_ = open_[~final]
    _fall_back_on_seen(queries, kept, engines)
    silent = np.isin(kept.status, (Status.FAILED, Status.TIME_LIMIT)) & (kept.notes == "")
    kept.notes[silent] = [status.remedy for status in kept.status[silent]]
    values = _values(queries.weights, kept.labels)
    kept.bounds = np.where(np.isnan(values), kept.bounds, np.maximum(kept.bounds, values))
    if settings.mip_gap > 0:  # a solver calls "optimal" what is within the gap
        kept.status[(kept.status == Status.OPTIMAL) & (kept.bounds > values + queries.tolerance)] = Status.FEASIBLE
    proof = prover.prove(queries, kept, values, settings.proof, limits)
    return Decisions(
        kept.labels, values, kept.bounds, kept.status, proof, engines, queries.floor, tuple(kept.notes.tolist())
    )


def _refuse_wrong(program: Program, queries: Queries, answers: Answers, called: str, settings: Settings) -> None:
    """Turn answers that fail the exact check into failures, and say which check."""
    answers.bounds[np.isnan(answers.bounds)] = np.inf
    claimed = np.isin(answers.status, (Status.OPTIMAL, Status.FEASIBLE))
    values = _values(queries.weights, answers.labels)
    far = ROUGH * queries.tolerance
    wrong = {
        "returned no label": claimed & np.isnan(values),
        "returned a label that breaks a rule or a cut": claimed & ~np.isnan(values) & ~_valid(program, answers.labels),
        "returned less than a seen label attains": (answers.status == Status.OPTIMAL)
        & (settings.mip_gap == 0)
        & (values < queries.floor - queries.tolerance),
        "claimed a bound that a seen label exceeds": claimed & (answers.bounds < queries.floor - queries.tolerance),
        "claimed a bound below its own label": claimed & (answers.bounds < values - far),
        "called optimal what is below its own bound": (answers.status == Status.OPTIMAL)
        & (settings.mip_gap == 0)
        & np.isfinite(answers.bounds)
        & (values < answers.bounds - far),
        "called a program infeasible that seen labels obey": (answers.status == Status.INFEASIBLE)
        & np.isfinite(queries.floor),
    }
    for complaint, which in wrong.items():
        answers.status[which] = Status.FAILED
        answers.notes[which] = [_and(note, f"{called} {complaint}") for note in answers.notes[which]]
    failed = answers.status == Status.FAILED
    answers.labels[failed], answers.bounds[failed] = NO_LABEL, np.inf


def _valid(program: Program, labels: IntArray) -> BoolArray:
    """Which labels obey bounds and rules, in integers, and every cut; equal labels are tested once."""
    _, first, inverse = _unique_rows(labels)
    some = labels[first]
    valid = program.admits(some)
    if len(program.cut_limits):
        valid[valid] = [not program.broken_cuts(label).size for label in some[valid]]
    return np.asarray(valid[inverse])


def _adopt(kept: Answers, rows: IntArray, answers: Answers, engines: NDArray[Any], called: str) -> None:
    """Take over what these answers add: a proven optimum, a first label, a bound, a word of explanation."""
    has_label = np.isin(answers.status, (Status.OPTIMAL, Status.FEASIBLE))
    newer = (answers.status == Status.OPTIMAL) | (has_label & (kept.labels[rows, 0] == NO_LABEL))
    newer |= np.isin(answers.status, (Status.INFEASIBLE, Status.TIME_LIMIT)) & (kept.labels[rows, 0] == NO_LABEL)
    for part in ("labels", "status", "used_cuts"):
        getattr(kept, part)[rows[newer]] = getattr(answers, part)[newer]
    engines[rows[newer]] = called
    kept.bounds[rows] = np.minimum(kept.bounds[rows], answers.bounds)
    kept.notes[rows] = [_and(old, new) for old, new in zip(kept.notes[rows], answers.notes, strict=True)]


def _fall_back_on_seen(queries: Queries, kept: Answers, engines: NDArray[Any]) -> None:
    """The best seen label, where nothing better was found: it obeys all rows, though it may not be optimal."""
    values = _values(queries.weights, kept.labels)
    poorer = np.isfinite(queries.floor) & ~(values >= queries.floor - queries.tolerance)
    kept.labels[poorer] = queries.floor_labels[poorer]
    kept.status[poorer] = Status.FEASIBLE
    kept.notes[poorer] = [_and(note, "the best seen label is returned") for note in kept.notes[poorer]]
    engines[poorer] = "inner"


def _values(weights: FloatArray, labels: IntArray) -> FloatArray:
    """w·y, or NaN where there is no label."""
    values = np.einsum("ij,ij->i", weights, labels.astype(np.float64))
    return np.where(labels[:, 0] == NO_LABEL, np.nan, values)


def _breakdown(called: str, error: BaseException) -> str:
    """Why an engine gave no answers, on one line."""
    if isinstance(error, SolverError):
        return str(error)
    text = " ".join(str(error).split())[:200]
    return f"{called} broke down ({type(error).__name__}{f': {text}' if text else ''})"


def _unique_rows(array: NDArray[Any]) -> tuple[NDArray[Any], IntArray, IntArray]:
    rows = np.ascontiguousarray(array)
    keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    return np.unique(keys, return_index=True, return_inverse=True)


def _and(first: str, second: str) -> str:
    return "; ".join(part for part in (first, second) if part)


def _joined(parts: list[Decisions], place: IntArray) -> Decisions:
    """The decisions of all parts, in the order of the queries (equal queries share one)."""
    fields = ("labels", "values", "bounds", "status", "proof", "engine", "seen_values")
    joined: dict[str, Any] = {
        field: np.concatenate([getattr(part, field) for part in parts])[place] for field in fields
    }
    notes = [note for part in parts for note in part.notes]
    return Decisions(**joined, notes=tuple(notes[k] for k in place))
