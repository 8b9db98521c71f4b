"""The demo: learn Sudoku from solved grids alone, then solve puzzles that are hard for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

import unwritten
from unwritten.data import IntArray
from unwritten.samples import sudoku


@dataclass(frozen=True)
class SudokuLesson:
    """A model mined from generated grids, and whether its rules are exactly those of Sudoku."""

    model: unwritten.Model
    grids: IntArray
    seconds_generating: float
    seconds_mining: float
    is_sudoku: bool


@dataclass(frozen=True)
class SolvedPuzzle:
    """A puzzle, the decision that solves it, and whether that is the puzzle's only solution."""

    title: str
    puzzle: IntArray
    solution: IntArray
    decision: unwritten.Decision
    seconds: float
    is_only_solution: bool


def learn(n: int, seed: int) -> SudokuLesson:
    """Generate `n` solved grids and mine their rules; the miner is told nothing about Sudoku."""
    start = perf_counter()
    grids = sudoku.grids(n, seed)
    generated = perf_counter()
    model = unwritten.mine(sudoku.one_hot(grids), names=sudoku.names())
    mined = perf_counter()
    truth = unwritten.RuleSet.of(model.variables, [(row, "==", 1) for row in sudoku.true_rules()])
    is_sudoku = model.rules.compare(truth).same
    return SudokuLesson(model, grids, generated - start, mined - generated, is_sudoku)


def solve(lesson: SudokuLesson, seed: int) -> Iterator[SolvedPuzzle]:
    """Solve three famous hard puzzles, and one made from the first of the mined grids."""
    rng = np.random.default_rng(seed)
    puzzles = [(f"hard puzzle {k + 1}", sudoku.parse(text)) for k, text in enumerate(sudoku.HARD[:3])]
    puzzles.append(("a puzzle made from a grid among the examples", sudoku.puzzle(lesson.grids[0], rng)))
    for title, puzzle in puzzles:
        start = perf_counter()
        decision = lesson.model.decide(sudoku.clues_to_weights(puzzle[None]))[0]
        seconds = perf_counter() - start
        solution = sudoku.from_one_hot(decision.label[None])[0]
        solutions = sudoku.solutions(puzzle)
        is_only_solution = len(solutions) == 1 and bool((solutions[0] == solution).all())
        yield SolvedPuzzle(title, puzzle, solution, decision, seconds, is_only_solution)
