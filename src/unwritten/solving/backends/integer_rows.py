"""Float rows and objectives rewritten in integers, for solvers that know nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends.base import Rows

BITS = 50  # Σ |aⱼ|·reachⱼ stays below 2⁵⁰: no partial sum overflows, and floats hold them all exactly
COARSE = BITS - 2  # for rows that must be rounded: rint may double a small coefficient
LIMIT = 2**BITS
Exponents = NDArray[np.int32]  # what frexp returns and ldexp takes, on every platform
ZERO = 1 << 20  # stands for the lowest bit of 0, which is a multiple of every power of two


@dataclass(frozen=True, eq=False)
class IntegerRows:
    """Rows `lower ≤ matrix · x ≤ upper` in integers; a missing side is one that nothing reaches."""

    matrix: IntArray
    lower: IntArray
    upper: IntArray


@dataclass(frozen=True, eq=False)
class IntegerObjective:
    """Integer weights with |weights · x − 2^exponent · objective · x| ≤ error for every x within reach."""

    weights: IntArray
    exponent: int
    error: float

    def bound(self, proven: float) -> float:
        """An upper bound on the objective, from one on the integer weights."""
        if self.error == 0:
            return float(np.ldexp(proven, -self.exponent))
        return float(np.nextafter(np.ldexp(np.nextafter(proven + self.error, inf), -self.exponent), inf))


def integer_rows(rows: Rows, reach: IntArray) -> IntegerRows:
    """The rows times a power of two each, rounded, with sides moved outward by what rounding may have changed.

    No integer x with |x| ≤ reach that satisfies a row, exactly or as floats evaluate it, is cut off. Rows that a power
    of two makes integral below 2⁵⁰ (all integer rows of that size) keep exactly their solutions.
    """
    matrix, exponent, error = _scaled(rows.matrix, reach)
    slack = np.ceil(error).astype(np.int64)
    with np.errstate(over="ignore", under="ignore"):  # a side that overflows is clipped next
        lower = np.clip(np.ceil(np.ldexp(rows.lower, exponent)), -LIMIT, LIMIT)
        upper = np.clip(np.floor(np.ldexp(rows.upper, exponent)), -LIMIT, LIMIT)
    return IntegerRows(matrix, lower.astype(np.int64) - slack, upper.astype(np.int64) + slack)


def integer_objective(objective: FloatArray, reach: IntArray) -> IntegerObjective:
    """The objective times a power of two, rounded, and the most that rounding may change it by."""
    weights, exponent, error = _scaled(objective[None, :], reach)
    return IntegerObjective(weights[0], int(exponent[0]), float(error[0]))


def normalised(objective: FloatArray) -> tuple[FloatArray, int]:
    """The objective times 2^−exponent, so that its largest weight lies in [2⁹, 2¹⁰).

    Float solvers ignore improvements below an absolute 1e-6, so tiny weights would all look alike to them.
    """
    exponent = int(np.frexp(np.abs(objective).max(initial=0.0))[1]) - 10
    return np.ldexp(objective, -exponent), exponent


def _scaled(matrix: FloatArray, reach: IntArray) -> tuple[IntArray, Exponents, FloatArray]:
    """Integer coefficients, the exponent of each row's scale, and the largest error of each row's activity.

    The smallest scale from 1 up that makes a row integral, if that keeps it below 2⁵⁰; else one that leaves it 48 bits.
    """
    matrix = np.where(reach > 0, matrix, 0.0)  # a variable that is always 0 adds nothing
    lowest = _lowest_bit(matrix)
    top = np.frexp(np.abs(matrix).max(axis=1, initial=0.0))[1]
    with np.errstate(under="ignore"):
        size = np.ldexp(np.abs(matrix), -top[:, None]) @ reach.astype(np.float64)
        width = np.frexp(size)[1] + top  # Σ |aⱼ|·reachⱼ < 2^width
        exact = np.maximum(-lowest.min(axis=1, initial=ZERO), 0)
        exponent = np.where(width + exact <= BITS, exact, COARSE - width)
        inexact = -lowest > exponent[:, None]
        scaled = np.rint(np.ldexp(matrix, exponent[:, None])).astype(np.int64)
    # Half a unit per rounded coefficient, and what a float dot product of n terms below 2⁴⁸ may be off by: n · 2⁻⁵.
    dot = np.where(inexact.any(axis=1), (matrix != 0).sum(axis=1) / 16, 0.0)
    return scaled, exponent, 0.5 * (inexact @ reach) + dot


def _lowest_bit(matrix: FloatArray) -> Exponents:
    """The k of each entry's lowest set bit 2^k."""
    mantissa, exponent = np.frexp(matrix)
    digits = np.ldexp(mantissa, 53).astype(np.int64)
    zeros = np.frexp((digits & -digits).astype(np.float64))[1] - 1
    return np.where(digits == 0, ZERO, exponent - 53 + zeros)
