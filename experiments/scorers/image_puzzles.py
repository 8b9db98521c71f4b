"""Sudoku puzzles with one solution, and their decoding: from images of clues to whole grids."""

from __future__ import annotations

from time import perf_counter

import numpy as np

import unwritten
from experiments.scorers.digit_net import DigitNet
from experiments.scorers.puzzle_outcome import PuzzleOutcome
from unwritten.data import FloatArray, IntArray
from unwritten.samples import sudoku

CLUES = (24, 36)
TIME_LIMIT = 20.0  # seconds per puzzle, far more than any needed so far


def puzzles(grids: IntArray, rng: np.random.Generator) -> IntArray:
    """One puzzle of each grid: a minimal one, with clues put back up to a number drawn from CLUES."""
    out = []
    for grid in grids:
        clues = sudoku.puzzle(grid, rng)
        more = int(rng.integers(CLUES[0], CLUES[1] + 1)) - int((clues > 0).sum())
        back = rng.permutation(np.flatnonzero(clues == 0))[: max(more, 0)]
        clues[back] = grid[back]
        out.append(clues)
    return np.array(out)


def weights(net: DigitNet, images: FloatArray) -> FloatArray:
    """Log-probabilities of the net where a cell (n × 81 × 64) has ink, and 0 where it is empty (n × 729)."""
    inked = images.any(axis=2)
    out = np.zeros((*inked.shape, 9))
    out[inked] = net.log_probabilities(images[inked])
    return out.reshape(len(images), 729)


def decode(
    model: unwritten.Model, scores: FloatArray, clues: IntArray, solutions: IntArray, images: FloatArray
) -> PuzzleOutcome:
    """Read by the net alone, solve what it read, and decode jointly, one puzzle at a time."""
    cells = scores.reshape(-1, 81, 9)
    read = np.where(images.any(axis=2), cells.argmax(axis=2) + 1, 0)
    # As weights, readings count how many of them a grid keeps: all of them unless they contradict each other.
    pinned = model.decide(sudoku.clues_to_weights(read), time_limit=TIME_LIMIT)
    values, seconds, optimal, engines = [], [], [], []
    answers = np.zeros_like(clues)
    for i, row in enumerate(scores):
        start = perf_counter()
        found = model.decide(row[None], time_limit=TIME_LIMIT)
        seconds.append(perf_counter() - start)
        answers[i] = sudoku.from_one_hot(found.labels)[0]
        values.append(float(found.values[0]))
        optimal.append(found.status[0] == unwritten.Status.OPTIMAL)
        engines.append(str(found.engine[0]))
    return PuzzleOutcome(
        clues=clues,
        solutions=solutions,
        images=images,
        read=read,
        kept=sudoku.from_one_hot(pinned.labels),
        decoded=answers,
        optimal=np.array(optimal),
        margin=np.array(values) - (scores * sudoku.one_hot(solutions)).sum(axis=1),
        seconds=np.array(seconds),
        engines=tuple(sorted(set(engines))),
    )
