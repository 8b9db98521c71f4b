"""The walk over rows takes the steps that a plain walk takes, whatever the sizes of the sums."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.data import IntArray
from unwritten.native import kernels


def steps(rng: np.random.Generator, columns: int, count: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random steps: columns, changes and factors."""
    which = rng.integers(columns, size=(count, 2), dtype=np.int32)
    return which, rng.integers(-size, size + 1, size=(count, 2), dtype=np.int32), 1 + rng.random(count) / 20


def plain_walk(
    start: IntArray, inside: IntArray, outside: IntArray, which: IntArray, changes: IntArray, factors: IntArray
) -> IntArray:
    """The same walk with wide numbers; keeps each row."""
    row, visited = start.astype(np.int64), []
    inside, outside = inside.astype(np.int64), outside.astype(np.int64)
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


@pytest.mark.parametrize("labels", [300, 40_000])
@pytest.mark.parametrize(("size", "values"), [(3, 3), (400, 3), (5_000, 200), (20_000_000, 200)])
def test_as_plain_walk(size: int, values: int, labels: int) -> None:
    """Sums of 16, 32 and 64 bits give the same walk, also where they outgrow 16 bits on the way."""
    rng = np.random.default_rng(size)
    inside = rng.integers(0, values, size=(5, 40), dtype=np.uint8)
    outside = rng.integers(0, values + 1, size=(5, labels), dtype=np.uint8)
    start = rng.integers(-3 * size, 3 * size + 1, size=5, dtype=np.int32)
    which, changes, factors = steps(rng, 5, 400 if labels < 1_000 else 40, size)
    found = kernels.walked_rows(start, inside, outside, which, changes, factors, every=1)
    expected = plain_walk(start, inside, outside, which, changes, factors)
    assert np.array_equal(found, expected)
    assert len(np.unique(expected, axis=0)) > 5  # the walk moves


@pytest.mark.parametrize("wrong", ["start", "inside", "which", "factors", "no labels", "column", "every"])
def test_wrong_shapes(wrong: str) -> None:
    """Arrays that do not fit together raise a ValueError before anything is read."""
    arrays = {
        "start": np.zeros(3 if wrong == "start" else 2, np.int32),
        "inside": np.zeros((3 if wrong == "inside" else 2, 0 if wrong == "no labels" else 4), np.uint8),
        "outside": np.zeros((2, 4), np.uint8),
        "which": np.full((1 if wrong == "which" else 5, 2), 2 if wrong == "column" else 0, np.int32),
        "changes": np.zeros((5, 2), np.int32),
        "factors": np.ones(4 if wrong == "factors" else 5),
    }
    with pytest.raises(ValueError, match=r"shapes|column"):
        kernels.walked_rows(**arrays, every=0 if wrong == "every" else 1)
