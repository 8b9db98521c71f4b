"""scipy.optimize.milp, a fallback that is always installed; it has its own copy of HiGHS."""

from __future__ import annotations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from unwritten.data import FloatArray, IntArray, Variables
from unwritten.solving.backends.backend import Limits, Reply, Rows, normalised_objective, pinned_bounds
from unwritten.solving.decision import Status

# By the first words of the message: status number 2 means "infeasible", but also "model error".
_STATUS = {
    "Optimization terminated successfully": Status.OPTIMAL,
    "Time limit reached": Status.TIME_LIMIT,
    "The problem is infeasible": Status.INFEASIBLE,
    "The problem is unbounded or infeasible": Status.INFEASIBLE,  # all variables are bounded
}


class ScipyBackend:
    """Rows for scipy, which loads them again for every query."""

    def __init__(self, variables: Variables, rows: Rows) -> None:
        self._lower = variables.lower.astype(np.float64)
        self._upper = variables.upper.astype(np.float64)
        self._reach = variables.reach.astype(np.float64)
        self._integrality = np.ones(len(variables), np.int64)
        self._base = [_constraint(rows)] if len(rows) else []
        self._added: list[LinearConstraint] = []

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """Maximise. scipy has no option for the absolute gap of 1e-6, which is nothing at this scale of the objective.

        Its relative gap is that share of the largest possible value which is the gap asked for.
        """
        scaled, exponent = normalised_objective(objective)
        largest = float((np.abs(objective) * self._reach).sum())
        result = milp(
            -scaled,
            integrality=self._integrality,
            bounds=Bounds(*pinned_bounds(self._lower, self._upper, pinned)),
            constraints=self._base + self._added,
            options={
                "mip_rel_gap": limits.gap / largest if largest > 0 else 0.0,
                "time_limit": np.inf if limits.time_limit is None else float(limits.time_limit),
            },
        )
        status = _STATUS.get(result.message.split(". ")[0], Status.FAILED)
        values: FloatArray | None = result.x if status in (Status.OPTIMAL, Status.TIME_LIMIT) else None
        if status is Status.TIME_LIMIT and values is not None:
            status = Status.FEASIBLE
        proven = result.mip_dual_bound if values is not None else None
        bound = np.inf if proven is None else -float(np.ldexp(proven, exponent))
        return Reply(status, values, bound, "" if status is Status.OPTIMAL else f"scipy: {result.message}")

    def add(self, rows: Rows) -> None:
        """Add a block of rows."""
        if len(rows):
            self._added.append(_constraint(rows))

    def drop_added(self) -> None:
        """Forget the added blocks."""
        self._added.clear()


def _constraint(rows: Rows) -> LinearConstraint:
    return LinearConstraint(csr_array(rows.matrix), rows.lower, rows.upper)
