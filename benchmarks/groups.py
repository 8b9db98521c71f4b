"""The engine `groups` against HiGHS, alone and with lazy rows, on the same rules and queries in one run."""

from __future__ import annotations

import numpy as np

import unwritten
from benchmarks.timing import MarkdownTable, best_of
from experiments import datasets
from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.samples import sudoku
from unwritten.solving.backends import Limits
from unwritten.solving.engines import QueryBatch

Row = tuple[list[int], str, int]


def compare(
    table: MarkdownTable,
    case: str,
    model: unwritten.Model,
    weights: FloatArray,
    reference: int,
    truth: IntArray | None = None,
    limit: float | None = None,
) -> None:
    """Time `engine="groups"` on all queries and HiGHS on the first few; finished queries must have the same values.

    `highs_ms` is the time of HiGHS with all rules. `lazy_ms` is the time of our lazy engine on HiGHS, which first fixes
    the clues of a puzzle. Each time is the best of three runs, or that of one run under a time limit. `engine_ms` is
    the time of the engine alone, without the checks and proofs around it.
    """
    times = 1 if limit else 3
    setup, _ = best_of(
        1, lambda: model.decide(weights[:1], engine="groups", time_limit=limit)
    )  # the first call compiles
    ours, chosen = best_of(times, lambda: model.decide(weights, engine="groups", time_limit=limit))
    with model._desk.lend() as (session, _):
        queries, engine = QueryBatch.of(session.program, weights), session.engine("groups", "")
        alone, _ = best_of(times, lambda: engine.answer(queries, Limits(time_limit=limit)))
    model.decide(np.zeros((1, weights.shape[1])), engine="lazy")  # loads the rows
    theirs, slow = best_of(times, lambda: model.decide(weights[:reference], engine="lazy"))
    plain, _ = best_of(1, lambda: model.decide(weights[:3], engine="monolithic", time_limit=limit))
    plain /= len(weights[:3])
    ours, alone, theirs = ours / len(weights), alone / len(weights), theirs / reference
    finished = (chosen.status == "optimal") & (chosen.engine == "groups")
    both = finished[:reference]
    same = both & (np.abs(slow.values - chosen.values[:reference]) < 1e-9)
    table.add(
        case=case,
        queries=len(weights),
        finished=f"{100 * finished.mean():.0f} %",
        right="–" if truth is None else f"{int((chosen.labels == truth).all(axis=1).sum())} of {len(truth)}",
        set_up_s=setup,
        ms_per_query=1000 * ours,
        engine_ms=1000 * alone,
        highs_ms=1000 * plain,
        ratio=plain / ours,
        lazy_ms=1000 * theirs,
        lazy_ratio=theirs / ours,
        same_values=f"{int(same.sum())} of {int(both.sum())}",
        proven_but_wrong=int((chosen.proven[:reference] & both & ~same).sum()),
    )


def groups(quick: bool) -> MarkdownTable:
    """The engine `groups` against HiGHS: Sudoku with all 324 rules, and three hierarchies."""
    tests, reference = (20, 5) if quick else (1_000, 50)
    puzzles, grids, origin = _puzzles(tests)
    rng = np.random.default_rng(0)
    model = _model(729, [(row.tolist(), "==", 1) for row in sudoku.true_rules()])
    table = MarkdownTable(
        f"Groups against HiGHS, Sudoku ({origin}), {reference} of {tests:,} puzzles also with lazy rows"
    )
    compare(table, "puzzles", model, sudoku.clues_to_weights(puzzles), reference, sudoku.one_hot(grids))
    wrong = puzzles[: max(2, tests // 10)].copy()
    for puzzle in wrong:
        cells = rng.choice(np.flatnonzero(puzzle), 2, replace=False)
        puzzle[cells] = puzzle[cells] % 9 + 1
    compare(table, "two wrong clues", model, sudoku.clues_to_weights(wrong), 2 if quick else 20)
    if not quick:
        compare(table, "random weights, 5 s", model, rng.uniform(-1, 1, (6, 729)), 1, limit=5.0)
    for case, rows, checked in (
        ("one path of 4 levels", _paths(6, 4), 3),
        ("any classes with their parents", _closed(4, 4), 20),
        ("a path in each of 5 trees", _forest(5, 5, 3), 20),
    ):
        d = len(rows[0][0])
        compare(table, case, _model(d, rows), rng.normal(size=(tests, d)), 1 if quick else checked)
    return table


def _puzzles(count: int) -> tuple[IntArray, IntArray, str]:
    """Read puzzles and solutions from SATNet's file, or generate them if it is absent; also return which."""
    try:
        puzzles, grids = datasets.satnet()
        return puzzles[-count:], grids[-count:], "SATNet"
    except DataError:
        grids = sudoku.grids(count, seed=0)
        rng = np.random.default_rng(0)
        return np.array([sudoku.puzzle(grid, rng) for grid in grids]), grids, "generated"


def _model(d: int, rows: list[Row]) -> unwritten.Model:
    """Build a model of 0/1 variables with the given rows and nothing mined."""
    return unwritten.mine(np.zeros((1, d), int), rules=[], bounds=(0, 1)).with_rules(rows)


def _levels(width: int, depth: int, offset: int = 0) -> list[tuple[int, list[int]]]:
    """List the (parent, children) pairs of a full tree, level by level; the root is −1."""
    pairs, parents, free = [], [-1], offset
    for _ in range(depth):
        below = []
        for parent in parents:
            children = list(range(free, free + width))
            free += width
            pairs.append((parent, children))
            below += children
        parents = below
    return pairs


def _row(d: int, ones: list[int], minus: int, sense: str) -> Row:
    """Build the row Σ y[ones] − y[minus] with right-hand side 0, or Σ y[ones] with right-hand side 1 at the root."""
    coefficients = [0] * d
    for j in ones:
        coefficients[j] = 1
    if minus >= 0:
        coefficients[minus] = -1
    return coefficients, sense, int(minus < 0)


def _paths(width: int, depth: int) -> list[Row]:
    """Rules for one path from the root to a leaf of a full tree."""
    d = sum(width**k for k in range(1, depth + 1))
    return [_row(d, children, parent, "==") for parent, children in _levels(width, depth)]


def _closed(width: int, depth: int) -> list[Row]:
    """Rules by which a class of a full tree requires its parent."""
    d = sum(width**k for k in range(1, depth + 1))
    pairs = [(parent, child) for parent, children in _levels(width, depth) for child in children if parent >= 0]
    return [_row(d, [child], parent, "<=") for parent, child in pairs]


def _forest(trees: int, width: int, depth: int) -> list[Row]:
    """Rules for one path in every tree, where each class at the top is used by at most one tree."""
    size = sum(width**k for k in range(1, depth + 1))
    d = trees * size
    rows = [
        _row(d, children, parent, "==")
        for tree in range(trees)
        for parent, children in _levels(width, depth, tree * size)
    ]
    return rows + [_row(d, [tree * size + k for tree in range(trees)], -1, "<=") for k in range(width)]
