"""Sudoku puzzles with one solution, and their decoding from images of the clues to whole grids."""

from __future__ import annotations

from time import perf_counter

import numpy as np

import unwritten
from experiments.scorers.digit_net import DigitNet
from experiments.scorers.puzzle_outcome import PuzzleOutcome
from unwritten.data import FloatArray, IntArray
from unwritten.samples import sudoku

CLUES = (24, 36)
TIME_LIMIT = 20.0  # seconds per puzzle; no puzzle has needed nearly as long


def puzzles(grids: IntArray, rng: np.random.Generator) -> IntArray:
    """Make one puzzle of each grid: a minimal one, with clues put back up to a number drawn from CLUES."""
    puzzles_of_grids = []
    for grid in grids:
        clues = sudoku.puzzle(grid, rng)
        more = int(rng.integers(CLUES[0], CLUES[1] + 1)) - int((clues > 0).sum())
        back = rng.permutation(np.flatnonzero(clues == 0))[: max(more, 0)]
        clues[back] = grid[back]
        puzzles_of_grids.append(clues)
    return np.array(puzzles_of_grids)


def weights(net: DigitNet, images: FloatArray) -> FloatArray:
    """Return weights (n × 729): the net's log-probabilities for cells (n × 81 × 64) with ink, 0 for empty cells."""
    has_ink = images.any(axis=2)
    log_probabilities = np.zeros((*has_ink.shape, 9))
    log_probabilities[has_ink] = net.log_probabilities(images[has_ink])
    return log_probabilities.reshape(len(images), 729)


def decode(
    model: unwritten.Model, scores: FloatArray, clues: IntArray, solutions: IntArray, images: FloatArray
) -> PuzzleOutcome:
    """Read the clues with the net alone, solve what it read, and decode jointly, one puzzle at a time."""
    cells = scores.reshape(-1, 81, 9)
    read = np.where(images.any(axis=2), cells.argmax(axis=2) + 1, 0)
    # With these weights, the value of a grid is the number of readings it keeps: all, unless they are contradictory.
    most_kept = model.decide(sudoku.clues_to_weights(read), time_limit=TIME_LIMIT)
    values, seconds, optimal, engines = [], [], [], []
    answers = np.zeros_like(clues)
    for i, row in enumerate(scores):
        start = perf_counter()
        decisions = model.decide(row[None], time_limit=TIME_LIMIT)
        seconds.append(perf_counter() - start)
        answers[i] = sudoku.from_one_hot(decisions.labels)[0]
        values.append(float(decisions.values[0]))
        optimal.append(decisions.status[0] == unwritten.Status.OPTIMAL)
        engines.append(str(decisions.engine[0]))
    return PuzzleOutcome(
        clues=clues,
        solutions=solutions,
        images=images,
        read=read,
        kept=sudoku.from_one_hot(most_kept.labels),
        decoded=answers,
        optimal=np.array(optimal),
        margin=np.array(values) - (scores * sudoku.one_hot(solutions)).sum(axis=1),
        seconds=np.array(seconds),
        engines=tuple(sorted(set(engines))),
    )
