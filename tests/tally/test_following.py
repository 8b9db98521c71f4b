"""What one label counts: less than 1 if labels follow one another, but not because a table is sorted or grouped."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.data import IntArray
from unwritten.tally.following import example_weight


def coins(n: int = 500, seed: int = 0, columns: int = 8) -> IntArray:
    """Independent labels."""
    return np.random.default_rng(seed).integers(0, 2, (n, columns))


def series(n: int = 1000, seed: int = 0, columns: int = 8) -> IntArray:
    """Labels that follow one another: from row to row, each column changes with probability 1/20."""
    changes = np.random.default_rng(seed).random((n, columns)) < 0.05
    return np.cumsum(changes, axis=0) % 2


@pytest.mark.parametrize("seed", range(5))
def test_independent_rows_count_fully(seed: int) -> None:
    """Labels drawn one by one are as many as they are."""
    assert example_weight(coins(seed=seed)) == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_a_series_that_changes_slowly_counts_less_and_shuffled_it_counts_fully(seed: int) -> None:
    """A row that copies the row before it is hardly a new decision; in random order, nothing shows that it is."""
    labels = series(seed=seed)
    assert 0 < example_weight(labels) < 0.3
    assert example_weight(np.random.default_rng(seed).permutation(labels)) == 1.0


def test_slower_series_count_less() -> None:
    """The weight falls with the likeness of neighbours."""
    slow = series()
    assert example_weight(slow) < example_weight(slow[::3]) < 1.0


@pytest.mark.parametrize("seed", range(5))
def test_sorted_tables_count_fully(seed: int) -> None:
    """A table sorted by its first columns, or by all of them, is as good as a shuffled one."""
    labels = coins(seed=seed)
    assert example_weight(labels[np.argsort(labels[:, 0], kind="stable")]) == 1.0
    assert example_weight(labels[np.lexsort(labels.T[::-1])]) == 1.0
    assert example_weight(labels[np.lexsort(labels.T[::-1])][::-1]) == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_rows_grouped_by_label_count_fully(seed: int) -> None:
    """Equal rows that stand together are repeats, not a series."""
    kinds = coins(40, seed)
    assert example_weight(np.repeat(kinds, 10, axis=0)) == 1.0
    assert example_weight(np.eye(5, dtype=np.int64).repeat(30, axis=0)) == 1.0


@pytest.mark.parametrize("shape", [(1, 4), (2, 4), (3, 4), (50, 4), (50, 1)])
@pytest.mark.parametrize("value", [0, 1])
def test_constant_columns_and_few_rows_count_fully(shape: tuple[int, int], value: int) -> None:
    """Labels that never change say nothing about what follows what."""
    assert example_weight(np.full(shape, value)) == 1.0


def test_constant_columns_change_nothing() -> None:
    """A constant column next to others does not matter."""
    labels = series()
    constant = np.ones((len(labels), 3), np.int64)
    assert example_weight(np.hstack([constant, labels])) == example_weight(labels)
    assert example_weight(np.array([[0, 1], [1, 0]])) == 1.0
