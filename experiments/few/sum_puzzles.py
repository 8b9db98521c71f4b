"""Puzzles with sums in one-hot labels: Kakuro, and magic squares of order four.

Each cell has one 0/1 variable per digit. The sum of a run is then a weighted sum of many 0/1 variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from unwritten.data import IntArray

TRIES = 100  # nodes of the search for one solution before it starts again with other random choices
SAMPLE = 40  # searches after which a layout is given up if less than half of them found a new solution


@dataclass(frozen=True, eq=False)
class SumPuzzle:
    """Cells that hold a digit of 1..digits, and runs of cells whose digits differ and add up to a total.

    `solutions` has one row per solution and one column per cell.
    """

    name: str
    digits: int
    runs: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    solutions: IntArray

    @cached_property
    def labels(self) -> IntArray:
        """The solutions with one 0/1 variable per cell and digit."""
        one_hot = self.solutions[:, :, None] == np.arange(1, self.digits + 1)
        return np.asarray(one_hot.reshape(len(self.solutions), -1), np.int64)

    @cached_property
    def names(self) -> list[str]:
        """The names of the variables, such as cell3=7."""
        return [f"cell{c}={k}" for c in range(self.solutions.shape[1]) for k in range(1, self.digits + 1)]

    @cached_property
    def sums(self) -> IntArray:
        """The sums of the runs as rows [a, −b] over [y, 1]."""
        rows = np.zeros((len(self.runs), self.solutions.shape[1] * self.digits + 1), np.int64)
        for row, run, total in zip(rows, self.runs, self.totals, strict=True):
            for cell in run:
                row[cell * self.digits : (cell + 1) * self.digits] = np.arange(1, self.digits + 1)
            row[-1] = -total
        return rows


def kakuro(seed: int, count: int, side: int = 5, black: int = 7) -> SumPuzzle:
    """A random layout of white cells with the totals of a random filling, and `count` different solutions of it.

    The layout is drawn again if it has a run of one cell, or too few solutions.
    """
    rng = np.random.default_rng(seed)
    while True:
        runs = _runs(_layout(rng, side, black))
        cells = 1 + max(max(run) for run in runs)
        first = _filled(runs, cells, None, rng)
        if first is None:
            continue
        totals = tuple(int(first[list(run)].sum()) for run in runs)
        solutions = _different(runs, cells, totals, count, rng)
        if solutions is not None:
            return SumPuzzle(f"Kakuro {seed}, {cells} cells", 9, runs, totals, solutions)


def magic_squares(seed: int) -> SumPuzzle:
    """All 7,040 magic squares of order four, in random order."""
    place = np.arange(16).reshape(4, 4)
    lines = [*place, *place.T, np.diag(place), np.diag(place[:, ::-1])]
    runs = tuple(tuple(line.tolist()) for line in lines)
    squares = np.random.default_rng(seed).permutation(_all_magic_squares())
    return SumPuzzle("Magic squares 4×4", 16, runs, (34,) * len(runs), squares)


def _layout(rng: np.random.Generator, side: int, black: int) -> IntArray:
    """A grid with the numbers of its white cells, and −1 for black ones; every run has at least two cells."""
    while True:
        white = np.ones(side * side, bool)
        white[rng.choice(side * side, black, replace=False)] = False
        grid = np.where(white, np.cumsum(white) - 1, -1).reshape(side, side)
        lengths = [len(piece) for line in (*grid, *grid.T) for piece in _pieces(line)]
        if min(lengths) > 1:
            return grid


def _pieces(line: IntArray) -> list[tuple[int, ...]]:
    """The runs of white cells in one line of the grid."""
    pieces: list[list[int]] = [[]]
    for cell in line.tolist():
        if cell < 0:
            pieces.append([])
        else:
            pieces[-1].append(cell)
    return [tuple(piece) for piece in pieces if piece]


def _runs(grid: IntArray) -> tuple[tuple[int, ...], ...]:
    return tuple(piece for line in (*grid, *grid.T) for piece in _pieces(line))


def _different(
    runs: tuple[tuple[int, ...], ...], cells: int, totals: tuple[int, ...], count: int, rng: np.random.Generator
) -> IntArray | None:
    """`count` different solutions, or None if solutions are hard to find or often the same."""
    found: dict[bytes, IntArray] = {}
    for tries in range(3 * count):
        solution = _filled(runs, cells, totals, rng)
        if solution is not None:
            found[solution.tobytes()] = solution
        if len(found) == count:
            return np.array(list(found.values()))
        if tries == SAMPLE and len(found) < SAMPLE // 2:
            return None
    return None


def _filled(
    runs: tuple[tuple[int, ...], ...], cells: int, totals: tuple[int, ...] | None, rng: np.random.Generator
) -> IntArray | None:
    """A random solution by backtracking, or None if the search takes long. Without totals, digits need only differ."""
    run_of: list[list[int]] = [[k for k, run in enumerate(runs) if cell in run] for cell in range(cells)]
    used = [0] * len(runs)
    left = [len(run) for run in runs]
    missing = list(totals) if totals is not None else [0] * len(runs)
    values, tries = [0] * cells, TRIES

    def possible(cell: int) -> list[int]:
        taken = 0
        for k in run_of[cell]:
            taken |= used[k]
        digits = [digit for digit in range(1, 10) if not taken >> digit & 1]
        if totals is not None:
            digits = [digit for digit in digits if all(fits(k, digit) for k in run_of[cell])]
        rng.shuffle(digits)
        return digits

    def fits(k: int, digit: int) -> bool:
        least, most = _reach(used[k] | 1 << digit, left[k] - 1)
        return least <= missing[k] - digit <= most

    def fill(cell: int) -> bool:
        nonlocal tries
        if cell == cells:
            return True
        for digit in possible(cell):
            tries -= 1
            if tries < 0:
                return False
            for k in run_of[cell]:
                used[k], left[k], missing[k] = used[k] | 1 << digit, left[k] - 1, missing[k] - digit
            values[cell] = digit
            if fill(cell + 1):
                return True
            for k in run_of[cell]:
                used[k], left[k], missing[k] = used[k] & ~(1 << digit), left[k] + 1, missing[k] + digit
        return False

    return np.array(values) if fill(0) else None


@cache
def _reach(used: int, count: int) -> tuple[int, int]:
    """The least and the greatest sum of `count` different digits that are not used."""
    free = [digit for digit in range(1, 10) if not used >> digit & 1]
    return sum(free[:count]), sum(free[len(free) - count :])


def _all_magic_squares() -> IntArray:
    """All magic squares of order four, cell by cell for all partial squares at once.

    Of each eight squares that are turned or mirrored images of each other, only the one whose first corner is the least
    and whose second corner is below the third is searched for.
    """
    squares, used = np.zeros((1, 16), np.int32), np.zeros(1, np.int32)
    # each step fills one cell: freely, or with what is missing from 34 in a line of which three cells are filled
    steps: list[tuple[int, tuple[int, ...]]] = [
        (0, ()), (1, ()), (2, ()), (3, (0, 1, 2)), (4, ()), (8, ()), (12, (0, 4, 8)), (9, ()), (6, (3, 9, 12)), (5, ()),
        (7, (4, 5, 6)), (13, (1, 5, 9)), (10, ()), (14, (2, 6, 10)), (11, (8, 9, 10)), (15, (12, 13, 14)),
    ]  # fmt: skip
    for cell, line in steps:
        if line:
            squares[:, cell] = 34 - squares[:, line].sum(axis=1)
        else:
            squares, used = np.repeat(squares, 16, axis=0), np.repeat(used, 16)
            squares[:, cell] = np.tile(np.arange(1, 17), len(squares) // 16)
        bit = np.int32(1) << np.clip(squares[:, cell], 0, 17)
        fits = (squares[:, cell] >= 1) & (squares[:, cell] <= 16) & (used & bit == 0)
        if cell in (3, 12, 15):
            fits &= squares[:, 0] < squares[:, cell]
        if cell == 12:
            fits &= squares[:, 3] < squares[:, 12]
        squares, used = squares[fits], (used | bit)[fits]
    magic = (squares[:, [0, 5, 10, 15]].sum(axis=1) == 34) & (squares[:, [3, 7, 11, 15]].sum(axis=1) == 34)
    grids = squares[magic].reshape(-1, 4, 4).astype(np.int64)
    turned = [np.rot90(grids, k, axes=(1, 2)) for k in range(4)]
    return np.concatenate([*turned, *(grid.transpose(0, 2, 1) for grid in turned)]).reshape(-1, 16)
