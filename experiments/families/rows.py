"""What makes a problem: rows, each a sum over the variables that must lie in a range, perhaps with a hole in it.

With sums of values and of 0/1 answers to "does variable j have value v?", one kind of row says all of it: capacities,
counts of a value, forbidden pairs, "not equal" (the difference is not 0) and "not at the same time" (the difference of
two start times is not between minus the one length and the other).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

FAR = 1_000_000  # beyond every sum


@dataclass(frozen=True)
class Row:
    """Σ weights[j]·value of j + Σ hits[j, v]·[value of j is v] lies in [least, most] and not in the closed `hole`."""

    weights: Mapping[int, int] = field(default_factory=dict)
    hits: Mapping[tuple[int, int], int] = field(default_factory=dict)
    least: int = -FAR
    most: int = FAR
    hole: tuple[int, int] | None = None


def total(cells: Iterable[int], least: int = -FAR, most: int = FAR) -> Row:
    """The sum of some variables lies in a range."""
    return Row(dict.fromkeys(cells, 1), least=least, most=most)


def weighted(cells: Sequence[int], sizes: Iterable[int], least: int = -FAR, most: int = FAR) -> Row:
    """The sum of some variables, each times its size, lies in a range; sizes of 0 are left out."""
    terms = {cell: int(size) for cell, size in zip(cells, sizes, strict=True) if size}
    return Row(terms, least=least, most=most)


def count(cells: Iterable[int], values: Iterable[int], least: int = 0, most: int = FAR) -> Row:
    """The number of some variables that have one of some values lies in a range."""
    kinds = tuple(values)
    return Row(hits={(cell, value): 1 for cell in cells for value in kinds}, least=least, most=most)


def differ(first: int, second: int, offset: int = 0) -> Row:
    """The value of the first variable is not that of the second plus `offset`."""
    return Row({first: 1, second: -1}, hole=(offset, offset))


def all_different(cells: Sequence[int]) -> list[Row]:
    """No two of some variables have the same value."""
    return [differ(i, j) for i, j in combinations(cells, 2)]


def before(first: int, second: int, gap: int) -> Row:
    """The second variable is at least `gap` greater than the first."""
    return Row({second: 1, first: -1}, least=gap)


def apart(first: int, second: int, length: int, other: int) -> Row:
    """Two jobs that start at these times do not overlap: the first takes `length`, the second `other`."""
    return Row({second: 1, first: -1}, hole=(1 - other, length - 1))
