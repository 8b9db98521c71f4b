"""What a back end is: it loads rows once and answers many objectives."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event
from typing import Protocol

import numpy as np

from unwritten.data import FloatArray, IntArray, Variables
from unwritten.rules import RuleSet
from unwritten.solving.decision import Status

#: What the binding of a solver may raise when it breaks down; another solver has its turn then.
BREAKDOWNS = (RuntimeError, MemoryError, OSError, SystemError, ArithmeticError, ValueError)
LARGEST_VALUE = 2.0**53  # past it a float is no exact integer


@dataclass(frozen=True, eq=False)
class Rows:
    """Dense rows `lower ≤ matrix · x ≤ upper`."""

    matrix: FloatArray
    lower: FloatArray
    upper: FloatArray

    @classmethod
    def of_rules(cls, rules: RuleSet) -> Rows:
        """The rows of exact rules; every coefficient is an integer that a float holds exactly."""
        rhs = rules.rhs.astype(np.float64)
        return cls(rules.matrix.astype(np.float64), np.where(rules.equality, rhs, -np.inf), rhs)

    @classmethod
    def at_most(cls, matrix: FloatArray, upper: FloatArray, width: int) -> Rows:
        """Rows `matrix · x ≤ upper`, padded with zeros to `width` columns.

        Each is scaled by a power of two, which is exact: float solvers treat rows of tiny coefficients as void.
        """
        exponent = 10 - np.frexp(np.abs(matrix).max(axis=1, initial=0.0))[1]
        padded = np.zeros((len(matrix), width))
        padded[:, : matrix.shape[1]] = np.ldexp(matrix, exponent[:, None])
        return cls(padded, np.full(len(matrix), -np.inf), np.ldexp(upper, exponent))

    def __len__(self) -> int:
        return len(self.matrix)

    def __add__(self, other: Rows) -> Rows:
        return Rows(
            np.concatenate([self.matrix, other.matrix]),
            np.concatenate([self.lower, other.lower]),
            np.concatenate([self.upper, other.upper]),
        )

    def compressed(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Row starts, column indices and values of the non-zero entries."""
        row, column = np.nonzero(self.matrix)
        starts = np.searchsorted(row, np.arange(len(self)))
        return starts, column, self.matrix[row, column]


@dataclass(frozen=True, eq=False)
class Reply:
    """A solver's claim: status, values of all variables if it has any, and a bound on the maximum."""

    status: Status
    values: FloatArray | None = None
    bound: float = np.inf
    message: str = ""

    def rounded(self) -> IntArray | None:
        """The nearest integers (as int64, so there is no −0.0); None where a value is none that an integer can be."""
        if self.values is None or not (np.abs(self.values) <= LARGEST_VALUE).all():
            return None
        return np.rint(self.values).astype(np.int64)


@dataclass(frozen=True)
class Limits:
    """When a solver may stop: relative gap, seconds per query, and when `stop` is set (by Ctrl-C)."""

    mip_gap: float = 0.0
    time_limit: float | None = None
    stop: Event = field(default_factory=Event, compare=False)


class Backend(Protocol):
    """One open model in one solver: maximise an objective over integers within bounds and rows."""

    def __init__(self, variables: Variables, rows: Rows) -> None:
        """Load bounds and rows."""

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """The best values for this objective; where `pinned` is not NO_LABEL, the variable is fixed to it.

        Does not depend on the queries before it.
        """

    def add(self, rows: Rows) -> None:
        """Add rows for the queries to come."""

    def drop_added(self) -> None:
        """Take away every added row."""
