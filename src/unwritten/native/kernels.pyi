"""Compiled kernels. Arrays must have the stated type and be contiguous: nothing is converted."""

import numpy as np
from numpy.typing import NDArray

_Entries = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]
"""Where the entries of each label start, then the columns and the values of all entries; no values if all are 1."""

def common_counts(supports: NDArray[np.uint64]) -> NDArray[np.int32]:
    """For each pair of rows of words, the number of bits that are 1 in both."""

def labels_within(labels: _Entries, weights: NDArray[np.float64], limits: NDArray[np.float64]) -> NDArray[np.uint8]:
    """1 for each label with weights · y ≤ limits in every row, else 0."""

def best_labels(
    labels: _Entries, by_column: _Entries, weights: NDArray[np.float64], equal: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each row of weights, the first label within `equal` of the largest value, and its value."""

def labels_obeying(
    labels: NDArray[np.int64],
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    coefficients: NDArray[np.int64],
    rhs: NDArray[np.int64],
    equality: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """1 for each label that obeys every rule, else 0."""
