"""Linear sums: quantities, sums of them, and rows that limit such sums."""

from __future__ import annotations

from dataclasses import dataclass, replace

Number = int | float


@dataclass(frozen=True)
class Quantity:
    """A variable with its bounds, which are infinite if none are known; `unit` says what it counts, if not 1."""

    name: str
    low: Number
    high: Number
    whole: bool = True
    unit: str = ""


@dataclass(frozen=True)
class LinearRow:
    """The sum of `terms` (factor, place of the variable) equals `rhs`, or is at most `rhs`."""

    terms: tuple[tuple[Number, int], ...]
    equality: bool
    rhs: Number


@dataclass(frozen=True)
class Sum:
    """Σ factor · variable + `constant`, which lies from `low` to `high`."""

    factors: dict[int, Number]
    constant: Number
    low: Number
    high: Number
    whole: bool = True

    def __add__(self, other: Sum) -> Sum:
        factors = {j: self.factors.get(j, 0) + other.factors.get(j, 0) for j in {**self.factors, **other.factors}}
        return Sum(
            factors,
            self.constant + other.constant,
            self.low + other.low,
            self.high + other.high,
            self.whole and other.whole,
        )

    def times(self, factor: Number) -> Sum:
        """Each part times the factor."""
        low, high = sorted((self.low * factor, self.high * factor))
        factors = {j: value * factor for j, value in self.factors.items()}
        return Sum(factors, self.constant * factor, low, high, self.whole)

    def row(self, rhs: Number, equality: bool = False) -> LinearRow:
        """The row that says the sum is at most `rhs`, or equals it."""
        terms = tuple((value, j) for j, value in sorted(self.factors.items()) if value)
        return LinearRow(terms or ((0, 0),), equality, rhs - self.constant)


NOTHING = Sum({}, 0, 0, 0)
ONE = Sum({}, 1, 1, 1)


def with_equalities(rows: list[LinearRow]) -> list[LinearRow]:
    """Return the rows, with two that follow each other and say ≤ and ≥ as one equality."""
    joined: list[LinearRow] = []
    for row in rows:
        negative = LinearRow(tuple((-value, j) for value, j in row.terms), False, -row.rhs)
        if joined and joined[-1] == negative:
            joined[-1] = replace(negative if negative.terms[0][0] > 0 else row, equality=True)
        else:
            joined.append(row)
    return joined
