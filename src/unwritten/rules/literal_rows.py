"""Rows of literals: exactly one, at most one or at least one of some literals is true.

A literal is a 0/1 variable (2j, true when y_j is 1) or its complement (2j + 1, true when y_j is 0). "p is the sum of
its children" is exactly one of {children, 1 − p}; "a requires b" is at most one of {a, 1 − b}. One-hot blocks play no
part here: the literals are about single variables, not about sets of levels as in `columns`.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import BoolArray, IntArray

EXACTLY, AT_MOST, AT_LEAST = 0, 1, 2

LiteralRow = tuple[list[int], int]  # literals, and EXACTLY, AT_MOST or AT_LEAST (one of them is true)


def have_literal_form(matrix: IntArray, equality: BoolArray, rhs: IntArray) -> BoolArray:
    """Return, for each rule over 0/1 variables, whether `as_literals` writes it as rows of literals.

    >>> have_literal_form(np.array([[1, -1, 0], [2, 1, 1]]), np.array([False, False]), np.array([0, 2])).tolist()
    [True, False]
    """
    steps = np.maximum(np.abs(matrix).max(axis=1, initial=0), 1)
    used, negative = matrix != 0, matrix < 0
    even: BoolArray = (~used | (np.abs(matrix) == steps[:, None])).all(axis=1)
    counts, sizes = rhs // steps + negative.sum(axis=1), used.sum(axis=1)
    return np.asarray(even & ((counts <= 1) | (counts >= sizes - 1) | (equality & (rhs % steps != 0))))


def as_literals(coefficients: IntArray, equality: bool, rhs: int, step: int) -> list[LiteralRow] | None:
    """Write a rule whose coefficients are all ±step as rows of literals.

    The list is empty if the rule always holds. The result is None if the rule has another form.

    >>> as_literals(np.array([1, -1, 0]), False, 0, 1)  # y0 requires y1
    [([0, 3], 1)]
    """
    columns = np.flatnonzero(coefficients)
    values = [int(value) for value in coefficients[columns]]
    if any(abs(value) != step for value in values):
        return None
    literals = [2 * int(j) + (value < 0) for j, value in zip(columns, values, strict=True)]
    complements = [literal ^ 1 for literal in literals]
    n = len(literals)
    count = rhs // step + sum(value < 0 for value in values)  # literals that are true, or may at most be true
    impossible: list[LiteralRow] = [([], AT_LEAST)]
    if count < 0 or (equality and (count > n or rhs % step)):
        return impossible
    if not equality and count >= n:
        return []
    if count == 0:
        return [([literal], EXACTLY) for literal in complements]
    if count == n:
        return [([literal], EXACTLY) for literal in literals]
    if count == 1:
        return [(literals, EXACTLY if equality else AT_MOST)]
    if count == n - 1:
        return [(complements, EXACTLY if equality else AT_LEAST)]
    return None
