"""Backend: an adapter to one solver, which loads rows once and answers many objectives."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Event
from time import monotonic
from typing import Protocol

import numpy as np

from unwritten.data import FloatArray, IntArray, Variables
from unwritten.rules import RuleSet
from unwritten.solving.decision import NO_LABEL, Status

#: Errors that the binding of a solver may raise when it breaks down; then another solver is asked.
BREAKDOWNS = (RuntimeError, MemoryError, OSError, SystemError, ArithmeticError, ValueError)
LARGEST_VALUE = 2.0**53  # above it floats do not hold every integer
SCALED_BITS = 10  # float solvers see rows and objectives whose largest coefficient lies in [2⁹, 2¹⁰)


@dataclass(frozen=True, eq=False)
class Rows:
    """Dense rows `lower ≤ matrix · x ≤ upper`."""

    matrix: FloatArray
    lower: FloatArray
    upper: FloatArray

    @classmethod
    def of_rules(cls, rules: RuleSet) -> Rows:
        """Return the rows of exact rules; every coefficient is an integer that a float holds exactly."""
        rhs = rules.rhs.astype(np.float64)
        return cls(rules.matrix.astype(np.float64), np.where(rules.equality, rhs, -np.inf), rhs)

    @classmethod
    def at_most(cls, matrix: FloatArray, upper: FloatArray, width: int) -> Rows:
        """Return rows `matrix · x ≤ upper`, padded with zeros to `width` columns.

        Each row is multiplied by a power of two, which is exact: float solvers ignore rows of tiny coefficients.
        """
        exponent = SCALED_BITS - np.frexp(np.abs(matrix).max(axis=1, initial=0.0))[1]
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
        """Return row starts, column indices and values of the non-zero entries."""
        row, column = np.nonzero(self.matrix)
        starts = np.searchsorted(row, np.arange(len(self)))
        return starts, column, self.matrix[row, column]


@dataclass(frozen=True, eq=False)
class Reply:
    """A solver's claim: a status, values of all variables if it has any, and an upper bound on the objective."""

    status: Status
    values: FloatArray | None = None
    bound: float = np.inf
    message: str = ""

    def rounded(self) -> IntArray | None:
        """Return the nearest integers; None if a value is not an integer's (NaN, infinity, or too large)."""
        if self.values is None or not (np.abs(self.values) <= LARGEST_VALUE).all():
            return None
        return np.rint(self.values).astype(np.int64)

    def label(self, width: int) -> IntArray | None:
        """Return the first `width` values as integers, or None if the solver claims no label."""
        values = self.rounded() if self.status in (Status.OPTIMAL, Status.FEASIBLE) else None
        return None if values is None else values[:width]


@dataclass(frozen=True)
class Limits:
    """When a solver may stop: at a gap in units of the objective, after some seconds per query, or when `stop` is set.

    A gap is never a share of the value that a solver sees, because that value may have any constant part. `stop` is set
    by Ctrl-C. `nodes` limits the search of HiGHS, where the result must not depend on the speed of the machine; other
    solvers ignore it. All work on the queries, proofs included, must end by `end` on the monotonic clock.
    """

    gap: float = 0.0
    time_limit: float | None = None
    stop: Event = field(default_factory=Event, compare=False)
    nodes: int | None = None
    end: float = np.inf

    def shared(self, queries: int) -> Limits:
        """Return the limits of each of so many queries, which share what is left of the time."""
        if self.time_limit is None:
            return self
        return replace(self, time_limit=max(0.0, min(self.time_limit, (self.end - monotonic()) / max(1, queries))))

    @property
    def over(self) -> bool:
        """True if nothing may begin any more."""
        return self.stop.is_set() or monotonic() > self.end


class Backend(Protocol):
    """One model loaded in one solver, which maximises an objective over integers within bounds and rows."""

    def __init__(self, variables: Variables, rows: Rows) -> None:
        """Load bounds and rows."""

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """Return the best values for this objective; a variable whose entry in `pinned` is not NO_LABEL has that value.

        The reply does not depend on the queries before it.
        """

    def interrupt(self) -> None:
        """Make a running `solve` end soon; called from another thread when `limits.stop` was set, maybe repeatedly."""

    def add(self, rows: Rows) -> None:
        """Add rows for the queries that follow."""

    def drop_added(self) -> None:
        """Remove every added row."""


def pinned_bounds(lower: FloatArray, upper: FloatArray, pinned: IntArray | None) -> tuple[FloatArray, FloatArray]:
    """Return the bounds with both set to the pinned value for every variable that has one."""
    if pinned is None:
        return lower, upper
    free = pinned == NO_LABEL
    return np.where(free, lower, pinned), np.where(free, upper, pinned)


def normalised_objective(objective: FloatArray) -> tuple[FloatArray, int]:
    """Return the objective times 2^−exponent, so that its largest weight lies in [2⁹, 2¹⁰), and the exponent.

    Float solvers ignore improvements below an absolute 1e-6, so tiny weights would all look alike to them.
    """
    exponent = int(np.frexp(np.abs(objective).max(initial=0.0))[1]) - SCALED_BITS
    return np.ldexp(objective, -exponent), exponent
