"""The memory of labels that were tested against the cuts."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten import budgets
from unwritten.solving import cut_memory
from unwritten.solving.cut_memory import CutMemory


@pytest.fixture
def tests(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record how many labels each test of the cuts was given."""
    counts: list[int] = []

    def counted(labels: np.ndarray, weights: np.ndarray, limits: np.ndarray) -> np.ndarray:
        counts.append(len(labels))
        return (labels @ weights.T <= limits).all(axis=1)

    monkeypatch.setattr(cut_memory, "within", counted)
    return counts


def test_each_label_is_tested_once(tests: list[int]) -> None:
    """Equal labels, in one call or in two, are tested once; labels that differ in one entry are not mixed up."""
    memory = CutMemory(np.array([[1.0, 1.0, 1.0]]), np.array([1.5]))
    labels = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 0]])
    assert memory.passes(labels).tolist() == [True, False, True]
    assert memory.passes(labels[::-1]).tolist() == [True, False, True]
    assert memory.passes(np.array([[1, 1, 0], [1, 1, 1], [0, 0, 1]])).tolist() == [False, False, True]
    assert tests == [2, 2]


def test_the_memory_is_bounded(tests: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for ten labels, the results stay right, and never more than ten labels are remembered."""
    monkeypatch.setattr(budgets, "TESTED_LABEL_BYTES", 10 * (8 * 6 + cut_memory.ENTRY_BYTES))
    memory = CutMemory(np.ones((1, 6)), np.array([3.5]))
    rng = np.random.default_rng(0)
    for count in (4, 4, 4, 30, 7, 1):
        labels = rng.integers(0, 2, (count, 6))
        assert memory.passes(labels).tolist() == (labels.sum(axis=1) <= 3).tolist()
        assert len(memory._tested) <= 10


def test_no_cuts(tests: list[int]) -> None:
    """Without cuts every label passes, and none is remembered."""
    assert CutMemory(np.zeros((0, 2)), np.zeros(0)).passes(np.zeros((3, 2), int)).tolist() == [True] * 3
    assert tests == []
