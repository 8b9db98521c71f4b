"""Which labels satisfy every half-space: the kernel against sums in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.data.halfspaces import within
from unwritten.data.label_entries import entries_of
from unwritten.native import kernels


def in_order(weights: np.ndarray, label: np.ndarray) -> float:
    """Add the terms from the first column to the last."""
    total = 0.0
    for weight, entry in zip(weights.tolist(), label.tolist(), strict=True):
        total += weight * entry
    return total


@pytest.mark.parametrize("width", [1, 2, 7, 8, 9, 17, 64, 65, 130, 800])
@pytest.mark.parametrize("highest", [1, 3])
def test_same_as_sums_in_plain_python(width: int, highest: int) -> None:
    """For few and many labels and rows, a label is inside if and only if no row is exceeded."""
    rng = np.random.default_rng(width)
    for labels, rows in ((0, 5), (1, 40), (4, 1), (5, 0), (6, 40), (70, 21)):
        points = rng.integers(-highest if highest > 1 else 0, highest + 1, (labels, width))
        weights = rng.normal(size=(rows, width))
        limits = rng.normal(3.0 * np.sqrt(width), 1.0, rows)
        expected = [all(in_order(w, y) <= b for w, b in zip(weights, limits, strict=True)) for y in points]
        assert within(points, weights, limits).tolist() == expected


def test_a_value_on_the_limit_is_inside() -> None:
    """The sum has the bits of the fixed order, in tiles as for single labels, so equality can be relied on."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, (50, 23))
    weights = rng.normal(size=(300, 23))
    highest = np.array([max(in_order(w, y) for y in labels) for w in weights])
    best = np.array([[in_order(w, y) for y in labels] for w in weights]).argmax(axis=1)
    assert within(labels, weights, highest).all()
    below = within(labels, weights, np.nextafter(highest, -np.inf))
    assert not below[np.unique(best)].any()
    for i in (0, 1):
        assert within(labels[i : i + 1], weights, highest)[0]


def test_labels_of_zeros_and_extreme_entries() -> None:
    """A label without entries has the value 0; entries of 31 bits are exact."""
    labels = np.array([[0, 0], [2**31 - 1, 0], [0, -(2**31 - 1)]])
    weights, limits = np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([2.0**31 - 1, 2.0**31 - 2])
    assert within(labels, weights, limits).tolist() == [True, True, False]
    assert within(np.repeat(labels, 4, axis=0), weights, limits).tolist() == [True] * 8 + [False] * 4
    assert not within(labels, np.zeros((1, 2)), np.array([-1.0])).any()


def test_other_types_and_shapes_are_refused() -> None:
    """Nothing is converted: wrong types raise a TypeError, wrong lengths a ValueError."""
    labels = entries_of(np.array([[1, 0], [1, 1]]))
    with pytest.raises(TypeError):
        kernels.labels_within(labels, np.zeros((1, 2), np.float32), np.zeros(1))
    with pytest.raises(TypeError):
        kernels.labels_within(labels, np.zeros((2, 2)).T[::1, ::-1], np.zeros(2))
    with pytest.raises(TypeError):
        kernels.labels_within((labels[0].astype(np.int32), *labels[1:]), np.zeros((1, 2)), np.zeros(1))
    with pytest.raises(ValueError, match="fit together"):
        kernels.labels_within(labels, np.zeros((1, 2)), np.zeros(2))
