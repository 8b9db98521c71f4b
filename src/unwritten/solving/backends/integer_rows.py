"""Float rows and objectives rewritten in integers, for solvers that accept only integers."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends.backend import Rows

BITS = 50  # Σ |aⱼ|·reachⱼ stays below 2⁵⁰: no partial sum overflows, and floats hold them all exactly
COARSE = BITS - 2  # bits of rows that must be rounded, as rounding may double a small coefficient
LIMIT = 2**BITS
Exponents = NDArray[np.int32]  # the type that frexp returns and ldexp takes, on every platform
BIT_OF_ZERO = 1 << 20  # the "lowest bit" of 0: above all others, as 0 is a multiple of every power of two


@dataclass(frozen=True, eq=False)
class IntegerRows:
    """Rows `lower ≤ matrix · x ≤ upper` in integers; a missing side is a number that no x reaches."""

    matrix: IntArray
    lower: IntArray
    upper: IntArray


@dataclass(frozen=True, eq=False)
class IntegerObjective:
    """Integer weights with |weights · x − 2^exponent · objective · x| ≤ error for every x within reach."""

    weights: IntArray
    exponent: int
    error: float

    def bound(self, integer_bound: float) -> float:
        """Return an upper bound on the objective, given one on the integer weights."""
        if self.error == 0:
            return float(np.ldexp(integer_bound, -self.exponent))
        return float(np.nextafter(np.ldexp(np.nextafter(integer_bound + self.error, inf), -self.exponent), inf))


def integer_rows(rows: Rows, reach: IntArray) -> IntegerRows:
    """Multiply each row by a power of two, round it, and move its sides outward by what rounding may have changed.

    No integer x with |x| ≤ reach is cut off if it satisfies the row, exactly or as floats evaluate it. Rows that a
    power of two makes integral below 2⁵⁰ (all integer rows of that size) keep exactly their solutions.
    """
    matrix, exponent, error = _scaled(rows.matrix, reach)
    slack = np.ceil(error).astype(np.int64)
    with np.errstate(over="ignore", under="ignore"):  # a side that overflows is clipped next
        lower = np.clip(np.ceil(np.ldexp(rows.lower, exponent)), -LIMIT, LIMIT)
        upper = np.clip(np.floor(np.ldexp(rows.upper, exponent)), -LIMIT, LIMIT)
    return IntegerRows(matrix, lower.astype(np.int64) - slack, upper.astype(np.int64) + slack)


def integer_objective(objective: FloatArray, reach: IntArray) -> IntegerObjective:
    """Multiply the objective by a power of two and round it; the result knows by how much rounding may change it."""
    weights, exponent, error = _scaled(objective[None, :], reach)
    return IntegerObjective(weights[0], int(exponent[0]), float(error[0]))


def _scaled(matrix: FloatArray, reach: IntArray) -> tuple[IntArray, Exponents, FloatArray]:
    """Return integer coefficients, the exponent of each row's scale, and the largest error of each row's activity.

    The scale is the smallest one from 1 up that makes the row integral, if the row then stays below 2⁵⁰; otherwise it
    is one that leaves the row 48 bits.
    """
    matrix = np.where(reach > 0, matrix, 0.0)  # a variable that is always 0 adds nothing
    lowest = _lowest_bit(matrix)
    top = np.frexp(np.abs(matrix).max(axis=1, initial=0.0))[1]
    with np.errstate(under="ignore"):
        size = (np.ldexp(np.abs(matrix), -top[:, None]) * reach).sum(axis=1)
        width = np.frexp(size)[1] + top  # Σ |aⱼ|·reachⱼ < 2^width
        exact = np.maximum(-lowest.min(axis=1, initial=BIT_OF_ZERO), 0)
        exponent = np.where(width + exact <= BITS, exact, COARSE - width)
        inexact = -lowest > exponent[:, None]
        scaled = np.rint(np.ldexp(matrix, exponent[:, None])).astype(np.int64)
    # Half a unit per rounded coefficient, and the error of a float dot product of n terms below 2⁴⁸: n · 2⁻⁵.
    dot = np.where(inexact.any(axis=1), (matrix != 0).sum(axis=1) / 16, 0.0)
    return scaled, exponent, 0.5 * (inexact @ reach) + dot


def _lowest_bit(matrix: FloatArray) -> Exponents:
    """Return the k of each entry's lowest set bit 2^k."""
    mantissa, exponent = np.frexp(matrix)
    digits = np.ldexp(mantissa, 53).astype(np.int64)
    zeros = np.frexp((digits & -digits).astype(np.float64))[1] - 1
    return np.where(digits == 0, BIT_OF_ZERO, exponent - 53 + zeros)
