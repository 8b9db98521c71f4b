"""Rows in terms of columns: what each level of each column adds, free of how the row was written.

Any multiple of "exactly one of a column's variables is 1" can be added to a row. A profile is what all these rows have
in common: for each column a function of its levels whose least value is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import gcd, prod

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.rules.columns.scope import Scope

Sets = tuple[tuple[int, tuple[int, ...]], ...]  # (column, levels), by column


@dataclass(frozen=True)
class Profile:
    """Σ blocks[column][level] + Σ numbers[column]·value, equal to or at most `rhs`."""

    blocks: tuple[tuple[int, tuple[int, ...]], ...]
    numbers: tuple[tuple[int, int], ...]
    equality: bool
    rhs: int

    @property
    def trivial(self) -> bool:
        """Whether every row of a table obeys it, whatever integers it holds."""
        if self.numbers:
            return False
        if self.equality:
            return not self.blocks and self.rhs == 0
        return sum(max(values) for _, values in self.blocks) <= self.rhs

    @property
    def literals(self) -> tuple[Sets, int] | None:
        """As "so many of these literals are true", if it has that form."""
        if self.numbers or not self.blocks or any(set(values) != {0, 1} for _, values in self.blocks):
            return None
        return tuple((c, tuple(k for k, value in enumerate(values) if value)) for c, values in self.blocks), self.rhs


def profile_of(coefficients: IntArray, equality: bool, rhs: int, scope: Scope) -> Profile:
    """The profile of a row, divided by what its entries have in common."""
    parts: dict[int, list[int]] = {}
    numbers: dict[int, int] = {}
    for j in np.flatnonzero(coefficients).tolist():
        c, value = scope.owners[j], int(coefficients[j])
        column = scope.columns[c]
        if column.kind == "integer":
            numbers[c] = value
        elif column.one_hot:
            parts.setdefault(c, [0] * column.width)[j - scope.starts[c]] = value
        else:
            parts[c] = [0, value]
    for c, values in parts.items():
        least = min(values)
        rhs -= least
        parts[c] = [value - least for value in values]
    blocks = tuple((c, tuple(values)) for c, values in sorted(parts.items()) if any(values))
    return _simple(_upright(_reduced(Profile(blocks, tuple(sorted(numbers.items())), equality, rhs))))


def of_literals(sets: Sets, equality: bool, rhs: int, scope: Scope) -> Profile:
    """The profile of "so many of these literals are true"."""
    blocks = tuple((c, tuple(int(k in levels) for k in range(scope.size(c)))) for c, levels in sets)
    return Profile(blocks, (), equality, rhs)


def _reduced(profile: Profile) -> Profile:
    entries = [value for _, values in profile.blocks for value in values] + [value for _, value in profile.numbers]
    common = reduce(gcd, entries, 0)
    if common <= 1 or (profile.equality and profile.rhs % common):
        return profile
    return Profile(
        tuple((c, tuple(value // common for value in values)) for c, values in profile.blocks),
        tuple((c, value // common) for c, value in profile.numbers),
        profile.equality,
        profile.rhs // common,
    )


def _upright(profile: Profile) -> Profile:
    """An equality or its negative, whichever has fewer entries."""
    if not profile.equality:
        return profile
    most = [max(values) for _, values in profile.blocks]
    negative = Profile(
        tuple((c, tuple(top - v for v in values)) for top, (c, values) in zip(most, profile.blocks, strict=True)),
        tuple((c, -value) for c, value in profile.numbers),
        True,
        sum(most) - profile.rhs,
    )
    return min(profile, negative, key=_entries)


def _entries(profile: Profile) -> tuple[int, object, object]:
    sizes = [-value for _, value in profile.numbers]  # the first number positive
    return sum(value > 0 for _, values in profile.blocks for value in values), profile.blocks, sizes


def _simple(profile: Profile) -> Profile:
    """The same with entries 0 and 1, if it only forbids levels of one column, or one rectangle of two columns'."""
    if profile.numbers or not 1 <= len(profile.blocks) <= 2:
        return profile
    if not profile.equality and profile.literals is not None and profile.rhs == len(profile.blocks) - 1:
        return profile  # it is already
    columns, values = zip(*profile.blocks, strict=True)
    sizes = [len(part) for part in values]
    if len(sizes) == 2 and (profile.equality or sizes[0] * sizes[1] > budgets.LEVEL_PAIRS):
        return profile
    sums = [(cell, sum(part[k] for part, k in zip(values, cell, strict=True))) for cell in product(*map(range, sizes))]
    broken = {cell for cell, total in sums if (total != profile.rhs if profile.equality else total > profile.rhs)}
    sides = [{cell[i] for cell in broken} for i in range(len(sizes))]
    if len(broken) != prod(len(side) for side in sides):
        return profile
    blocks = tuple(
        (c, tuple(int(k in side) for k in range(size)))
        for c, side, size in zip(columns, sides, sizes, strict=True)
        if len(side) < size
    )
    return Profile(blocks, (), False, len(blocks) - 1) if broken and blocks else profile
