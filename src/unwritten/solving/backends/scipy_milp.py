"""scipy.optimize.milp, a fallback that is always installed; it has its own copy of HiGHS, in a process of its own."""

from __future__ import annotations

from threading import Lock
from time import monotonic

import numpy as np

from unwritten.data import FloatArray, IntArray, Variables
from unwritten.solving.backends.backend import Limits, Reply, Rows, normalised_objective, pinned_bounds
from unwritten.solving.backends.scipy_process import Arrays, ScipyProcess
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
        self._base = self._rows = rows
        self._process: ScipyProcess | None = None
        self._lock = Lock()  # an idle process may already serve another query, and must not be killed

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """Maximise. scipy cannot change the absolute gap of 1e-6, which is negligible at this scale of the objective.

        Its relative gap is that share of the largest possible value which is the gap asked for.
        """
        scaled, exponent = normalised_objective(objective)
        largest = float((np.abs(objective) * self._reach).sum())
        lower, upper = pinned_bounds(self._lower, self._upper, pinned)
        starts, columns, values = self._rows.compressed()
        program = {
            "costs": -scaled,
            "lower": lower,
            "upper": upper,
            "row_lower": self._rows.lower,
            "row_upper": self._rows.upper,
            "starts": np.append(starts, len(values)),
            "columns": columns,
            "values": values,
            "shape": self._rows.matrix.shape,
            "gap": limits.gap / largest if largest > 0 else 0.0,
        }
        answer = self._answer(program, limits)
        if answer is None:
            return Reply(
                Status.TIME_LIMIT if limits.stop.is_set() else Status.FAILED, message="scipy: its process ended"
            )
        message = str(answer["message"])
        status = _STATUS.get(message.partition(". ")[0], Status.FAILED)
        point: FloatArray | None = answer.get("point") if status in (Status.OPTIMAL, Status.TIME_LIMIT) else None
        if status is Status.TIME_LIMIT and point is not None:
            status = Status.FEASIBLE
        bound = np.inf if point is None or "bound" not in answer else -float(np.ldexp(answer["bound"], exponent))
        return Reply(status, point, bound, "" if status is Status.OPTIMAL else f"scipy: {message}")

    def _answer(self, program: Arrays, limits: Limits) -> Arrays | None:
        """Return the answer, or None if the process ended without one."""
        began = monotonic()
        self._process = process = ScipyProcess.lent()
        process.wait()
        seconds = np.inf if limits.time_limit is None else max(0.0, limits.time_limit - (monotonic() - began))
        answer = None if limits.stop.is_set() else process.answer(program | {"seconds": seconds})
        with self._lock:
            self._process = None
        process.give_back()
        return answer

    def interrupt(self) -> None:
        """End the process."""
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def add(self, rows: Rows) -> None:
        """Add a block of rows."""
        self._rows += rows

    def drop_added(self) -> None:
        """Forget the added blocks."""
        self._rows = self._base
