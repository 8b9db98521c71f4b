"""The kernel that searches for minimal covers against plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import reference_mining as reference
from interruption import seconds_to_stop

from unwritten.data import BoolArray, IntArray
from unwritten.native import kernels

LIMITS = {"largest": 6, "swaps": 12, "patience": 8, "most": 100, "work": 10**9, "seed": 0}


def found(labels: BoolArray, pairs: IntArray, **limits: Any) -> list[list[int]]:
    rows = kernels.find_covers(labels, pairs, **LIMITS | limits)
    assert rows.dtype == np.uint8
    return [np.flatnonzero(row).tolist() for row in rows]


def random_case(n: int, width: int, seed: int) -> tuple[BoolArray, IntArray]:
    """Distinct labels that each have a column, and all pairs of columns in random order."""
    rng = np.random.default_rng(seed)
    labels = np.unique(rng.random((n, width)) < rng.choice([0.2, 0.4, 0.6]), axis=0)
    labels = labels[labels.any(axis=1)]
    return labels, rng.permutation(np.column_stack(np.triu_indices(width, 1)).astype(np.int64))[:40]


@pytest.mark.parametrize("seed", range(25))
def test_same_covers_in_the_same_order(seed: int) -> None:
    labels, pairs = random_case(n=[5, 20, 70][seed % 3], width=[4, 9, 14][seed % 3], seed=seed)
    limits = LIMITS | {"seed": seed, "largest": 3 + seed % 7}
    assert found(labels, pairs, **limits) == reference.find_covers(labels, pairs, **limits)


@pytest.mark.parametrize(("n", "width"), [(300, 5), (12, 70), (40, 130)])
def test_more_than_one_word_of_labels_or_columns(n: int, width: int) -> None:
    rng = np.random.default_rng(n)
    labels, pairs = random_case(n, width, seed=n)
    if n == 300:
        labels = rng.random((n, width)) < 0.5  # repeated labels are allowed
        labels[~labels.any(axis=1), 0] = True
    pairs = pairs[:6]
    limits = LIMITS | {"swaps": 5, "largest": 12}
    covers = found(labels, pairs, **limits)
    assert covers and covers == reference.find_covers(labels, pairs, **limits)


@pytest.mark.parametrize("limit", ["work", "most", "patience", "swaps", "largest"])
def test_limits_end_the_search_at_the_same_place(limit: str) -> None:
    labels, pairs = random_case(40, 10, seed=3)
    for value in (0, 1, 2, 3, 5, 10) if limit != "work" else (0, 100, 1_000, 3_000, 10_000, 20_000, 50_000):
        limits = LIMITS | {limit: value}
        assert found(labels, pairs, **limits) == reference.find_covers(labels, pairs, **limits)


def test_covers_are_minimal_covers() -> None:
    labels, pairs = random_case(60, 12, seed=1)
    covers = found(labels, pairs, swaps=100)
    assert covers
    for cover in covers:
        hits = labels[:, cover].sum(axis=1)
        assert hits.min() >= 1
        assert all((hits[labels[:, j]] == 1).any() for j in cover)


def test_edges() -> None:
    """No labels are covered by no column; without pairs nothing is searched; one shared column covers alone."""
    pair = np.array([[0, 1]])
    assert found(np.zeros((0, 2), bool), pair) == [[]]
    assert found(np.ones((3, 2), bool), np.zeros((0, 2), np.int64)) == []
    assert found(np.ones((3, 2), bool), pair) == [[1]]


def test_wrong_input_is_refused() -> None:
    labels, pairs = np.ones((3, 2), bool), np.array([[0, 1]])
    with pytest.raises(TypeError):
        found(labels.astype(np.uint8), pairs)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        found(labels, pairs.astype(np.int32))
    with pytest.raises(ValueError, match="outside the labels"):
        found(labels, np.array([[0, 2]]))
    with pytest.raises(ValueError, match="two different columns"):
        found(labels, np.array([[1, 1]]))
    with pytest.raises(ValueError, match="without columns"):
        found(np.zeros((1, 2), bool), pairs)


def test_interrupt_ends_the_search() -> None:
    labels, pairs = random_case(2_000, 40, seed=0)
    endless = LIMITS | {"swaps": 10**15, "patience": 10**15, "work": 10**15, "largest": 20}
    assert seconds_to_stop(lambda: kernels.find_covers(labels, pairs, **endless)) < 0.9
