"""Rulers: columns whose differences all differ, as those of the marks of a Golomb ruler.

x_j − x_i = x_l − x_k is 0 = x_i − x_j − x_k + x_l: a sum of three or four columns that is never 0. There are many such
sums for few columns, and the rule is believed if none of them is ever 0, though at least half of those for which that
was to be expected surely rule it out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.data.layout import Layout
from unwritten.mining.gaps.difference_counts import LEAST_EXPECTED
from unwritten.mining.gaps.finding import GapJudge, Ruled
from unwritten.rules.gaps.gap import difference_forms

LEAST_MARKS = 4  # three columns have a single sum, which says little
LEAST_SUMS = 4  # sums that must surely never be 0

Form = tuple[IntArray, IntArray]  # columns and their factors


def ruler_lines(layout: Layout, seen: IntArray) -> list[tuple[int, ...]]:
    """The columns that may be marks of one ruler: lines along ordered axes; without any grid, all columns.

    A line has neither too many columns nor values that are too far apart.
    """
    lines = list(_lines(layout)) if layout.grids else [tuple(range(seen.shape[1]))]
    return [line for line in dict.fromkeys(lines) if _is_short(line) and _span(seen[:, line]) <= budgets.GAP_SPAN]


def _lines(layout: Layout) -> Iterator[tuple[int, ...]]:
    for grid in layout.grids:
        for k, axis in enumerate(grid.axes):
            if axis.ordered:
                lines = np.moveaxis(grid.places, k, -1).reshape(-1, len(axis.values))
                yield from (tuple(line[line >= 0].tolist()) for line in lines)


def _is_short(line: Sequence[int]) -> bool:
    return LEAST_MARKS <= len(line) <= budgets.RULER_MARKS


def _span(labels: IntArray) -> int:
    return int(labels.max()) - int(labels.min())


def ruler_sums(marks: int) -> int:
    """The number of sums that are 0 if two differences of so many columns are equal.

    No two differences are equal just because the first and the last column are.
    """
    return comb(marks, 2) - 1 + comb(marks, 3) + 2 * comb(marks, 4)


def ruler(labels: IntArray, judge: GapJudge, weight: float, families: int) -> list[Ruled] | None:
    """The reasons why all differences of the columns of distinct labels (n × k) differ; None if they may not.

    A label counts as `weight` of one, and `families` lines were tried.
    """
    marks = labels.astype(np.int64) - int(labels.min())
    values = [np.bincount(column) for column in marks.T]
    expected = []
    for columns, factors in _forms(labels.shape[1]):
        sums = marks[:, columns] @ factors
        if not sums.all():
            return None
        beside = min(np.count_nonzero(sums == 1), np.count_nonzero(sums == -1))
        if len(columns) > 2 and weight * beside >= LEAST_EXPECTED:
            expected.append(min(beside, _by_chance([values[j] for j in columns], factors, len(labels))))
    strengths = weight * np.array(expected)
    reasons = judge.ruled_out(strengths, np.zeros(len(strengths), np.int64), np.zeros(0), families)
    sure = [reason for reason in reasons if reason is not None]
    return sure if len(sure) >= max(LEAST_SUMS, len(strengths) / 2) else None


def _forms(marks: int) -> list[Form]:
    """The sums that are 0 if two differences are equal; those of two columns, which refute fastest, come first."""
    forms = difference_forms(tuple(map(str, range(marks))))
    return [(np.array([int(name) for name, _ in form]), np.array([factor for _, factor in form])) for form in forms]


def _by_chance(values: list[IntArray], factors: IntArray, n: int) -> float:
    """How many of n examples would have the sum 0 if the columns were independent.

    Both signs of factors occur, so the sum is 0 if the columns with one sign have the same sum as the others.
    """
    sides = [
        _distribution([(v, f) for v, f in zip(values, factors, strict=True) if sign * f > 0], n) for sign in (1, -1)
    ]
    least = min(map(len, sides))
    return float(n * (sides[0][:least] @ sides[1][:least]))


def _distribution(terms: list[tuple[IntArray, int]], n: int) -> FloatArray:
    """How likely each value of a sum of independent columns is; they count from 0, and factors lose their sign."""
    total = np.ones(1)
    for counts, factor in terms:
        spread = np.zeros((len(counts) - 1) * abs(int(factor)) + 1)
        spread[:: abs(int(factor))] = counts / n
        total = np.convolve(total, spread)
    return total
