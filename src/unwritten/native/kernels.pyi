"""Compiled kernels. Arrays must have the stated type and be contiguous: nothing is converted."""

import numpy
from numpy.typing import NDArray

def common_counts(supports: NDArray[numpy.uint64]) -> NDArray[numpy.int32]:
    """For each pair of rows of words, the number of bits that are 1 in both."""
