"""Twins: columns that equal another, read off the Gram matrix in blocks, so that wide data need no second one."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray


def first_twins(gram: IntArray, columns: IntArray) -> IntArray:
    """For each of the columns, the place among them of the first that equals it (its own, if none before does).

    Σ(y_i − y_j)² = 0 where both squares and the product have one sum: only columns of one square can be equal.
    """
    squares = np.diag(gram)[columns]
    first = np.arange(len(columns))
    order = np.argsort(squares, kind="stable")
    for alike in np.split(order, np.flatnonzero(np.diff(squares[order])) + 1):
        if len(alike) < 2:
            continue
        step = max(1, budgets.EQUAL_COLUMN_ENTRIES // len(alike))
        for start in range(0, len(alike), step):
            some = alike[start : start + step]
            same = gram[np.ix_(columns[some], columns[alike])] == squares[some[0]]
            first[some] = alike[same.argmax(axis=1)]
    return first
