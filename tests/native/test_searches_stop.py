"""The searches of the engines stop soon after Ctrl-C, a request to stop, and their time limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import unwritten
from native.interruption import seconds_to_stop
from unwritten.samples import sudoku, trees
from unwritten.solving.backends import Limits
from unwritten.solving.engines import BestFirst, Engine, GroupBranching, QueryBatch
from unwritten.solving.program import Program

LATE = 0.9  # seconds that a busy machine may add to the 50 ms of a kernel


def hard_sudoku() -> tuple[Engine, QueryBatch]:
    """Random weights for all 729 variables of a Sudoku: the search over groups would take hours."""
    rows = [(row.tolist(), "==", 1) for row in sudoku.true_rules()]
    model = unwritten.mine(np.zeros((1, 729), int), rules=[], bounds=(0, 1)).with_rules(rows)
    program = model._desk.program
    queries = QueryBatch.of(program, np.random.default_rng(0).uniform(-1, 1, (3, 729)))
    return GroupBranching(program, "", most_nodes=10**12), queries


def hard_trees() -> tuple[Engine, QueryBatch]:
    """Spanning trees of 12 nodes without rules: best-first would visit billions of labels."""
    weights, labels = trees.sample(12, 300, seed=0)
    program: Program = unwritten.mine(labels, weights, rules=[])._desk.program
    return BestFirst(program, "", most_labels=10**12), QueryBatch.of(program, 5 - trees.sample(12, 3, seed=1)[0])


def hard_facilities() -> tuple[Engine, QueryBatch]:
    """Thirty facilities that each serve up to 30 customers if open: rules of few columns, far from all labels."""
    sites = 30
    rows: list[tuple[list[int], str, int]] = []
    for k in range(sites):
        served, serving = np.zeros((2, sites + sites**2), int)
        served[sites + k * sites : sites + (k + 1) * sites] = 1
        serving[sites + k :: sites] = 1
        serving[k] = -sites
        rows += [(served.tolist(), "==", 1), (serving.tolist(), "<=", 0)]
    model = unwritten.mine(np.zeros((1, sites + sites**2), int), rules=[], bounds=(0, 1)).with_rules(rows)
    program = model._desk.program
    weights = -np.random.default_rng(0).uniform(0, 1, (3, program.width))
    weights[:, :sites] *= 3
    return BestFirst(program, "", most_labels=10**12), QueryBatch.of(program, weights)


SEARCHES: list[Callable[[], tuple[Engine, QueryBatch]]] = [hard_sudoku, hard_trees, hard_facilities]


@pytest.mark.parametrize("make", SEARCHES)
def test_control_c(make: Callable[[], tuple[Engine, QueryBatch]]) -> None:
    """Ctrl-C ends the search with a KeyboardInterrupt."""
    engine, queries = make()
    assert seconds_to_stop(lambda: engine.answer(queries, Limits())) < LATE


@pytest.mark.parametrize("make", SEARCHES)
def test_time_limit(make: Callable[[], tuple[Engine, QueryBatch]]) -> None:
    """Each of three queries ends at its own time limit."""
    engine, queries = make()
    start = time.perf_counter()
    answers = engine.answer(queries, Limits(time_limit=0.2))
    assert 0.6 <= time.perf_counter() - start < 3 * (0.2 + LATE)
    assert answers.out_of_time.all()


@pytest.mark.parametrize("make", SEARCHES)
def test_request_to_stop(make: Callable[[], tuple[Engine, QueryBatch]]) -> None:
    """A request from another thread ends all queries."""
    engine, queries = make()
    limits = Limits()
    threading.Timer(0.2, limits.stop.set).start()
    start = time.perf_counter()
    answers = engine.answer(queries, limits)
    assert 0.2 <= time.perf_counter() - start < 0.2 + LATE
    assert answers.out_of_time.all()
