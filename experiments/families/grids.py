"""Grids and puzzles: squares and sums of digits, queens, rulers. Solutions are listed if nothing else is said."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np

from experiments.families.listing import solutions_of
from experiments.families.problem import Draw, FamilyProblem, fair
from experiments.families.regions import regions
from experiments.families.rows import Row, all_different, before, count, differ, total
from experiments.families.space import Space
from experiments.few import sum_puzzles
from unwritten.data import IntArray

FEWEST = 2_000  # solutions of a drawn puzzle


def latin_square(seed: int) -> FamilyProblem:
    """Every digit once in each row and column of a 5×5 square."""
    del seed
    return _square("Latin square", 5, _lines(5))


def jigsaw_square(seed: int) -> FamilyProblem:
    """A Latin square whose five crooked regions also have every digit once; regions with few solutions are redrawn."""
    rng = np.random.default_rng(seed)
    while True:
        cells = regions(5, [5] * 5, rng)
        rows = [row for region in cells for row in all_different(region)]
        problem = _square("jigsaw square", 5, [*_lines(5), *rows])
        if len(solutions_of(problem.space)) >= FEWEST:
            return problem


def kenken(seed: int) -> FamilyProblem:
    """A Latin square with three cages of cells whose digits add up to a given sum; redrawn if few squares do."""
    rng = np.random.default_rng(seed)
    while True:
        cages = regions(5, [3, 2, 3], rng)
        sums = [total(cage, 3 * len(cage), 3 * len(cage)) for cage in cages]
        problem = _square("KenKen sums", 5, [*_lines(5), *sums])
        if len(solutions_of(problem.space)) >= FEWEST:
            return problem


def killer(seed: int) -> FamilyProblem:
    """A 6×6 Sudoku with 2×3 boxes and four cages whose digits differ and add up to 10.

    All grids whose first row is 1 to 6 are listed; renaming their digits gives all grids.
    """
    rng = np.random.default_rng(seed)
    corners = product((0, 2, 4), (0, 3))
    boxes = [[6 * (top + i) + left + j for i, j in product(range(2), range(3))] for top, left in corners]
    rows = [*_lines(6), *(row for box in boxes for row in all_different(box))]
    cages = regions(6, [3] * 4, rng)
    fixed = np.arange(1, 7)
    lower, upper = (np.concatenate([fixed, np.full(30, end)]) for end in (1, 6))
    grids = solutions_of(Space(lower, upper, tuple(rows)))
    kept = []
    for digits in permutations(range(1, 7)):
        renamed = np.array(digits)[grids - 1]
        for cage in cages:
            renamed = renamed[renamed[:, cage].sum(axis=1) == 10]
        kept.append(renamed)
    solutions = np.concatenate(kept)
    for cage in cages:
        rows += [*all_different(cage), total(cage, 10, 10)]
        first, second, third = solutions[:, cage].T
        solutions = solutions[(first != second) & (first != third) & (second != third)]
    names = [f"r{i}c{j}" for i, j in product(range(1, 7), repeat=2)]
    return _numbered("killer sums", names, 6, rows, _from(solutions))


def magic_square(seed: int) -> FamilyProblem:
    """The numbers 1 to 16, each once, in a 4×4 square whose lines add up to 34; all squares are listed."""
    puzzle = sum_puzzles.magic_squares(seed)
    rows = [*all_different(range(16)), *(total(run, 34, 34) for run in puzzle.runs)]
    return _numbered(
        "magic square", [f"m[{i},{j}]" for i, j in product(range(4), repeat=2)], 16, rows, _from(puzzle.solutions)
    )


def kakuro(seed: int) -> FamilyProblem:
    """Runs of cells with digits that differ and add up to a given sum."""
    puzzle = sum_puzzles.kakuro(seed, 40)
    rows = [row for run in puzzle.runs for row in all_different(run)]
    rows += [total(run, given, given) for run, given in zip(puzzle.runs, puzzle.totals, strict=True)]
    names = [f"cell{c}" for c in range(puzzle.solutions.shape[1])]
    return _numbered("Kakuro", names, 9, rows)


def queens(seed: int) -> FamilyProblem:
    """Twelve queens, one in each row, that do not attack each other."""
    del seed
    size = 12
    rows = [
        differ(i, j, offset)
        for i, j in combinations(range(size), 2)
        for offset in (0, j - i, i - j)
    ]  # fmt: skip
    space = Space.of(size, rows, 0, size - 1)
    hot = tuple(tuple(f"q[{i},{j}]" for j in range(size)) for i in range(size))
    return FamilyProblem("queens", tuple(f"queen[{i}]" for i in range(size)), space, fair(space), hot)


def count_matrix(seed: int) -> FamilyProblem:
    """Numbers 1 to 8 in four rows of five. Walks.

    Different in a row, row sums from 19 to 26, two or three eights, and at most one 1 in a column.
    """
    del seed
    height, width = 4, 5
    cells = np.arange(height * width).reshape(height, width).tolist()
    rows = [row for line in cells for row in all_different(line)]
    rows += [total(line, 19, 26) for line in cells]
    rows += [count(range(height * width), [8], 2, 3)]
    rows += [count(column, [1], 0, 1) for column in zip(*cells, strict=True)]
    space = Space.of(height * width, rows, 1, 8)
    names = [f"M[{i},{j}]" for i, j in product(range(height), range(width))]
    hot = tuple(tuple(f"{name[:-1]},{digit}]" for digit in range(1, 9)) for name in names)
    return FamilyProblem("count matrix", tuple(names), space, hot=hot)


def golomb_ruler(seed: int) -> FamilyProblem:
    """Six marks up to 22 in order, the first at 0; all distances between marks differ."""
    del seed
    marks, length = 6, 22
    rows = [before(i, i + 1, 1) for i in range(marks - 1)]
    for (i, j), (k, m) in combinations(combinations(range(marks), 2), 2):
        terms = dict.fromkeys((i, j, k, m), 0)
        for place, sign in ((j, 1), (i, -1), (m, -1), (k, 1)):
            terms[place] += sign
        rows.append(Row({place: weight for place, weight in terms.items() if weight}, hole=(0, 0)))
    upper = np.array([0] + [length] * (marks - 1))
    space = Space.of(marks, rows, 0, upper)
    return FamilyProblem("Golomb ruler", tuple(f"mark[{i}]" for i in range(marks)), space, fair(space))


def _lines(size: int) -> list[Row]:
    """The cells of each row and column differ."""
    grid = np.arange(size * size).reshape(size, size)
    return [row for line in (*grid, *grid.T) for row in all_different(line.tolist())]


def _square(name: str, size: int, rows: list[Row]) -> FamilyProblem:
    names = [f"r{i}c{j}" for i, j in product(range(1, size + 1), repeat=2)]
    return _numbered(name, names, size, rows)


def _numbered(name: str, names: list[str], most: int, rows: list[Row], draw: Draw | None = None) -> FamilyProblem:
    """Cells with numbers from 1 on, named like r1c4=7 in 0/1 labels."""
    space = Space.of(len(names), rows, 1, most)
    hot = tuple(tuple(f"{cell}={digit}" for digit in range(1, most + 1)) for cell in names)
    return FamilyProblem(name, tuple(names), space, fair(space) if draw is None else draw, hot)


def _from(solutions: IntArray) -> Draw:
    """Draw from some solutions, each equally likely."""
    return lambda n, rng: solutions[rng.integers(len(solutions), size=n)]
