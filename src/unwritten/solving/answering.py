"""Answer queries: try one engine after the other, check each answer, fall back if it fails, prove what is left."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten.data import BoolArray, IntArray
from unwritten.errors import SolverError, UnwrittenError
from unwritten.solving.answer_check import fail_wrong_answers, label_values, verify_claims
from unwritten.solving.backends import BREAKDOWNS, Limits, family
from unwritten.solving.decision import NO_LABEL, Answers, Decisions, Status, joined_notes
from unwritten.solving.engines import ON_BACKEND, QueryBatch
from unwritten.solving.proof import Prover
from unwritten.solving.session import Session
from unwritten.solving.settings import DecideSettings


def answer_queries(
    session: Session, prover: Prover, queries: QueryBatch, settings: DecideSettings, limits: Limits
) -> Decisions:
    """Answer every query with labels that pass the check, and say what each answer is proven by."""
    answers, engines = _checked_answers(session, queries, settings, limits)
    _withdraw_unconfirmed_denials(answers)
    _fall_back_on_seen(queries, answers, engines)
    unexplained = ((answers.status == Status.FAILED) | (answers.status == Status.TIME_LIMIT)) & (answers.notes == "")
    answers.notes[unexplained] = [status.remedy for status in answers.status[unexplained]]
    values = label_values(queries.weights, answers.labels)
    answers.bounds = np.where(np.isnan(values), answers.bounds, np.maximum(answers.bounds, values))
    optimal = answers.status == Status.OPTIMAL
    if settings.mip_gap > 0:  # a solver calls "optimal" what is within the gap
        above = optimal & ~answers.verified & (answers.bounds > values + queries.tolerance)
        answers.status[above] = Status.FEASIBLE
    # An optimum's bound is its value, or else the last bits of a solver's or a search's sum would be returned.
    attained = optimal & (answers.verified | (answers.bounds <= values + queries.tolerance))
    answers.bounds = np.where(attained, values, answers.bounds)
    proof = prover.prove(queries, answers, values, settings.proof, limits)
    return Decisions(
        answers.labels,
        values,
        answers.bounds,
        answers.status,
        proof,
        engines,
        queries.floor,
        tuple(answers.notes.tolist()),
        names=session.program.names,
    )


def _checked_answers(
    session: Session, queries: QueryBatch, settings: DecideSettings, limits: Limits
) -> tuple[Answers, NDArray[Any]]:
    """Try the engines of the plan in turn until every query has a final answer; also return who gave each answer."""
    answers = Answers.blank(len(queries), session.program.width)
    engines, denied_by = np.full((2, len(queries)), "", object)  # denied_by: the solver that said "infeasible"
    unanswered = np.arange(len(queries))
    for number, (name, backend) in enumerate(session.plan(settings.engine, settings.backend)):
        if not unanswered.size or limits.stop.is_set() or (number and limits.over):
            break
        engine = f"{name}+{backend}" if backend else name
        asked = queries if len(unanswered) == len(queries) else queries[unanswered]
        try:
            claims = session.engine(name, backend).answer(asked, limits.shared(len(asked)))
        except BREAKDOWNS as error:
            if isinstance(error, UnwrittenError) and not isinstance(error, SolverError):
                raise
            session.forget(name, backend)
            note = _breakdown_note(engine, error)
            answers.notes[unanswered] = [joined_notes(old, note) for old in answers.notes[unanswered]]
            continue
        fail_wrong_answers(session.program, asked, claims, engine, settings.mip_gap)
        if name in ON_BACKEND:
            verify_claims(session, asked, claims, engine, limits)
        else:
            claims.verified[:] = True  # a search of our own
        # One solver's word is not enough to call a program infeasible; that of two is.
        denies = claims.status == Status.INFEASIBLE
        claims.verified |= denies & np.array([by not in ("", family(backend)) for by in denied_by[unanswered]], bool)
        denied_by[unanswered[denies]] = family(backend)
        final = _is_final(claims, name, settings) | (denies & claims.verified)
        _adopt(answers, unanswered, claims, engines, engine)
        unanswered = unanswered[~final]
    return answers, engines


def _is_final(claims: Answers, engine: str, settings: DecideSettings) -> BoolArray:
    """Return, for each claim that is not "infeasible", whether no other engine needs to try."""
    feasible, late = claims.status == Status.FEASIBLE, claims.status == Status.TIME_LIMIT
    final = (claims.status == Status.OPTIMAL) | (late & settings.may_stop_early)
    final |= claims.out_of_time & (feasible | late)
    final |= feasible & (engine == "inner" or (settings.may_stop_early and engine in ON_BACKEND))
    return np.asarray(final)


def _adopt(answers: Answers, rows: IntArray, claims: Answers, engines: NDArray[Any], engine: str) -> None:
    """Take over what these claims add to the answers of `rows`: an optimum, a first label, a lower bound, a note."""
    unlabelled = answers.labels[rows, 0] == NO_LABEL
    better = (claims.status == Status.OPTIMAL) | ((claims.status != Status.FAILED) & unlabelled)
    answers.labels[rows[better]] = claims.labels[better]
    answers.status[rows[better]] = claims.status[better]
    answers.used_cuts[rows[better]] = claims.used_cuts[better]
    answers.verified[rows[better]] = claims.verified[better]
    engines[rows[better]] = engine
    answers.bounds[rows] = np.minimum(answers.bounds[rows], claims.bounds)
    for i in np.flatnonzero(claims.notes != ""):
        answers.notes[rows[i]] = joined_notes(answers.notes[rows[i]], claims.notes[i])


def _withdraw_unconfirmed_denials(answers: Answers) -> None:
    """Turn "infeasible" into a failure if it is the word of one solver alone."""
    for i in np.flatnonzero((answers.status == Status.INFEASIBLE) & ~answers.verified):
        answers.status[i] = Status.FAILED
        answers.notes[i] = joined_notes(
            answers.notes[i],
            "a solver found no label, but neither our own search nor an independent solver confirms that there is none",
        )


def _fall_back_on_seen(queries: QueryBatch, answers: Answers, engines: NDArray[Any]) -> None:
    """Take the best seen label if no engine found a better one: it obeys all rows, though it may not be optimal."""
    values = label_values(queries.weights, answers.labels)
    worse = np.isfinite(queries.floor) & ~(values >= queries.floor - queries.tolerance)
    answers.labels[worse] = queries.floor_labels[worse]
    answers.status[worse] = Status.FEASIBLE
    answers.notes[worse] = [joined_notes(note, "the best seen label is returned") for note in answers.notes[worse]]
    answers.verified[worse] = False
    engines[worse] = "inner"


def _breakdown_note(engine: str, error: BaseException) -> str:
    """Say on one line why an engine gave no answers."""
    if isinstance(error, SolverError):
        return str(error)
    text = " ".join(str(error).split())[:200]
    return f"{engine} broke down ({type(error).__name__}{f': {text}' if text else ''})"
