"""Exact mining of readable rules against the float SVD of the paper, on the same array."""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space

import unwritten
from benchmarks.timing import MarkdownTable, best_of
from experiments import datasets
from unwritten.errors import DataError
from unwritten.samples import sudoku


def sudoku_labels(quick: bool) -> MarkdownTable:
    """Mining 9,000 Sudoku grids against the paper's float SVD, then solving 1,000 test puzzles."""
    count, tests = (1_000, 20) if quick else (9_000, 1_000)
    try:
        puzzles, grids = datasets.satnet()
        origin = "SATNet"
    except DataError:
        grids = sudoku.grids(count + tests, seed=0)
        rng = np.random.default_rng(0)
        puzzles = np.array([sudoku.puzzle(grid, rng) if i >= count else grid for i, grid in enumerate(grids)])
        origin = "generated"
    labels = sudoku.one_hot(grids)
    train, queries, truth = labels[:count], sudoku.clues_to_weights(puzzles[-tests:]), labels[-tests:]
    table = MarkdownTable(f"Sudoku ({origin}), {count:,} grids, {tests:,} test puzzles")
    order = np.random.default_rng(0).permutation(81)
    shuffled = (9 * order[:, None] + np.arange(9)).ravel()
    for case, columns in (("original", np.arange(729)), ("cells permuted", shuffled)):
        bordered = np.column_stack([train[:, columns], np.ones(count)])
        ours, model = best_of(3, lambda columns=columns: unwritten.mine(train[:, columns], rules=["equalities"]))
        theirs, _ = best_of(1, lambda bordered=bordered: null_space(bordered))
        rows = model.rules.matrix
        decisions = model.decide(queries[:, columns], n_jobs=2)
        table.add(
            case=case,
            rank=model.rules.rank,
            true_rules_implied=f"{int(model.rules.implied(_rows(columns)).sum())} of 324",
            nine_ones=bool(((rows == 1).sum(axis=1) == 9).all() and ((rows != 0).sum(axis=1) == 9).all()),
            mining_s=ours,
            null_space_s=theirs,
            ratio=theirs / ours,
            solved=f"{int((decisions.labels == truth[:, columns]).all(axis=1).sum())} of {tests}",
        )
    return table


def _rows(columns: np.ndarray[tuple[int], np.dtype[np.int64]]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return the 324 rules as rows [a, −1] over the permuted columns."""
    rules = sudoku.true_rules()[:, columns]
    return np.column_stack([rules, -np.ones(len(rules), np.int64)])
