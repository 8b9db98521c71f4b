"""Rules with little to compare with: covers are judged by pairs too, and the joint test needs examples at stake."""

from __future__ import annotations

import numpy as np
import pytest

import unwritten
from unwritten.data import IntArray

COVER = "at least one of y12, y13, y14"


def pairs_and_a_cover(slips: bool) -> IntArray:
    """Six pairs of columns that are never both 1, or in one label each; the next three columns are never all 0."""
    rng = np.random.default_rng(0)
    first = rng.random((1_000, 6)) < 0.4
    second = (rng.random((1_000, 6)) < 0.5) & ~first
    if slips:
        for j in range(6):
            first[100 * j, j] = second[100 * j, j] = True
    last = rng.random((1_000, 3)) < 0.5
    last[~last.any(axis=1), 0] = True
    return np.column_stack([first, second, last]).astype(np.int64)


@pytest.mark.parametrize("slips", [False, True])
def test_a_cover_is_doubtful_where_pairs_that_stand_out_as_much_have_exceptions(slips: bool) -> None:
    """A single cover has no near-covers to compare with; pairs that few examples break tell how often luck strikes."""
    model = unwritten.mine(pairs_and_a_cover(slips), progress=False)
    assert (COVER in [rule.text for rule in model.rules]) is not slips
    assert any(COVER in rule.text for rule in model.doubtful) is slips


def rare_columns(together: int) -> IntArray:
    """Four columns of which one is 1, and thirty that are 1 in one label each, but for two that are so together."""
    labels = np.zeros((2_000, 34), np.int64)
    labels[np.arange(2_000), np.random.default_rng(0).integers(4, size=2_000)] = 1
    labels[50 * np.arange(6, 34), np.arange(6, 34)] = 1
    labels[200 + 7 * np.arange(together), 4:6] = 1
    return labels


@pytest.mark.parametrize("together", [1, 3])
def test_columns_that_are_equal_by_one_example_are_not_a_rule(together: int) -> None:
    """Rare columns that meet once may do so by chance, though all equalities together hold; three times they do not."""
    model = unwritten.mine(rare_columns(together), progress=False)
    assert ("y4 = y5" in [rule.text for rule in model.rules]) is (together == 3)
    assert any("y4 = y5" in rule.text for rule in model.doubtful) is (together == 1)
