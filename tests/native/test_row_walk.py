"""The walk over rows takes the steps that a plain walk takes, however few labels it looks at."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.data import IntArray
from unwritten.native import kernels


def steps(rng: np.random.Generator, columns: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random steps: columns, changes and factors."""
    which = rng.integers(columns, size=(count, 2), dtype=np.int32)
    return which, rng.integers(-3, 4, size=(count, 2), dtype=np.int32), 1 + rng.random(count) / 20


def plain_walk(
    start: IntArray, inside: IntArray, outside: IntArray, which: IntArray, changes: IntArray, factors: IntArray
) -> IntArray:
    """The same walk with all labels in every step; keeps each row."""
    row, visited = start.astype(np.int64), []
    bound = int((row @ inside).max())
    for (i, j), (u, v), factor in zip(which.tolist(), changes.tolist(), factors.tolist(), strict=True):
        new = row.copy()
        new[i] += u
        new[j] += v
        new_bound = int((new @ inside).max())
        if (new @ outside <= new_bound).sum() <= (row @ outside <= bound).sum() * factor:
            row, bound = new, new_bound
        visited.append([*row.tolist(), bound])
    return np.array(visited)


@pytest.mark.parametrize("reach", [0, 10, 1000])
def test_as_plain_walk(reach: int) -> None:
    """The window of labels near the edge changes nothing, whenever it is chosen afresh."""
    rng = np.random.default_rng(reach)
    inside = rng.integers(0, 3, size=(5, 40), dtype=np.int32)
    outside = rng.integers(0, 4, size=(5, 300), dtype=np.int32)
    start = rng.integers(-9, 10, size=5, dtype=np.int32)
    which, changes, factors = steps(rng, 5, 400)
    found = kernels.walked_rows(
        start, inside, outside, which, changes, factors, window=2 * (reach + 12) * 3, reach=reach, every=1
    )
    expected = plain_walk(start, inside, outside, which, changes, factors)
    assert np.array_equal(found, expected)
    assert len(np.unique(expected, axis=0)) > 10  # the walk moves


@pytest.mark.parametrize("wrong", ["start", "inside", "which", "factors", "no labels", "column"])
def test_wrong_shapes(wrong: str) -> None:
    """Arrays that do not fit together raise a ValueError before anything is read."""
    arrays = {
        "start": np.zeros(3 if wrong == "start" else 2, np.int32),
        "inside": np.zeros((3 if wrong == "inside" else 2, 0 if wrong == "no labels" else 4), np.int32),
        "outside": np.zeros((2, 4), np.int32),
        "which": np.full((1 if wrong == "which" else 5, 2), 2 if wrong == "column" else 0, np.int32),
        "changes": np.zeros((5, 2), np.int32),
        "factors": np.ones(4 if wrong == "factors" else 5),
    }
    with pytest.raises(ValueError, match=r"shapes|column"):
        kernels.walked_rows(**arrays, window=10, reach=5, every=1)
