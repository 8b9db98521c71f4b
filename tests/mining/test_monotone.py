"""More examples never give fewer true rules: an equality that was mined from some examples is mined from more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import unwritten
from experiments.few.sum_puzzles import kakuro, magic_squares
from unwritten.data import IntArray
from unwritten.samples import trees

Problem = tuple[IntArray, IntArray, tuple[int, ...]]
"""Labels, the equalities that all of them obey as rows [a, −b], and growing numbers of examples."""


def latin_squares() -> Problem:
    """Latin squares of order five, with one 0/1 variable for each cell and digit."""
    rng, order = np.random.default_rng(11), 5
    cyclic = (np.arange(order)[:, None] + np.arange(order)) % order
    squares = [rng.permutation(order)[cyclic[rng.permutation(order)][:, rng.permutation(order)]] for _ in range(600)]
    cube = np.array(squares)[..., None] == np.arange(order)
    labels = np.unique(cube.reshape(len(squares), -1), axis=0).astype(np.int64)
    place = np.arange(order**3).reshape(order, order, order)
    sets = [place[i, j] if axis == 0 else place[i, :, j] if axis == 1 else place[:, i, j]
            for axis in range(3) for i in range(order) for j in range(order)]  # fmt: skip
    rows = np.zeros((len(sets), order**3 + 1), np.int64)
    for row, members in zip(rows, sets, strict=True):
        row[members], row[-1] = 1, -1
    return rng.permutation(labels), rows, (15, 25, 40, 90, 250)


def one_kakuro() -> Problem:
    """A Kakuro puzzle in one-hot form."""
    puzzle = kakuro(4, 240)
    return puzzle.labels, puzzle.sums, (60, 119, 120, 240)


def order_four() -> Problem:
    """Magic squares of order four in one-hot form."""
    puzzle = magic_squares(4)
    return puzzle.labels, puzzle.sums, (60, 420)


def order_three() -> Problem:
    """The eight magic squares of order three in one-hot form, drawn again and again.

    Most cells have values that no square has; only very many examples show that these are ruled out.
    """
    square = np.array([[2, 7, 6], [9, 5, 1], [4, 3, 8]])
    turned = [np.rot90(square, k) for k in range(4)]
    squares = np.array([*turned, *(each.T for each in turned)]).reshape(8, 9)
    labels = (squares[:, :, None] == np.arange(1, 10)).reshape(8, 81).astype(np.int64)
    rows = np.zeros((8, 82), np.int64)
    place = np.arange(9).reshape(3, 3)
    for row, cells in zip(rows, [*place, *place.T, np.diag(place), np.diag(place[:, ::-1])], strict=True):
        row[:-1].reshape(9, 9)[cells], row[-1] = np.arange(1, 10), -15
    return labels[np.random.default_rng(5).integers(0, 8, 3_000)], rows, (20, 100, 400, 3_000)


def some_of_many() -> Problem:
    """Exactly four of eleven columns."""
    rng = np.random.default_rng(2)
    labels = (rng.random((300, 11)).argsort(axis=1) < 4).astype(np.int64)
    return labels, np.array([[1] * 11 + [-4]]), (5, 10, 20, 40, 80, 150, 300)


def subset_sums() -> Problem:
    """Nine integers, of which three sums are fixed."""
    rng = np.random.default_rng(3)
    free = rng.integers(0, 30, (300, 9))
    free[:, 2] = 60 - free[:, 0] - free[:, 1]
    free[:, 5] = free[:, 3] + 2 * free[:, 4]
    free[:, 8] = 15 + free[:, 6] - free[:, 0]
    rows = np.zeros((3, 10), np.int64)
    rows[0, [0, 1, 2, 9]] = 1, 1, 1, -60
    rows[1, [3, 4, 5]] = 1, 2, -1
    rows[2, [0, 6, 8, 9]] = 1, -1, 1, -15
    return free, rows, (6, 8, 12, 20, 40, 100, 300)


def spanning_trees() -> Problem:
    """Spanning trees of seven nodes: six of 21 edges."""
    labels = trees.sample(7, 400, seed=9)[1]
    return labels, np.array([[1] * 21 + [-6]]), (10, 20, 40, 100, 200, 400)


def table_with_a_sum() -> Problem:
    """net + tax = gross beside 30 unrelated columns, one of which is hardly ever anything but 0."""
    rng = np.random.default_rng(6)
    labels = rng.integers(0, 1_000, (400, 33)) ** 2
    labels[:, 20:32] = rng.random((400, 12)) < 0.3
    labels[:, 32] = rng.random(400) < 0.01
    labels[:, 2] = labels[:, 0] + labels[:, 1]
    rows = np.zeros((1, 34), np.int64)
    rows[0, :3] = 1, 1, -1
    return labels, rows, (12, 20, 30, 40, 60, 100, 200, 400)


MAKERS: tuple[Callable[[], Problem], ...] = (
    latin_squares, one_kakuro, order_four, order_three, some_of_many, subset_sums, spanning_trees, table_with_a_sum,
)  # fmt: skip
PROBLEMS = {make.__name__: make for make in MAKERS}


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_true_equality_once_mined_is_mined_from_more_examples(name: str) -> None:
    """Of nested samples, each shows the true equalities that the smaller ones showed, and the largest shows all."""
    labels, true_rows, sizes = PROBLEMS[name]()
    assert not (labels @ true_rows[:, :-1].T + true_rows[:, -1]).any()
    mined = np.zeros(len(true_rows), bool)
    for n in sizes:
        now = unwritten.mine(labels[:n]).rules.implied(true_rows)
        assert (now >= mined).all(), f"{name}: {n} examples show fewer sums than the {sizes[sizes.index(n) - 1]} before"
        mined = now
    assert mined.all()


def test_the_reference_puzzles_are_what_they_claim_to_be() -> None:
    """All magic squares are listed, and the runs of a Kakuro have different digits with the given totals."""
    squares = magic_squares(0).solutions
    assert len(np.unique(squares, axis=0)) == 7_040
    assert (np.sort(squares, axis=1) == np.arange(1, 17)).all()
    puzzle = kakuro(3, 30)
    assert len(np.unique(puzzle.solutions, axis=0)) == 30
    for run, total in zip(puzzle.runs, puzzle.totals, strict=True):
        digits = np.sort(puzzle.solutions[:, list(run)], axis=1)
        assert (digits.sum(axis=1) == total).all()
        assert (np.diff(digits, axis=1) > 0).all()
