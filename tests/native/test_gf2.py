"""The kernels of linear algebra over GF(2) against plain Python."""

from __future__ import annotations

import numpy as np
import pytest
import reference_mining as reference

from unwritten.data.bitmasks import column_words
from unwritten.native import kernels


@pytest.mark.parametrize("rows", [0, 1, 5, 63, 64, 65, 130])
@pytest.mark.parametrize("density", [0.05, 0.5])
def test_take_is_greedy(rows: int, density: float) -> None:
    """The columns taken are those of plain Python, for columns of one word and of several."""
    rng = np.random.default_rng(rows)
    matrix = (rng.random((rows, 90)) < density).astype(np.int64)
    order = np.argsort(rng.random((30, 90)), axis=1)
    order[5, 40], order[6, 0] = -1, -1
    codes = column_words(matrix != 0)
    for most in (0, 1, 10, 200):
        taken = kernels.take(codes, order, most)
        assert taken.dtype == np.int64
        assert np.array_equal(taken, reference.take(matrix, order, most))


@pytest.mark.parametrize("rows", [4, 70])
def test_least_rank_stops_at_the_first_row_that_falls_short(rows: int) -> None:
    rng = np.random.default_rng(rows)
    matrix = rng.integers(0, 2, (rows, 80))
    order = np.ascontiguousarray(np.argsort(rng.random((50, 80)), axis=1)[:, : rows + 2])
    ranks = reference.take(matrix, order, 10**6).sum(axis=1)
    assert len(set(ranks.tolist())) > 1
    for enough in (0, 1, rows - 1, rows, rows + 1):
        short = ranks[ranks < enough]
        expected = int(short[0]) if len(short) else enough
        assert kernels.least_rank(column_words(matrix != 0), order, enough) == expected


def test_edges() -> None:
    """No orders give no rows; an empty order takes nothing."""
    codes = column_words(np.eye(3, dtype=bool))
    assert kernels.take(codes, np.zeros((0, 3), np.int64), 3).shape == (0, 3)
    assert kernels.take(codes, np.zeros((2, 0), np.int64), 3).tolist() == [[0, 0, 0]] * 2
    assert kernels.least_rank(codes, np.zeros((0, 3), np.int64), 3) == 3


@pytest.mark.parametrize("words", [1, 2])
def test_wrong_input_is_refused(words: int) -> None:
    codes = np.ones((3, words), np.uint64)
    with pytest.raises(ValueError, match="outside the matrix"):
        kernels.take(codes, np.array([[3]]), 3)
    with pytest.raises(ValueError, match="outside the matrix"):
        kernels.least_rank(codes, np.array([[3]]), 3)
    with pytest.raises(TypeError):
        kernels.take(codes, np.array([[0]], np.int32), 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        kernels.take(codes.astype(np.int64), np.array([[0]]), 3)  # type: ignore[arg-type]
