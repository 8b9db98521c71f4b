"""Peeling: rows with a column of their own are independent of all others, whatever these are."""

from __future__ import annotations

import numpy as np

from unwritten.data import IntArray


def peeled(matrix: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Rows that some order shows to be independent of those after them, the rest, and the columns of the rest.

    A column with one entry is in no relation between rows, and so its row is in none; without that row, another
    column may have only one entry left. (Sparse rows, such as groups that share few columns, nearly all go.)

    >>> peeled(np.array([[1, 1, 0], [0, 1, 1], [0, 1, 1]]))
    (array([0]), array([1, 2]), array([1, 2]))
    """
    from scipy.sparse import csr_array

    rows = csr_array(matrix != 0)
    columns = rows.T.tocsr()
    left = np.ones(len(matrix), bool)
    degree = np.diff(columns.indptr)
    waiting = np.flatnonzero(degree == 1).tolist()
    while waiting:
        column = waiting.pop()
        members = columns.indices[columns.indptr[column] : columns.indptr[column + 1]]
        for row in members[left[members]].tolist():  # none, if the row went by another column of its own
            left[row] = False
            touched = rows.indices[rows.indptr[row] : rows.indptr[row + 1]]
            degree[touched] -= 1
            waiting += touched[degree[touched] == 1].tolist()
    return np.flatnonzero(~left), np.flatnonzero(left), np.flatnonzero(degree > 0)
