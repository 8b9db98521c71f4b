"""Which labels obey every rule: the kernel against products of integers."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.data import Variables
from unwritten.native import kernels
from unwritten.rules import GIVEN, RuleSet


def rules_of(matrix: np.ndarray, equality: np.ndarray, rhs: np.ndarray) -> RuleSet:
    r, d = matrix.shape
    variables = Variables.named([f"y{j}" for j in range(d)])
    return RuleSet(variables, matrix, equality, rhs, (GIVEN,) * r, (None,) * r)


@pytest.mark.parametrize("width", [1, 3, 64, 65, 200])
def test_same_as_products(width: int) -> None:
    """A label obeys if and only if no rule is broken, for no rules, rules without entries, and many."""
    rng = np.random.default_rng(width)
    for count in (0, 1, 6):
        matrix = rng.integers(-2, 3, (count, width)) * (rng.random((count, width)) < 0.3)
        labels = rng.integers(-1, 3, (80, width))
        rhs = np.array([rng.choice(labels @ row) for row in matrix], np.int64).reshape(count)
        rules = rules_of(matrix, rng.random(count) < 0.3, rhs)
        assert np.array_equal(rules.obeyed_by(labels), ~rules.broken(labels).any(axis=1))
        assert rules.obeyed_by(labels[:0]).shape == (0,)


def test_sums_near_64_bits() -> None:
    """Sums that fit into 64 bits are exact; where one might not, the slower exact product decides."""
    labels = np.array([[2**31 - 1, 2**31 - 1], [2**31 - 1, 2**31 - 2]])
    for factor in (1, 2**29, 2**31):
        matrix, rhs = np.array([[factor, factor]]), np.array([factor * (2**32 - 2)])
        assert rules_of(matrix, np.array([True]), rhs).obeyed_by(labels).tolist() == [True, False]
    beyond = rules_of(np.array([[2**40, -(2**40)]]), np.array([True]), np.array([0]))
    assert beyond.obeyed_by(labels).tolist() == [True, False]


def test_other_types_and_shapes_are_refused() -> None:
    """Nothing is converted: wrong types raise a TypeError, wrong lengths a ValueError."""
    starts, columns, ones = np.array([0, 1]), np.zeros(1, np.int32), np.ones(1, np.int64)
    with pytest.raises(TypeError):
        kernels.labels_obeying(np.zeros((1, 1)), starts, columns, ones, ones, np.ones(1, np.uint8))
    with pytest.raises(ValueError, match="fit together"):
        kernels.labels_obeying(np.zeros((1, 1), np.int64), starts, columns, ones, ones, np.ones(2, np.uint8))
