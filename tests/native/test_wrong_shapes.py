"""Arrays of rules, cuts and queries that do not fit together raise a ValueError before anything is read."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.native import kernels


def group_rules(cuts: tuple[int, int] = (2, 1), limits: int = 2, members: int = 0) -> kernels.GroupRules:
    """One variable in a group of its own, without rows."""
    none, starts, group = np.zeros(0, np.int32), np.array([0], np.int32), np.array([0, 1], np.int32)
    literals, empty = np.array([members], np.int32), np.array([True])
    rows = starts, none, none, group, literals, empty
    weighted = starts, none, np.zeros(0, np.int64), np.zeros(0, np.int64)
    return kernels.GroupRules(1, *rows, *weighted, np.zeros(cuts), np.zeros(limits), 100)


@pytest.mark.parametrize(
    ("literals", "coefficients", "what"),
    [
        ([0], [0], "above 0"),
        ([0, 0], [1, 1], "twice"),
        ([0, 1], [1, 1], "twice"),
        ([0], [2**62 - 4], "too large"),
        ([2], [1], "well formed"),
        ([0], [1, 1], "length"),
    ],
)
def test_weighted_rows(literals: list[int], coefficients: list[int], what: str) -> None:
    """Weighted rows with coefficients of 0, too large ones, and variables that repeat or do not exist are refused."""
    none, starts, group = np.zeros(0, np.int32), np.array([0], np.int32), np.array([0, 1], np.int32)
    rows = starts, none, none, group, np.zeros(1, np.int32), np.array([True])
    weighted = (
        np.array([0, len(literals)], np.int32),
        np.array(literals, np.int32),
        np.array(coefficients, np.int64),
        np.array([5], np.int64),
    )
    with pytest.raises(ValueError, match=what):
        kernels.GroupRules(1, *rows, *weighted, np.zeros((0, 1)), np.zeros(0), 100)


def best_first_rules(cuts: tuple[int, int] = (2, 1), limits: int = 2, upper: int = 1) -> kernels.BestFirstRules:
    """One variable without rules."""
    none = np.zeros(0, np.int64)
    bounds = np.zeros(1, np.int64), np.ones(upper, np.int64)
    matrix = np.zeros((0, 1), np.int64)
    return kernels.BestFirstRules(matrix, none, np.zeros(0, bool), *bounds, np.zeros(cuts), np.zeros(limits), 100)


@pytest.mark.parametrize(
    "wrong", [{"limits": 1}, {"limits": 3}, {"cuts": (2, 2)}, {"members": 2}, {"members": -1}], ids=str
)
def test_group_rules(wrong: dict[str, int]) -> None:
    """Limits without cuts, cuts of other columns and literals of other variables are refused."""
    with pytest.raises(ValueError, match=r"cut|literals"):
        group_rules(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"limits": 1}, {"limits": 3}, {"cuts": (2, 2)}, {"upper": 2}], ids=str)
def test_best_first_rules(wrong: dict[str, int]) -> None:
    """Limits without cuts, cuts of other columns and bounds of other variables are refused."""
    with pytest.raises(ValueError, match=r"cut|shapes"):
        best_first_rules(**wrong)  # type: ignore[arg-type]


def test_queries() -> None:
    """Weights of other columns, and tolerances of other queries, are refused."""
    one, two = np.zeros((1, 1)), np.zeros((1, 2))
    floor, price = np.zeros(1), np.zeros(0)
    groups, best_first = group_rules(), best_first_rules()
    for weights, equal in ((two, floor), (one, np.zeros(2))):
        with pytest.raises(ValueError, match="shapes"):
            groups.search(weights, weights, floor, price, equal, floor, 10, 1.0, lambda: False)
        with pytest.raises(ValueError, match="shapes"):
            best_first.search(weights, np.zeros((1, 0)), floor, equal, 10, 1.0, lambda: False)
