"""What came of a set of image puzzles: what the net read, what each way answered, and the shares that are right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray

NET, SOLVED, KEPT, DECODED = "net alone", "net, then solve", "net, most readings kept", "net + mined rules"
CLUES_READ, ALL_READ = "clues read right (%)", "all clues read right (%)"
WHOLE, CELLS, CONTRADICTORY = "whole puzzles (%)", "cells (%)", "readings that contradict each other (%)"
CORRECTED, SPOILED = "misread clues corrected (%)", "right readings spoiled (%)"
GAIN = "whole puzzles above the net (points)"
OPTIMAL, MEDIAN, SLOW = "solved to optimality (%)", "ms per puzzle, median", "ms per puzzle, 95 %"
TIMES = (MEDIAN, SLOW)


@dataclass(frozen=True, eq=False)
class PuzzleOutcome:
    """One trial on n puzzles; grids are n × 81, and 0 means a blank cell or no answer."""

    clues: IntArray
    solutions: IntArray
    images: FloatArray  # n × 81 × 64
    read: IntArray  # the likeliest digit of each clue
    kept: IntArray  # the grid that keeps most readings
    decoded: IntArray  # the likeliest grid
    optimal: BoolArray  # whether `decoded` is proven to be the likeliest grid
    margin: FloatArray  # log-probability of `decoded` minus that of the solution
    seconds: FloatArray
    engines: tuple[str, ...]

    @property
    def given(self) -> BoolArray:
        """The cells that are clues."""
        return np.asarray(self.clues > 0)

    @property
    def misread(self) -> BoolArray:
        """The clues that the net reads wrongly."""
        return np.asarray(self.given & (self.read != self.clues))

    @property
    def consistent(self) -> BoolArray:
        """The puzzles whose readings fit into one grid."""
        return np.asarray((~self.given | (self.kept == self.read)).all(axis=1))

    @property
    def all_read(self) -> BoolArray:
        """The puzzles without a misread clue."""
        return np.asarray(~self.misread.any(axis=1))

    @property
    def right(self) -> BoolArray:
        """The puzzles decoded to their solution in every cell."""
        return np.asarray((self.decoded == self.solutions).all(axis=1))

    @property
    def solved(self) -> IntArray:
        """The readings, with the blanks filled in if the readings are consistent."""
        return np.where(self.consistent[:, None], self.kept, self.read)

    def scores(self) -> dict[tuple[str, str], float]:
        """Return the scores by model and measure."""
        misread, read = self.misread, self.given & ~self.misread
        hits = self.decoded == self.solutions
        return {
            (NET, CLUES_READ): _share(~misread[self.given]),
            (NET, ALL_READ): _share(self.all_read),
            (SOLVED, WHOLE): _share((self.solved == self.solutions).all(axis=1)),
            (SOLVED, CELLS): _share(self.solved == self.solutions),
            (SOLVED, CONTRADICTORY): _share(~self.consistent),
            (KEPT, WHOLE): _share((self.kept == self.solutions).all(axis=1)),
            (DECODED, WHOLE): _share(self.right),
            (DECODED, GAIN): _share(self.right) - _share(self.all_read),
            (DECODED, CELLS): _share(hits),
            (DECODED, CORRECTED): _share(hits[misread]),
            (DECODED, SPOILED): _share(~hits[read]),
            (DECODED, OPTIMAL): _share(self.optimal),
            (DECODED, MEDIAN): 1000 * float(np.median(self.seconds)),
            (DECODED, SLOW): 1000 * float(np.quantile(self.seconds, 0.95)),
        }


def breaks(grids: IntArray) -> BoolArray:
    """Return which grids (n × 81) break a rule of Sudoku: a row, column or box lacks a digit."""
    rows = grids.reshape(-1, 9, 9)
    boxes = grids.reshape(-1, 3, 3, 3, 3).transpose(0, 1, 3, 2, 4).reshape(-1, 9, 9)
    units = np.concatenate([rows, rows.transpose(0, 2, 1), boxes], axis=1)
    wrong: BoolArray = (np.sort(units, axis=2) != np.arange(1, 10)).any(axis=(1, 2))
    return wrong


def _share(hits: BoolArray) -> float:
    """Return the percentage of hits; 100 if there is nothing to hit."""
    return 100 * float(hits.mean()) if hits.size else 100.0
