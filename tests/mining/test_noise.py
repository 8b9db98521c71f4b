"""Noise: wrong rows are found, and clean data has no suspects."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.data import BoolArray, IntArray
from unwritten.mining.noise.suspects import GROUP, LABEL, PAIR, probably_wrong
from unwritten.samples import sudoku, trees

RATES = [None, 0.05]


def latin(n: int, size: int, seed: int) -> IntArray:
    """One-hot Latin squares: shuffled rows, columns and digits of the cyclic one."""
    rng = np.random.default_rng(seed)
    cyclic = np.add.outer(np.arange(size), np.arange(size)) % size
    squares = [
        rng.permutation(size)[cyclic[np.ix_(rng.permutation(size), rng.permutation(size))]].ravel() for _ in range(n)
    ]
    return np.eye(size, dtype=np.int64)[np.array(squares)].reshape(n, -1)


def random_share(n: int, share: float, seed: int) -> BoolArray:
    """Choose a random share of n rows."""
    chosen = np.zeros(n, bool)
    chosen[np.random.default_rng(seed).choice(n, round(share * n), replace=False)] = True
    return chosen


@pytest.mark.parametrize("rate", RATES)
def test_exchanged_cells_are_found_by_rare_combinations(rate: float | None) -> None:
    """Exactly the squares with two exchanged digits are found."""
    labels, size, rng = latin(1500, 6, 0), 6, np.random.default_rng(1)
    wrong = random_share(len(labels), 0.05, 2)
    for row in np.flatnonzero(wrong):
        cells = labels[row].reshape(-1, size)
        first, second = rng.choice(size * size, 2, replace=False)
        while (cells[first] == cells[second]).all():
            first, second = rng.choice(size * size, 2, replace=False)
        cells[[first, second]] = cells[[second, first]]
    judged = probably_wrong(labels, rate)
    assert np.array_equal(judged.rows, wrong)
    assert judged.rate == pytest.approx(0.05)
    assert PAIR in judged.reasons
    assert len(judged.reasons) == wrong.sum()


@pytest.mark.parametrize("rate", RATES)
def test_erased_cells_are_found_by_groups(rate: float | None) -> None:
    """A Sudoku grid with one cell left empty shows no forbidden pair, but breaks groups that the others obey."""
    labels, rng = sudoku.one_hot(sudoku.grids(200, seed=0)), np.random.default_rng(1)
    wrong = random_share(len(labels), 0.05, 2)
    for row in np.flatnonzero(wrong):
        labels[row, rng.choice(np.flatnonzero(labels[row]))] = 0
    judged = probably_wrong(labels, rate)
    assert np.array_equal(judged.rows, wrong)
    assert set(judged.reasons) == {GROUP}


@pytest.mark.parametrize("rate", RATES)
def test_slips_of_repeated_labels_are_found(rate: float | None) -> None:
    """Among twelve repeated labels, rows with one or two flipped bits are found, although one label is rare."""
    rng = np.random.default_rng(0)
    paths = np.concatenate([np.repeat(np.eye(4, dtype=np.int64), 3, axis=0), np.eye(12, dtype=np.int64)], axis=1)
    labels = paths[np.repeat(np.arange(12), [8, 40, 900, 60, 300, 90, 50, 200, 70, 120, 60, 102])]
    wrong = random_share(len(labels), 0.05, 2)
    for row in np.flatnonzero(wrong):
        labels[row, rng.choice(16, rng.integers(1, 3), replace=False)] ^= 1
    wrong = (labels[:, None] != paths).any(axis=2).all(axis=1)
    judged = probably_wrong(labels, rate)
    assert np.array_equal(judged.rows, wrong)
    assert set(judged.reasons) == {LABEL}


@pytest.mark.parametrize("rate", [*RATES, 0.2])
@pytest.mark.parametrize(
    "labels",
    [
        pytest.param(sudoku.one_hot(sudoku.grids(120, seed=3)), id="sudoku"),
        pytest.param(latin(400, 5, 4), id="latin squares"),
        pytest.param(trees.sample(6, 2000, seed=0)[1], id="trees"),
        pytest.param(np.random.default_rng(0).integers(0, 2, (1000, 30)), id="random"),
        pytest.param(np.eye(5, dtype=np.int64)[np.arange(200) % 5], id="one-hot"),
    ],
)
def test_clean_labels_are_left_alone(labels: IntArray, rate: float | None) -> None:
    """Clean data has no suspects, at any rate that the user gives."""
    assert not probably_wrong(labels, rate).rows.any()


@pytest.mark.parametrize(
    "labels",
    [
        pytest.param(np.ones((1, 4), np.int64), id="one row"),
        pytest.param(np.array([[0, 1], [1, 0]]), id="two rows"),
        pytest.param(np.tile([[0, 1, 1]], (50, 1)), id="constant columns"),
        pytest.param(np.arange(60).reshape(20, 3), id="integers beyond 0 and 1"),
        pytest.param(np.zeros((5, 0), np.int64), id="no columns"),
        pytest.param((np.arange(40) == 7)[:, None].astype(np.int64), id="one column"),
    ],
)
@pytest.mark.parametrize("rate", [*RATES, 0.0, 1.0])
def test_too_little_to_judge_by(labels: IntArray, rate: float | None) -> None:
    """Labels that cannot show a rule have no suspects."""
    judged = probably_wrong(labels, rate)
    assert judged.rows.shape == (len(labels),)
    assert not judged.rows.any()
    assert judged.reasons == ()


def test_other_columns_change_nothing() -> None:
    """Integer and constant columns beside 0/1 columns do not matter, nor does the order of columns and rows."""
    labels = np.repeat(np.eye(6, dtype=np.int64), 40, axis=0)
    labels[[3, 77], [4, 0]] = 1
    rng = np.random.default_rng(0)
    beside = np.column_stack([rng.integers(-5, 5, len(labels)), labels, np.ones(len(labels), np.int64)])
    rows, columns = rng.permutation(len(labels)), rng.permutation(8)
    assert np.flatnonzero(probably_wrong(labels).rows).tolist() == [3, 77]
    assert np.array_equal(probably_wrong(beside[rows][:, columns]).rows, probably_wrong(labels).rows[rows])


def test_a_rate_of_zero_finds_nothing() -> None:
    """With a rate of 0, no row is suspect."""
    labels = np.repeat(np.eye(6, dtype=np.int64), 40, axis=0)
    labels[3, 4] = 1
    assert not probably_wrong(labels, 0.0).rows.any()
