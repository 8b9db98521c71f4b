"""Exact references that the tests compare with: slow, short, and written without the code under test."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from math import gcd

import numpy as np

from unwritten.data import IntArray


def echelon(rows: Iterable[Iterable[int]]) -> list[list[Fraction]]:
    """The non-zero rows of the reduced echelon form, which are equal if two matrices span the same space."""
    table = [[Fraction(int(x)) for x in row] for row in rows]
    width = len(table[0]) if table else 0
    done = 0
    for column in range(width):
        pivot = next((i for i in range(done, len(table)) if table[i][column]), None)
        if pivot is None:
            continue
        table[done], table[pivot] = table[pivot], table[done]
        head = table[done][column]
        table[done] = [x / head for x in table[done]]
        for i, row in enumerate(table):
            if i != done and row[column]:
                times = row[column]
                table[i] = [x - times * y for x, y in zip(row, table[done], strict=True)]
        done += 1
    return table[:done]


def rank(rows: Iterable[Iterable[int]]) -> int:
    """The rank over the rationals."""
    return len(echelon(rows))


def same_span(left: Iterable[Iterable[int]], right: Iterable[Iterable[int]]) -> bool:
    """True if the rows of both matrices span the same space."""
    return echelon(left) == echelon(right)


def determinant(square: IntArray) -> int:
    """The determinant, by expansion."""
    if len(square) == 0:
        return 1
    rest = square[1:]
    return sum(
        (-1) ** j * int(square[0, j]) * determinant(np.delete(rest, j, axis=1))
        for j in range(len(square))
        if square[0, j]
    )


def minors_gcd(rows: IntArray) -> int:
    """The gcd of the maximal minors: 1 iff the rows generate every integer point of their span."""
    columns = combinations(range(rows.shape[1]), len(rows))
    return gcd(*(determinant(rows[:, list(chosen)]) for chosen in columns))


def exact_product(left: IntArray, right: IntArray) -> list[list[int]]:
    """left @ right in Python integers."""
    columns = [[int(x) for x in column] for column in right.T]
    return [[sum(int(a) * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left]


def annihilates(matrix: IntArray, rows: IntArray) -> bool:
    """True if matrix · row = 0 for every row."""
    return not any(any(line) for line in exact_product(matrix, rows.T))


def box(low: int, high: int, width: int) -> IntArray:
    """All integer points of a cube."""
    return np.array(list(product(range(low, high + 1), repeat=width)), np.int64)


def bordered(labels: IntArray) -> IntArray:
    """[labels, 1]."""
    return np.column_stack([labels, np.ones(len(labels), np.int64)])
