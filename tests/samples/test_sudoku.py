"""Sudoku grids, puzzles and their labels."""

import numpy as np
import pytest
from flint import nmod_mat

from unwritten.data import IntArray
from unwritten.errors import DataError
from unwritten.samples import sudoku


@pytest.fixture(scope="module")
def grids() -> IntArray:
    """Generate enough grids to span all that the rules allow."""
    return sudoku.grids(1000, seed=3)


def modular_rank(matrix: IntArray) -> int:
    """Return the rank modulo a prime, which is never above the true rank."""
    return int(nmod_mat(matrix.tolist(), 2**31 - 1).rank())


def test_grids_are_solved(grids: IntArray) -> None:
    """Every cell, row, column and box of every grid holds each digit once."""
    assert grids.shape == (1000, 81)
    assert (sudoku.one_hot(grids) @ sudoku.true_rules().T == 1).all()


def test_grids_differ_and_repeat_by_seed(grids: IntArray) -> None:
    """No two grids are equal, and the same seed gives the same grids."""
    assert len(np.unique(grids, axis=0)) == 1000
    assert np.array_equal(sudoku.grids(5, seed=3), grids[:5])
    assert not np.array_equal(sudoku.grids(5, seed=4), grids[:5])


def test_grids_span_all_that_the_rules_allow(grids: IntArray) -> None:
    """The labels with a 1 have rank 481 = 730 - 249, so they satisfy no equality beyond the true rules."""
    labels = np.c_[sudoku.one_hot(grids), np.ones(len(grids), np.int64)]
    assert modular_rank(sudoku.true_rules()) == 249
    assert modular_rank(labels) == 481


def test_one_hot_and_back(grids: IntArray) -> None:
    """Labels decode to their grids, and a cell with two digits or none to a blank."""
    labels = sudoku.one_hot(grids[:10])
    assert labels.shape == (10, 729)
    assert labels.dtype == np.int64
    assert np.array_equal(sudoku.from_one_hot(labels), grids[:10])
    labels[0, :9] = 0
    labels[1, :9] = 1
    assert sudoku.from_one_hot(labels)[:2, 0].tolist() == [0, 0]


def test_names_follow_the_columns() -> None:
    """The name of a variable says which cell and digit it means."""
    grid = np.zeros((1, 81), np.int64)
    grid[0, 9 * 4 + 6] = 8
    assert sudoku.names()[int(sudoku.one_hot(grid).argmax())] == "r5c7=8"
    assert len(set(sudoku.names())) == 729


def test_weights_count_the_clues_kept() -> None:
    """A clue weighs 1, all else 0."""
    puzzles = np.array([sudoku.parse(text) for text in sudoku.HARD])
    weights = sudoku.clues_to_weights(puzzles)
    assert weights.dtype == np.float64
    assert (weights.sum(axis=1) == (puzzles > 0).sum(axis=1)).all()


def test_true_rules_are_324_exactly_one_rows() -> None:
    """Each rule has nine variables, and each variable is in four rules."""
    rules = sudoku.true_rules()
    assert rules.shape == (324, 729)
    assert set(rules.sum(axis=1)) == {9}
    assert set(rules.sum(axis=0)) == {4}
    assert len(np.unique(rules, axis=0)) == 324


def test_puzzles_are_minimal_and_unique(grids: IntArray) -> None:
    """A puzzle has its grid as the only solution, and without any one of its clues it has more."""
    rng = np.random.default_rng(0)
    for grid in grids[:5]:
        clues = sudoku.puzzle(grid, rng)
        assert np.array_equal(sudoku.solutions(clues), [grid])
        for cell in np.flatnonzero(clues):
            fewer = clues.copy()
            fewer[cell] = 0
            assert len(sudoku.solutions(fewer)) == 2


@pytest.mark.parametrize("text", sudoku.HARD)
def test_hard_puzzles_have_one_solution(text: str) -> None:
    """The well-known puzzles are solved, uniquely."""
    clues = sudoku.parse(text)
    (solution,) = sudoku.solutions(clues)
    assert (sudoku.one_hot(solution[None]) @ sudoku.true_rules().T == 1).all()
    assert np.array_equal(solution[clues > 0], clues[clues > 0])
    assert 17 <= (clues > 0).sum() <= 23


def test_contradiction_has_no_solution() -> None:
    """A puzzle with equal clues in a row has no solution; an empty grid has as many as the limit allows."""
    assert sudoku.solutions(sudoku.parse("55" + 79 * "0")).shape == (0, 81)
    assert sudoku.solutions(sudoku.parse(81 * "."), limit=3).shape == (3, 81)


@pytest.mark.parametrize("text", ["", "1" * 80, "x" * 81])
def test_parse_refuses_other_text(text: str) -> None:
    """Text that is not a puzzle is refused, and the error describes the right form."""
    with pytest.raises(DataError, match="81 characters"):
        sudoku.parse(text)


def test_drawing_tells_clues_from_filled_cells() -> None:
    """Clues are plain digits, filled digits have a dot before them, and blanks are dots."""
    clues = sudoku.parse(sudoku.HARD[4])
    (solution,) = sudoku.solutions(clues)
    lines = sudoku.draw(clues, solution).splitlines()
    assert len(lines) == 13
    assert len({len(line) for line in lines}) == 1
    assert lines[1] == "|  8 .1 .2 | .7 .5 .3 | .6 .4 .9 |"
    assert sudoku.draw(clues).splitlines()[1] == "|  8  .  . |  .  .  . |  .  .  . |"
