"""Constant columns are doubted as much as the other columns have rare values."""

from __future__ import annotations

import numpy as np

import unwritten
from unwritten.data import IntArray


def labels(shares: list[float]) -> IntArray:
    """Independent 0/1 columns with these shares, and a column that is always 0."""
    rng = np.random.default_rng(0)
    return np.column_stack([rng.random((500, len(shares))) < shares, np.zeros(500, bool)]).astype(int)


def is_sure(examples: IntArray) -> bool:
    """True if the model says that the last column is 0; if not, it is doubtful."""
    model = unwritten.mine(examples)
    said = f"y{examples.shape[1] - 1} = 0"
    doubted = any(rule.text.startswith(said) for rule in model.doubtful)
    stated = said in {rule.text for rule in model.rules}
    assert stated is not doubted
    return stated


def test_many_columns_that_change_often() -> None:
    """If 30 columns change often, a column that does not change in 500 examples is constant."""
    assert is_sure(labels([0.4] * 30))


def test_few_columns_tell_little() -> None:
    """Four columns say little about how rare values are."""
    assert not is_sure(labels([0.4] * 4))


def test_rare_values_are_contagious() -> None:
    """If other columns have values that one in 300 examples has, a constant column may have one too."""
    assert not is_sure(labels([0.4] * 30 + [0.003] * 12))
