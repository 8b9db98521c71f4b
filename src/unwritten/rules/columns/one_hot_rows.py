"""Rows over one-hot blocks: what each level of a column adds, and which multiples of a block's own row to take off.

A block is the 0/1 variables of a one-hot column, exactly one of which is 1. The meaning of a row therefore stays the
same if one number is subtracted from all its coefficients in a block and from its right-hand side. There are two useful
choices of that number: the least coefficient gives a form that does not depend on how the row was written
(`with_least_zero`), the commonest one leaves the fewest coefficients (`with_fewest_entries`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from unwritten import linalg
from unwritten.data import IntArray
from unwritten.rules.columns.scope import Scope


def level_values(coefficients: IntArray, scope: Scope) -> tuple[dict[int, list[int]], dict[int, int]]:
    """Return what each level of a column adds to a row, and the factor of each integer column.

    Both are keyed by the column's place in the scope, in ascending order, and hold only columns that the row touches.
    The first level of a boolean column adds 0.
    """
    levels: dict[int, list[int]] = {}
    factors: dict[int, int] = {}
    for j in coefficients.nonzero()[0].tolist():
        c, value = scope.owners[j], int(coefficients[j])
        column = scope.columns[c]
        if column.kind == "integer":
            factors[c] = value
        elif column.one_hot:
            levels.setdefault(c, [0] * column.width)[j - scope.starts[c]] = value
        else:
            levels[c] = [0, value]
    return levels, factors


def with_least_zero(values: Sequence[int]) -> tuple[list[int], int]:
    """Subtract the least value from all of them; return the differences and that value.

    >>> with_least_zero([-1, 0, 2])
    ([0, 1, 3], -1)
    """
    least = min(values)
    return [value - least for value in values], least


def commonest(values: Sequence[int]) -> int:
    """The most frequent value; of several, 0 if it is among them, else the least.

    >>> commonest([1, 0, 1, 0, 2])
    0
    """
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value != 0, value))


def with_fewest_entries(rows: IntArray, blocks: Sequence[IntArray]) -> IntArray:
    """Return rows `[a, −b]` of the same meaning with as few coefficients in each block as possible.

    The price of naming a rule depends on its coefficients, and so does the evidence for it.
    """
    if not blocks or not len(rows):
        return rows
    short = rows.copy()
    for row in short:
        for block in blocks:
            shift = commonest(row[block].tolist())
            if shift:
                row[block] -= shift
                row[-1] += shift
    return linalg.canonical(short)
