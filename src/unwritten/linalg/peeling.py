"""Peeling: set aside rows that are independent of all others because they alone have an entry in some column."""

from __future__ import annotations

import numpy as np

from unwritten.data import IntArray


def peeled(matrix: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the rows that can be set aside, the remaining rows, and the columns in which these have entries.

    If a column has a single entry, no relation between rows contains the row of that entry, so it is set aside. Another
    column may then have a single entry left, and so on. Sparse rows, such as groups that share few columns, nearly all
    go this way.

    >>> peeled(np.array([[1, 1, 0], [0, 1, 1], [0, 1, 1]]))
    (array([0]), array([1, 2]), array([1, 2]))
    """
    from scipy.sparse import csr_array

    rows = csr_array(matrix != 0)
    columns = rows.T.tocsr()
    remains = np.ones(len(matrix), bool)
    degree = np.diff(columns.indptr)
    waiting = np.flatnonzero(degree == 1).tolist()
    while waiting:
        column = waiting.pop()
        members = columns.indices[columns.indptr[column] : columns.indptr[column + 1]]
        for row in members[remains[members]].tolist():  # empty if the row was set aside through another column
            remains[row] = False
            touched = rows.indices[rows.indptr[row] : rows.indptr[row + 1]]
            degree[touched] -= 1
            waiting += touched[degree[touched] == 1].tolist()
    return np.flatnonzero(~remains), np.flatnonzero(remains), np.flatnonzero(degree > 0)
