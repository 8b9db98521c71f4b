"""Sudoku: random solved grids, puzzles with one solution, and their 0/1 labels."""

from __future__ import annotations

from itertools import islice
from math import isqrt

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.samples import sudoku_search

HARD = (
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",  # 17 clues, Royle's list
    "000000012000000003002300400001800005060070800000009000008500000900040500470006000",  # Platinum Blonde
    "000000039000001005003050800008090006070002000100400000009080050020000600400700000",  # Golden Nugget
    "100000002090400050006000700050903000000070000000850040700000600030009080002000001",  # Easter Monster
    "800000000003600000070090200050007000000045700000100030001000068008500010090000400",  # Inkala 2012
    "100007090030020008009600500005300900010080002600004000300000010040000007007000300",  # AI Escargot
)

BOX_CELLS = [9 * row + column for row in range(3) for column in range(3)]
SWITCHES = 12  # swaps of two digits between one large grid and the next


def grids(n: int, seed: int) -> IntArray:
    """Generate `n` random solved grids (n × 81, digits 1–9), each by its own randomised search.

    >>> grids(2, seed=0).shape
    (2, 81)
    """
    rng = np.random.default_rng(seed)
    solved = np.empty((n, 81), np.int64)
    for i in range(n):
        clues = np.zeros(81, np.int64)
        for box in (0, 30, 60):  # the three boxes on the diagonal share no row or column: any digits can be completed
            clues[[box + cell for cell in BOX_CELLS]] = rng.permutation(9) + 1
        solved[i] = sudoku_search.digits(next(sudoku_search.completions(sudoku_search.open_candidates(clues), rng)))
    return solved


def large_grids(n: int, seed: int, box: int = 4) -> IntArray:
    """Generate `n` solved grids of side box² (n × side²); each is a random change of the one before.

    A change puts bands, the rows of each band, the columns likewise and the digits in random order. Then it swaps two
    digits several times: the cells of two digits fall into parts that share no row, column or box, and swapping the
    digits inside a part leaves a solved grid.

    >>> large_grids(2, seed=0).shape
    (2, 256)
    """
    rng, side = np.random.default_rng(seed), box * box
    row, column = np.divmod(np.arange(side * side).reshape(side, side), side)
    grid = (box * (row % box) + row // box + column) % side + 1
    boxes = box * (row // box) + column // box
    solved = np.empty((n, side * side), np.int64)
    for i in range(n):
        rows, columns = (rng.permuted(np.arange(side).reshape(box, box), axis=1) for _ in range(2))
        grid = grid[rows[rng.permutation(box)].ravel()][:, columns[rng.permutation(box)].ravel()]
        grid = (rng.permutation(side) + 1)[grid - 1]
        if rng.random() < 0.5:
            grid = grid.T.copy()
        for _ in range(SWITCHES):
            _swap_digits(grid, boxes, rng)
        solved[i] = grid.ravel()
    return solved


def _swap_digits(grid: IntArray, boxes: IntArray, rng: np.random.Generator) -> None:
    """Swap two random digits in a random choice of the parts that their cells fall into."""
    side = len(grid)
    first, second = rng.permutation(side)[:2] + 1
    cells = np.argwhere((grid == first) | (grid == second))
    keys = [cells[:, 0], side + cells[:, 1], 2 * side + boxes[cells[:, 0], cells[:, 1]]]
    cells_of: dict[int, list[int]] = {}  # by row, column and box
    for key in keys:
        for cell, unit in enumerate(key.tolist()):
            cells_of.setdefault(unit, []).append(cell)
    part = np.full(len(cells), -1)
    for start in range(len(cells)):
        waiting = [start] if part[start] < 0 else []
        while waiting:
            cell = waiting.pop()
            if part[cell] < 0:
                part[cell] = start
                waiting += [other for key in keys for other in cells_of[int(key[cell])]]
    swapped = cells[np.isin(part, [k for k in np.unique(part) if rng.random() < 0.5])]
    at = swapped[:, 0], swapped[:, 1]
    grid[at] = first + second - grid[at]


def one_hot(grids: IntArray) -> IntArray:
    """Encode grids as 0/1 labels (n × 729) in the order 9·cell + digit − 1; a blank cell is nine zeros.

    Grids of another side become labels of side³ variables.
    """
    side = isqrt(grids.shape[1])
    labels: IntArray = np.equal(grids[:, :, None], np.arange(1, side + 1)).astype(np.int64)
    return labels.reshape(len(grids), side**3)


def from_one_hot(labels: IntArray) -> IntArray:
    """Decode labels as grids (n × 81); a cell without exactly one digit is 0."""
    cells = labels.reshape(-1, 81, 9)
    single = ((cells == 1).sum(axis=2) == 1) & ((cells != 0).sum(axis=2) == 1)
    return np.where(single, cells.argmax(axis=2) + 1, 0).astype(np.int64)


def names(side: int = 9) -> list[str]:
    """Return the names of the 729 variables, such as "r1c1=5"."""
    numbers = range(1, side + 1)
    return [f"r{r}c{c}={v}" for r in numbers for c in numbers for v in numbers]


def clues_to_weights(puzzles: IntArray) -> FloatArray:
    """Return weights (n × 729) that are 1 for each given clue and 0 elsewhere."""
    return one_hot(puzzles).astype(np.float64)


def true_rules(side: int = 9) -> IntArray:
    """Return the 324 rules (cells, rows, columns, boxes) as 0/1 rows over 729 variables; each sums to 1."""
    box = isqrt(side)
    place = np.arange(side**3).reshape(side, side, side)
    kinds = (place, place.transpose(0, 2, 1), place.transpose(1, 2, 0))
    squares = place.reshape(box, box, box, box, side).transpose(0, 2, 4, 1, 3)
    rows = np.zeros((4 * side * side, side**3), np.int64)
    np.put_along_axis(rows, np.concatenate([kind.reshape(-1, side) for kind in (*kinds, squares)]), 1, axis=1)
    return rows


def parse(text: str) -> IntArray:
    """Read the 81 digits of a puzzle in the usual one-line form; 0 or . is a blank cell."""
    if len(text) != 81 or not set(text) <= set("0123456789."):
        raise DataError(f"{text!r} is not a puzzle: give 81 characters, digits with 0 or . for blanks")
    return np.array([int(c) for c in text.replace(".", "0")], np.int64)


def solutions(puzzle: IntArray, limit: int = 2) -> IntArray:
    """Return at most `limit` solutions of a puzzle (k × 81)."""
    states = islice(sudoku_search.completions(sudoku_search.open_candidates(puzzle)), limit)
    return np.array([sudoku_search.digits(state) for state in states], np.int64).reshape(-1, 81)


def puzzle(grid: IntArray, rng: np.random.Generator) -> IntArray:
    """Make a minimal puzzle: remove clues of `grid` in random order as long as it stays the only solution."""
    clues = np.array(grid, np.int64)
    for cell in rng.permutation(81):
        digit, clues[cell] = clues[cell], 0
        another_digit = sudoku_search.open_candidates(clues) & ~(1 << int(9 * cell + digit - 1))
        if next(sudoku_search.completions(another_digit), None) is not None:
            clues[cell] = digit
    return clues


def draw(puzzle: IntArray, solution: IntArray | None = None) -> str:
    """Draw a grid as text with lines around boxes; a dot marks a digit that is not a clue.

    >>> print(draw(parse(HARD[4])).splitlines()[1])
    |  8  .  . |  .  .  . |  .  .  . |
    """
    filled = np.zeros(81, np.int64) if solution is None else solution
    cells = [f"{c:>3}" if c else f" .{f}" if f else "  ." for c, f in zip(puzzle, filled, strict=True)]
    rule = "+" + "+".join(["-" * 10] * 3) + "+"
    lines = [rule]
    for r in range(9):
        row = cells[9 * r : 9 * r + 9]
        lines.append("|" + "|".join("".join(row[k : k + 3]) + " " for k in (0, 3, 6)) + "|")
        if r % 3 == 2:
            lines.append(rule)
    return "\n".join(lines)
