"""The check of every answer: no engine's claim is passed on before it has been compared with the program."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import TOLERANCE, BoolArray, FloatArray, IntArray
from unwritten.data.products import row_values
from unwritten.solving.backends import Limits
from unwritten.solving.decision import NO_LABEL, Answers, Status, joined_notes
from unwritten.solving.engines import QueryBatch
from unwritten.solving.program import Program
from unwritten.solving.session import Session
from unwritten.solving.verification import SearchEnd, Verifier

SOLVER_ROOM = 2.0**12  # times the tolerance: what solvers' own tolerances add to a bound
RESOLUTION = TOLERANCE  # share of the largest weight below which solvers do not tell two values apart
RESOLUTION_OF_WEIGHTS = 1e-6  # the same share for a weight beside the largest one: solvers' own tolerances hide it
RESOLUTION_OF_ROWS = 2 * TOLERANCE  # the same share of a row's largest entry: 1e-6 in rows that are scaled to 2⁹
RESOLUTION_IN_SCIPY = 1e-6  # the same in scipy, which lets nobody set the tolerance of its HiGHS


def fail_wrong_answers(program: Program, queries: QueryBatch, answers: Answers, engine: str, mip_gap: float) -> None:
    """Turn answers that cannot be right into failures, in place, and note which check each of them failed."""
    answers.bounds[np.isnan(answers.bounds)] = np.inf
    optimal = answers.status == Status.OPTIMAL
    claims_best = optimal & (mip_gap == 0)
    claims_label = optimal | (answers.status == Status.FEASIBLE)
    values = label_values(queries.weights, answers.labels)
    room = SOLVER_ROOM * queries.tolerance
    attained = queries.floor - queries.tolerance
    complaints = {
        "returned no label": claims_label & np.isnan(values),
        "returned a label that breaks a rule or a cut": claims_label
        & ~np.isnan(values)
        & ~program.obeys(answers.labels, seen=queries.seen(answers.labels)),
        "returned less than a seen label attains": claims_best & (values < attained),
        "claimed a bound that a seen label exceeds": claims_label & (answers.bounds < attained),
        "claimed a bound below its own label": claims_label & (answers.bounds < values - room),
        "called optimal a label whose value is below its own bound": claims_best
        & np.isfinite(answers.bounds)
        & (values < answers.bounds - room),
        "called infeasible a program that seen labels obey": (answers.status == Status.INFEASIBLE)
        & np.isfinite(queries.floor),
    }
    for complaint, wrong in complaints.items():
        if not wrong.any():
            continue
        answers.status[wrong] = Status.FAILED
        answers.notes[wrong] = [joined_notes(note, f"{engine} {complaint}") for note in answers.notes[wrong]]
    failed = answers.status == Status.FAILED
    answers.labels[failed], answers.bounds[failed] = NO_LABEL, np.inf


def verify_claims(session: Session, queries: QueryBatch, answers: Answers, engine: str, limits: Limits) -> None:
    """Verify a solver's claims by a search of our own, in place; false ones become failures."""
    _verify_close_optima(session, queries, answers, engine, limits)
    _verify_proofs(session, queries, answers, engine, limits)
    for i in np.flatnonzero(answers.status == Status.INFEASIBLE):
        verdict = session.verifier.any_label(limits.shared(1))
        answers.verified[i] = verdict.proven
        if verdict.label is not None:
            _fail(answers, int(i), f"{engine} called infeasible a program that has labels")


def _verify_close_optima(session: Session, queries: QueryBatch, answers: Answers, engine: str, limits: Limits) -> None:
    """Verify optima of weights so different that a solver's floats do not tell all labels apart.

    Rows whose entries differ as much are also a reason: a solver that divides by the smallest of them may lose labels.
    """
    resolution = RESOLUTION * np.abs(queries.weights).max(axis=1, initial=0.0)
    optimal = answers.status == Status.OPTIMAL
    lossy = optimal & _has_lossy_rows(session, optimal & answers.used_cuts, engine)
    fine = (queries.tolerance < resolution) | _has_lost_weights(session, queries)
    doubtful = np.flatnonzero((optimal & fine) | lossy)
    for k, i in enumerate(doubtful):
        verdict = _search(session.verifier, queries, answers, int(i), limits.shared(len(doubtful) - k))
        answers.verified[i] = verdict.proven
        if verdict.label is not None:
            _fail(answers, int(i), f"{engine} called optimal a label that is not the best")
        elif not verdict.settled:
            answers.status[i] = Status.FEASIBLE
            answers.bounds[i] = np.inf if lossy[i] else answers.bounds[i] + SOLVER_ROOM * resolution[i]
            answers.notes[i] = joined_notes(answers.notes[i], f"{engine} cannot tell labels of close values apart")


def _has_lost_weights(session: Session, queries: QueryBatch) -> BoolArray:
    """True if some weight matters although it is less than a millionth of the largest one."""
    size = np.abs(queries.weights)
    least = RESOLUTION_OF_WEIGHTS * size.max(axis=1, initial=0.0)
    variables, d = session.program.variables, size.shape[1]
    varies = variables.lower[:d] < variables.upper[:d]
    return np.asarray(((size < least[:, None]) & (size > queries.tolerance[:, None]) & varies).any(axis=1))


def _has_lossy_rows(session: Session, used_cuts: BoolArray, engine: str) -> BoolArray:
    """Return, for each query, whether a solver was given rows with entries far smaller than others in the row."""
    resolution = RESOLUTION_IN_SCIPY if engine.endswith("+scipy") else RESOLUTION_OF_ROWS
    in_rules = session.finest_rule < resolution
    return used_cuts & (not in_rules and used_cuts.any() and session.finest_cut < resolution) | in_rules


def _verify_proofs(session: Session, queries: QueryBatch, answers: Answers, engine: str, limits: Limits) -> None:
    """Verify the optima that can be proven: a seen label attains them, and they do not rest on slack."""
    program, values = session.program, label_values(queries.weights, answers.labels)
    attained = (answers.status == Status.OPTIMAL) & (queries.floor >= values - queries.tolerance)
    provable = np.flatnonzero(attained & (~answers.used_cuts | program.cuts_exact))
    for k, i in enumerate(provable):
        verdict = _search(session.proof_verifier, queries, answers, int(i), limits.shared(len(provable) - k))
        answers.verified[i] = verdict.proven
        if verdict.label is None:
            continue
        if program.obeys(verdict.label[None])[0]:
            _fail(answers, int(i), f"{engine} called optimal a label that is not the best")
        else:
            answers.used_cuts[i] = True  # a cut with slack excludes the better label


def _search(verifier: Verifier, queries: QueryBatch, answers: Answers, i: int, limits: Limits) -> SearchEnd:
    """Search for a label that beats the answer to query i."""
    weights, equal = queries.weights[i], queries.tolerance[i]
    value = row_values(weights[None], answers.labels[i : i + 1])[0]
    return verifier.better_label(weights, value, equal, limits, budgets.VERIFIED_BOXES)


def _fail(answers: Answers, i: int, complaint: str) -> None:
    answers.status[i], answers.labels[i], answers.bounds[i] = Status.FAILED, NO_LABEL, np.inf
    answers.notes[i] = joined_notes(answers.notes[i], complaint)


def label_values(weights: FloatArray, labels: IntArray) -> FloatArray:
    """Return w·y for each query, or NaN if it has no label."""
    return np.where(labels[:, 0] == NO_LABEL, np.nan, row_values(weights, labels))
