"""Labels as lists of their non-zero entries, which is how the compiled kernels read them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unwritten.data.arrays import FloatArray, IntArray, LabelArray
from unwritten.native import kernels

Entries = tuple[IntArray, NDArray[np.int32], FloatArray]
"""Where the entries of each label start, then the columns and the values of all entries; no values if all are 1."""


def entries_of(labels: LabelArray) -> Entries:
    """List the non-zero entries of labels (n × d), each label's in the order of the columns.

    >>> entries_of(np.array([[0, 1, 1], [0, 0, 0], [1, 0, 0]]))
    (array([0, 2, 2, 3]), array([1, 2, 0], dtype=int32), array([], dtype=float64))
    """
    rows, columns = np.nonzero(np.ascontiguousarray(labels != 0))  # in the order of memory, which is much faster
    starts = np.zeros(len(labels) + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=len(labels)), out=starts[1:])
    values = labels[rows, columns]
    return starts, columns.astype(np.int32), np.zeros(0) if (values == 1).all() else values.astype(np.float64)


class LabelTable:
    """Labels (N × d) of which the best is looked up for many rows of weights."""

    def __init__(self, labels: LabelArray) -> None:
        self.labels = labels
        self._by_label, self._by_column = entries_of(labels), entries_of(labels.T)

    def best(self, weights: FloatArray, equal: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return, for each row of weights (m × d), the place of the label with the largest value, and that value.

        Of labels whose value is within `equal` (m) of the largest, the first is taken: rounding must not choose. The
        values are those of `row_values`; without labels they are −∞.
        """
        if not len(self.labels):
            return np.zeros(len(weights), np.int64), np.full(len(weights), -np.inf)
        return kernels.best_labels(self._by_label, self._by_column, np.ascontiguousarray(weights), equal)
