"""Columns that equal another one, read off the Gram matrix block by block, so that wide labels need no second copy."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray


def first_equal_columns(gram: IntArray, columns: IntArray) -> IntArray:
    """For each of the columns, the position of the first column that equals it (its own if no earlier one does).

    Σ(y_i − y_j)² = 0 if Σy_i², Σy_j² and Σy_i·y_j are the same number, so only columns with equal Σy² are compared.
    """
    squares = np.diag(gram)[columns]
    first = np.arange(len(columns))
    order = np.argsort(squares, kind="stable")
    for candidates in np.split(order, np.flatnonzero(np.diff(squares[order])) + 1):
        if len(candidates) < 2:
            continue
        step = max(1, budgets.EQUAL_COLUMN_ENTRIES // len(candidates))
        for start in range(0, len(candidates), step):
            block = candidates[start : start + step]
            equal = gram[np.ix_(columns[block], columns[candidates])] == squares[block[0]]
            first[block] = candidates[equal.argmax(axis=1)]
    return first
