"""Beaten: is some label under a program worth more than a given one? This is cheaper than to find the best label.

Every search has a budget of nodes and none of time, so that the result is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray, tolerance
from unwritten.data.products import row_values
from unwritten.errors import SolverError
from unwritten.solving.answer_check import label_values
from unwritten.solving.backends import BREAKDOWNS, Limits
from unwritten.solving.decision import Status
from unwritten.solving.engines import (
    BestFirst,
    Engine,
    Explicit,
    GroupBranching,
    Lazy,
    QueryBatch,
    TooManyLabelsError,
)
from unwritten.solving.program import Program
from unwritten.solving.session import groups_say_much

FEW_UNSETTLED = 0.1  # the share of labels that may be left open without asking a solver


def beaten(program: Program, weights: FloatArray, labels: IntArray) -> tuple[BoolArray, BoolArray]:
    """Return, for each label (m × d) and its row of weights, whether it is beaten, and whether that is settled.

    The labels obey the program. If short searches leave many of them open, a long one settles the first few of these.
    Labels after these do not count as settled, even if a search settled them: the easy ones alone would not be a fair
    sample.
    """
    values, equal = row_values(weights, labels), tolerance(weights, program.variables)
    queries = QueryBatch(weights, values, labels, equal, gap=np.zeros(len(labels)))
    better, settled = np.zeros((2, len(queries)), bool)
    for engine in _own_engines(program):
        rest = np.flatnonzero(~settled)
        if rest.size:
            better[rest], settled[rest] = _outcome(program, engine, queries[rest])
    unsettled = np.flatnonzero(~settled)
    if len(unsettled) <= FEW_UNSETTLED * len(queries):
        return better, settled
    asked, behind = np.split(unsettled, [budgets.BEATEN_PATIENT_QUERIES])
    settled[behind.min(initial=len(queries)) :] = False
    better[asked], settled[asked] = _outcome(program, _patient_engine(program), queries[asked])
    return better, settled


def _outcome(program: Program, engine: Engine, queries: QueryBatch) -> tuple[BoolArray, BoolArray]:
    """Which of the queries' labels an engine beats, and which it leaves open."""
    try:
        answers = engine.answer(queries, Limits(nodes=budgets.BEATEN_SOLVER_NODES))
    except BREAKDOWNS:
        nothing = np.zeros(len(queries), bool)
        return nothing, nothing
    better: BoolArray = label_values(queries.weights, answers.labels) > queries.floor + 2 * queries.tolerance
    better[better] = program.obeys(answers.labels[better])
    return better, better | (answers.status == Status.OPTIMAL) | (answers.status == Status.INFEASIBLE)


def _own_engines(program: Program) -> Iterator[Engine]:
    """Our own engines that take the program: each is asked what those before it have left open."""
    try:
        yield Explicit(program, "", budgets.EXPLICIT_LABELS_AUTO)
        return
    except TooManyLabelsError:
        pass
    if groups_say_much(program):
        with suppress(SolverError):  # other variables
            yield GroupBranching(program, "", budgets.BEATEN_NODES)
    if not program.latents:
        yield BestFirst(program, "", budgets.BEATEN_LABELS)


def _patient_engine(program: Program) -> Engine:
    """A search of all labels, if they are few enough for that; else a solver with a limit of nodes."""
    variables = program.variables
    if not program.latents and variables.binary.all() and 2 ** len(variables) <= budgets.BEATEN_LABELS_PATIENT:
        return BestFirst(program, "", budgets.BEATEN_LABELS_PATIENT)
    return Lazy(program, "highs")
