"""Cases of the engines that answer queries, alone and as part of a whole call of `decide`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from measure import Measure
from sudoku17 import seventeen_clues

import unwritten
from experiments import datasets, hierarchy
from unwritten.errors import DataError
from unwritten.samples import sudoku, trees
from unwritten.solving.backends import Limits
from unwritten.solving.engines import TABLE, QueryBatch

CLUES_16 = (0.45, 0.4)  # shares of the cells of a 16×16 puzzle that are given


def engine_alone(model: unwritten.Model, name: str, weights: np.ndarray, unique: bool = True) -> Measure:
    """Time an engine without the checks and proofs around it.

    The digest is of the values, the status and, if each query has only one best label, the labels.
    """
    program = model._desk.program
    queries, engine = QueryBatch.of(program, weights), TABLE[name](program, "")

    def run(count: int) -> Any:
        return engine.answer(queries[:count], Limits())

    def answer(answers: Any) -> list[object]:
        values = (weights * answers.labels).sum(axis=1)
        return [values, answers.status.astype(str), *([answers.labels] if unique else [])]

    return Measure(len(weights), "query", run, answer)


def whole_call(model: unwritten.Model, weights: np.ndarray, **options: str) -> Measure:
    """Time `decide` on a batch of queries with only one best label each; the digest is of all that it decides."""

    def run(count: int) -> Any:
        return model.decide(weights[:count], **options)  # type: ignore[arg-type]

    def answer(decided: Any) -> list[object]:
        return [decided.values, decided.status.astype(str), decided.proven, decided.labels]

    return Measure(len(weights), "query", run, answer)


def single_calls(model: unwritten.Model, weights: np.ndarray) -> Measure:
    """Time `decide` on one query at a time."""

    def run(count: int) -> list[object]:
        return [model.decide(weights[i : i + 1]).values for i in range(count)]

    return Measure(len(weights), "query", run)


def both(case: str, model: unwritten.Model, engine: str, weights: np.ndarray) -> dict[str, Measure]:
    """Time an engine alone and the whole call."""
    return {
        f"{case}, engine": engine_alone(model, engine, weights),
        f"{case}, decide": whole_call(model, weights, engine=engine),
    }


def sudoku_model(side: int) -> unwritten.Model:
    """Build the model of all rules of Sudoku, with nothing mined."""
    rows = [(row.tolist(), "==", 1) for row in sudoku.true_rules(side)]
    return unwritten.mine(np.zeros((1, side**3), int), rules=[], bounds=(0, 1)).with_rules(rows)


def satnet_puzzles(count: int) -> np.ndarray:
    """Read the last puzzles of the SATNet set, or generate some if it is absent."""
    try:
        return datasets.satnet()[0][-count:]
    except DataError:
        rng = np.random.default_rng(0)
        return np.array([sudoku.puzzle(grid, rng) for grid in sudoku.grids(min(count, 100), seed=0)])


def solved_grids() -> np.ndarray:
    """Read the first 9,000 grids of the SATNet set, or generate some if it is absent."""
    try:
        return datasets.satnet()[1][:9_000]
    except DataError:
        return sudoku.grids(1_000, seed=0)


def sudoku9(quick: bool) -> dict[str, Measure]:
    """The engine "groups" on Sudoku puzzles."""
    count, model = 10 if quick else 1_000, sudoku_model(9)
    hard = seventeen_clues(count, seed=0)
    measures = both("Sudoku, 17 clues", model, "groups", sudoku.clues_to_weights(hard))
    if quick:
        return measures
    return both("Sudoku, test puzzles", model, "groups", sudoku.clues_to_weights(satnet_puzzles(count))) | measures


def sudoku16(quick: bool) -> dict[str, Measure]:
    """The engine "groups" on 16×16 Sudoku puzzles, many of which have several solutions."""
    measures, model = {}, sudoku_model(16)
    grids = sudoku.large_grids(2 if quick else 50, seed=0)
    for share in CLUES_16:
        given = np.random.default_rng(0).random(grids.shape) < share
        weights = sudoku.one_hot(np.where(given, grids, 0)).astype(float)
        measures[f"Sudoku 16×16, {share:.0%} clues, engine"] = engine_alone(model, "groups", weights, unique=False)
    return measures


def best_first(quick: bool) -> dict[str, Measure]:
    """The engine "best-first" on spanning trees, with mined equalities and without rules."""
    measures: dict[str, Measure] = {}
    with_rules, without = ["equalities"], list[str]()
    sizes = [(7, 500, with_rules), (10, 100, with_rules), (15, 50, with_rules), (7, 500, without), (8, 30, without)]
    for nodes, queries, rules in [(5, 5, with_rules)] if quick else sizes:
        weights, labels = trees.sample(nodes, 200 if quick else 20_000, seed=0)
        tests, _ = trees.sample(nodes, queries, seed=1)
        model = unwritten.mine(labels, weights, rules=rules)
        case = f"best-first, {nodes} nodes, {'equalities' if rules else 'no rules'}"
        measures |= both(case, model, "best-first", tests)
    return measures


def calls(quick: bool) -> dict[str, Measure]:
    """Whole calls on many queries with the engine that is chosen automatically."""
    examples, queries = (200, 20) if quick else (20_000, 10_000)
    measures: dict[str, Measure] = {}
    for nodes in (5,) if quick else (7, 15):
        weights, labels = trees.sample(nodes, examples, seed=0)
        tests, _ = trees.sample(nodes, queries, seed=1)
        model = unwritten.mine(labels, weights)
        measures[f"decide, trees of {nodes} nodes"] = whole_call(model, tests)
        measures[f"decide, trees of {nodes} nodes, one query a call"] = single_calls(model, tests[:200])
    if quick:
        return measures
    scores, paths = hierarchy.sample(10_000, seed=0)
    tests, _ = hierarchy.sample(queries, seed=1)
    measures["decide, label sets"] = whole_call(unwritten.mine(paths, scores), tests)
    grids, puzzles = solved_grids(), satnet_puzzles(1_000)
    model = unwritten.mine(sudoku.one_hot(grids))
    measures[f"decide, Sudoku mined from {len(grids):,} grids"] = whole_call(model, sudoku.clues_to_weights(puzzles))
    return measures


SOLVING: dict[str, Callable[[bool], dict[str, Measure]]] = {
    "sudoku9": sudoku9,
    "sudoku16": sudoku16,
    "best-first": best_first,
    "calls": calls,
}
