"""The best of many labels: the kernel against sums in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.data.label_entries import LabelTable, entries_of
from unwritten.data.products import row_values
from unwritten.native import kernels


def reference(labels: np.ndarray, weights: np.ndarray, equal: np.ndarray) -> tuple[list[int], list[float]]:
    """Take the first label within `equal` of the largest sum in the fixed order."""
    best, values = [], []
    for row, room in zip(weights, equal, strict=True):
        sums = row_values(np.repeat(row[None], len(labels), axis=0), labels)
        best.append(int(np.flatnonzero(sums >= sums.max() - room)[0]))
        values.append(float(sums[best[-1]]))
    return best, values


@pytest.mark.parametrize("width", [1, 5, 8, 9, 16, 17, 70, 400])
@pytest.mark.parametrize("kind", ["few ones", "many ones", "integers"])
def test_same_as_sums_in_plain_python(width: int, kind: str) -> None:
    """The same labels and the same bits, for one query or many, with few weights or many, and with ties."""
    rng = np.random.default_rng(width)
    for count in (1, 3, 64, 65, 200):
        labels = rng.integers(-2, 3, (count, width))
        if kind != "integers":
            labels = (rng.random((count, width)) < (0.1 if kind == "few ones" else 0.7)).astype(np.int64)
        table = LabelTable(labels)
        for queries in (1, 2, 3, 40):
            dense = rng.normal(size=(queries, width))
            few = np.where(rng.random(dense.shape) < 0.05, dense, 0.0)
            for weights in (dense, few, np.rint(dense), np.where(np.arange(queries)[:, None] % 2, dense, few)):
                for equal in (np.zeros(queries), np.full(queries, 0.3)):
                    best, values = table.best(weights, equal)
                    assert (best.tolist(), values.tolist()) == reference(labels, weights, equal)


def test_the_first_of_nearly_equal_labels() -> None:
    """A label within the tolerance of the largest value counts, one within the tolerance of such a label does not."""
    labels = np.eye(4, dtype=np.int64)
    weights = np.tile([0.0, 0.6, 1.2, 1.1], (5, 1))
    best, values = LabelTable(labels).best(weights, np.full(5, 1.0))
    assert best.tolist() == [1] * 5
    assert values.tolist() == [0.6] * 5


def test_no_labels_and_no_negative_zero() -> None:
    """Without labels the values are −∞; a sum that is zero is +0.0."""
    none = LabelTable(np.zeros((0, 3), np.int64))
    assert none.best(np.ones((2, 3)), np.zeros(2))[1].tolist() == [-np.inf, -np.inf]
    for queries in (1, 4):
        for labels in ([[0, 0, 0]], [[1, 0, 0]]):
            values = LabelTable(np.array(labels)).best(np.full((queries, 3), -0.0), np.zeros(queries))[1]
            assert not np.signbit(values).any()


def test_other_types_and_shapes_are_refused() -> None:
    """Nothing is converted: wrong types raise a TypeError, wrong lengths a ValueError."""
    labels, by_column = entries_of(np.eye(2, dtype=int)), entries_of(np.eye(2, dtype=int))
    with pytest.raises(TypeError):
        kernels.best_labels(labels, by_column, np.zeros((1, 2), np.float32), np.zeros(1))
    with pytest.raises(ValueError, match="fit together"):
        kernels.best_labels(labels, by_column, np.zeros((1, 2)), np.zeros(2))
    with pytest.raises(ValueError, match="fit together"):
        kernels.best_labels(labels, by_column, np.zeros((1, 3)), np.zeros(1))
