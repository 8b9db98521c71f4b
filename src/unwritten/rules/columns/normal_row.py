"""The normal form of a row over columns: rows with the same meaning have the same form, however they were written.

Any multiple of "exactly one of a column's variables is 1" can be added to a row without changing its meaning. The
normal form gives each level of a column the number that it adds, with the least of these numbers 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import gcd, prod

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.rules.columns.one_hot_rows import level_values, with_least_zero
from unwritten.rules.columns.scope import Scope

LevelSets = tuple[tuple[int, tuple[int, ...]], ...]  # (column, levels), by column


@dataclass(frozen=True)
class NormalRow:
    """The row Σ blocks[column][level] + Σ numbers[column]·value, equal to `rhs` or (unless `equality`) at most `rhs`.

    `blocks` are pairs (column, what each of its levels adds), `numbers` pairs (integer column, factor).
    """

    blocks: tuple[tuple[int, tuple[int, ...]], ...]
    numbers: tuple[tuple[int, int], ...]
    equality: bool
    rhs: int

    @property
    def always_holds(self) -> bool:
        """True if every row of a table obeys it, whatever the values of integer columns."""
        if self.numbers:
            return False
        if self.equality:
            return not self.blocks and self.rhs == 0
        return sum(max(values) for _, values in self.blocks) <= self.rhs

    @property
    def literals(self) -> tuple[LevelSets, int] | None:
        """The literals "column ∈ levels" that it counts, and how many of them may be true.

        None if the row is not a count of literals.
        """
        if self.numbers or not self.blocks or any(set(values) != {0, 1} for _, values in self.blocks):
            return None
        return tuple((c, tuple(k for k, value in enumerate(values) if value)) for c, values in self.blocks), self.rhs


def normal_row(coefficients: IntArray, equality: bool, rhs: int, scope: Scope) -> NormalRow:
    """Return the normal form of a row over the variables of the scope."""
    levels, factors = level_values(coefficients, scope)
    blocks = []
    for c, values in levels.items():
        shifted, least = with_least_zero(values)
        rhs -= least
        if any(shifted):
            blocks.append((c, tuple(shifted)))
    return _as_exclusion(_shorter_sign(_divided(NormalRow(tuple(blocks), tuple(factors.items()), equality, rhs))))


def count_row(sets: LevelSets, equality: bool, rhs: int, scope: Scope) -> NormalRow:
    """Return the row "exactly `rhs` of these literals are true", or "at most `rhs`" unless `equality`."""
    blocks = tuple((c, tuple(int(k in levels) for k in range(scope.size(c)))) for c, levels in sets)
    return NormalRow(blocks, (), equality, rhs)


def _divided(row: NormalRow) -> NormalRow:
    """Divide a row by the common factor of its numbers; an equality that no label obeys stays as it is."""
    entries = [value for _, values in row.blocks for value in values] + [value for _, value in row.numbers]
    common = reduce(gcd, entries, 0)
    if common <= 1 or (row.equality and row.rhs % common):
        return row
    return NormalRow(
        tuple((c, tuple(value // common for value in values)) for c, values in row.blocks),
        tuple((c, value // common) for c, value in row.numbers),
        row.equality,
        row.rhs // common,
    )


def _shorter_sign(row: NormalRow) -> NormalRow:
    """Return an equality or its negative, whichever has fewer entries."""
    if not row.equality:
        return row
    largest = [max(values) for _, values in row.blocks]
    negative = NormalRow(
        tuple((c, tuple(top - v for v in values)) for top, (c, values) in zip(largest, row.blocks, strict=True)),
        tuple((c, -value) for c, value in row.numbers),
        True,
        sum(largest) - row.rhs,
    )
    return min(row, negative, key=_length)


def _length(row: NormalRow) -> tuple[int, object, object]:
    """The number of entries; ties are broken so that the first number is positive."""
    signs = [-value for _, value in row.numbers]
    return sum(value > 0 for _, values in row.blocks for value in values), row.blocks, signs


def _as_exclusion(row: NormalRow) -> NormalRow:
    """Write a row with entries 0 and 1 if all it does is forbid a set of levels of one or two columns.

    Of two columns the forbidden pairs must be a rectangle: every level of one set with every level of the other.
    """
    if row.numbers or not 1 <= len(row.blocks) <= 2:
        return row
    if not row.equality and row.literals is not None and row.rhs == len(row.blocks) - 1:
        return row  # it has this form already
    columns, values = zip(*row.blocks, strict=True)
    sizes = [len(part) for part in values]
    if len(sizes) == 2 and (row.equality or sizes[0] * sizes[1] > budgets.LEVEL_PAIRS):
        return row
    sums = [(cell, sum(part[k] for part, k in zip(values, cell, strict=True))) for cell in product(*map(range, sizes))]
    forbidden = {cell for cell, total in sums if (total != row.rhs if row.equality else total > row.rhs)}
    sides = [{cell[i] for cell in forbidden} for i in range(len(sizes))]
    if len(forbidden) != prod(len(side) for side in sides):
        return row
    blocks = tuple(
        (c, tuple(int(k in side) for k in range(size)))
        for c, side, size in zip(columns, sides, sizes, strict=True)
        if len(side) < size
    )
    return NormalRow(blocks, (), False, len(blocks) - 1) if forbidden and blocks else row
