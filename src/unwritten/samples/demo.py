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
class Learned:
    """A model mined from generated grids, and how it compares with the rules of the game."""

    model: unwritten.Model
    grids: IntArray
    generating: float
    mining: float
    same_as_sudoku: bool


@dataclass(frozen=True)
class Solved:
    """One puzzle with its decision."""

    title: str
    puzzle: IntArray
    solution: IntArray
    decision: unwritten.Decision
    seconds: float
    only_one: bool


def learn(n: int, seed: int) -> Learned:
    """Generate n solved grids and mine what they have in common; nothing about Sudoku is told."""
    start = perf_counter()
    grids = sudoku.grids(n, seed)
    generated = perf_counter()
    model = unwritten.mine(sudoku.one_hot(grids), names=sudoku.names())
    mined = perf_counter()
    truth = unwritten.RuleSet.of(model.variables, [(row, "==", 1) for row in sudoku.true_rules()])
    same = model.rules.compare(truth).same
    return Learned(model, grids, generated - start, mined - generated, same)


def solve(learned: Learned, seed: int) -> Iterator[Solved]:
    """Solve a few famous hard puzzles, and one made from a grid among the examples."""
    rng = np.random.default_rng(seed)
    puzzles = [(f"hard puzzle {k + 1}", sudoku.parse(text)) for k, text in enumerate(sudoku.HARD[:3])]
    puzzles.append(("a puzzle made from a grid among the examples", sudoku.puzzle(learned.grids[0], rng)))
    for title, puzzle in puzzles:
        start = perf_counter()
        decision = learned.model.decide(sudoku.clues_to_weights(puzzle[None]))[0]
        seconds = perf_counter() - start
        solution = sudoku.from_one_hot(decision.label[None])[0]
        answers = sudoku.solutions(puzzle)
        only_one = len(answers) == 1 and bool((answers[0] == solution).all())
        yield Solved(title, puzzle, solution, decision, seconds, only_one)
