"""The puzzles of the Sudoku experiment, in the usual order of the cells and in a permuted one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from experiments import datasets
from experiments.result import Result, RunContext
from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.samples import sudoku

#: the one permutation of the cells, the same in every run
PERMUTATION = np.random.default_rng(81).permutation(81)
FEWEST_CLUES = 31  # the fewest in a SATNet puzzle


@dataclass(frozen=True)
class Puzzles:
    """Puzzles with their solutions (each n × 81)."""

    clues: IntArray
    solutions: IntArray

    def __getitem__(self, rows: slice | IntArray) -> Puzzles:
        return Puzzles(self.clues[rows], self.solutions[rows])

    def __len__(self) -> int:
        return len(self.clues)

    def permuted(self, order: IntArray) -> Puzzles:
        """Return the same puzzles with the cells in another order."""
        return Puzzles(self.clues[:, order], self.solutions[:, order])

    def scores(self, answers: IntArray) -> dict[str, float]:
        """Return the percentages of right answers, by measure."""
        same = answers == self.solutions
        return {"whole grids": 100 * float(same.all(axis=1).mean()), "entries": 100 * float(same.mean())}


@dataclass(frozen=True)
class SudokuSetting:
    """One order of the cells, with the puzzles to train on, to score training by and to test on, and the true rules."""

    name: str
    order: IntArray
    train: Puzzles
    scored: Puzzles
    test: Puzzles

    @property
    def rules(self) -> IntArray:
        """The 324 rules as rows over the permuted variables."""
        return sudoku.true_rules().reshape(324, 81, 9)[:, self.order].reshape(324, 729)


def load_puzzles(context: RunContext, result: Result) -> Puzzles:
    """Read the SATNet puzzles, or generate puzzles of the same kind if the file is absent."""
    train, test = numbers_of_puzzles(context)
    try:
        datasets.find("satnet", context.data)
    except DataError:
        context.say("generating puzzles")
        origin = "generated here, because the SATNet file is absent"
        puzzles = generate_puzzles(train + test, context.seed)
    else:
        origin = "those of the SATNet paper"
        puzzles = Puzzles(*datasets.satnet(context.data))
    clues = (puzzles.clues > 0).sum(axis=1)
    result.notes.append(
        f"The puzzles are {origin}; they have {clues.min()}–{clues.max()} clues, {clues.mean():.1f} on average."
    )
    return puzzles[np.r_[:train, len(puzzles) - test : len(puzzles)]]


def generate_puzzles(count: int, seed: int) -> Puzzles:
    """Generate puzzles with one solution, and about as many clues as the SATNet puzzles have."""
    rng = np.random.default_rng(seed)
    solutions = sudoku.grids(count, seed)
    return Puzzles(np.array([_puzzle(grid, rng) for grid in solutions]), solutions)


def numbers_of_puzzles(context: RunContext) -> tuple[int, int]:
    """Return the numbers of puzzles to train and to test on."""
    counts: tuple[int, int] = context.pick((700, 30), (9_000, 1_000))
    return counts


def _puzzle(grid: IntArray, rng: np.random.Generator) -> IntArray:
    """Draw random clues of a grid, and add clues until the grid is the only solution."""
    clues = np.zeros(81, np.int64)
    given = rng.permutation(81)[:FEWEST_CLUES]
    clues[given] = grid[given]
    while len(solutions := sudoku.solutions(clues)) > 1:
        cell = rng.choice(np.flatnonzero(solutions[0] != solutions[1]))
        clues[cell] = grid[cell]
    return clues


def settings_of(puzzles: Puzzles, context: RunContext) -> list[SudokuSetting]:
    """Return both orders of the cells; training is scored on a sample."""
    train, _ = numbers_of_puzzles(context)
    sample = np.sort(np.random.default_rng(context.seed).permutation(train)[: context.pick(20, 1_000)])
    settings = []
    for name, order in (("original", np.arange(81)), ("permuted", PERMUTATION)):
        ordered = puzzles.permuted(order)
        settings.append(SudokuSetting(name, order, ordered[:train], ordered[:train][sample], ordered[train:]))
    return settings
