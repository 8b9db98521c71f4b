"""Gurobi; the licence that pip installs allows 2,000 variables and 2,000 rows."""

from __future__ import annotations

import gurobipy as gp
import numpy as np
from gurobipy import GRB

from unwritten.data import FloatArray, IntArray, Variables
from unwritten.errors import SolverError
from unwritten.solving.backends.backend import Limits, Reply, Rows, normalised_objective, pinned_bounds
from unwritten.solving.decision import Status

_STATUS = {
    GRB.OPTIMAL: Status.OPTIMAL,  # within the gap
    GRB.TIME_LIMIT: Status.TIME_LIMIT,
    GRB.INTERRUPTED: Status.TIME_LIMIT,
    GRB.INFEASIBLE: Status.INFEASIBLE,
    GRB.INF_OR_UNBD: Status.INFEASIBLE,  # all variables are bounded
}
_PARAMETERS = {
    "OutputFlag": 0,
    "Threads": 1,
    "Seed": 0,
    "MIPGap": 0.0,
    "FeasibilityTol": 1e-9,  # cuts are tight: a label a millionth past one is not feasible
    "IntFeasTol": 1e-9,
}


class GurobiBackend:
    """A loaded Gurobi model in an environment of its own."""

    def __init__(self, variables: Variables, rows: Rows) -> None:
        self._lower = variables.lower.astype(np.float64)
        self._upper = variables.upper.astype(np.float64)
        try:
            self._model = gp.Model(env=gp.Env(params=_PARAMETERS))
            self._columns = self._model.addMVar(len(variables), self._lower, self._upper, vtype=GRB.INTEGER)
            self._added: list[gp.MConstr] = []
            self._append(rows)
        except gp.GurobiError as error:
            raise SolverError(
                f"Gurobi cannot be used ({error}): renew its licence, or choose another backend="
            ) from error

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """Maximise from scratch; a refusal, such as a model too large for the licence, is a failure."""
        scaled, exponent = normalised_objective(objective)
        lower, upper = pinned_bounds(self._lower, self._upper, pinned)
        try:
            self._model.reset()
            self._model.Params.MIPGapAbs = float(np.ldexp(limits.gap, -exponent))
            self._model.Params.TimeLimit = GRB.INFINITY if limits.time_limit is None else float(limits.time_limit)
            self._columns.setAttr("LB", lower)
            self._columns.setAttr("UB", upper)
            self._model.setObjective(scaled @ self._columns, GRB.MAXIMIZE)
            self._model.optimize()
            if self._model.Status == GRB.INTERRUPTED and not limits.stop.is_set():
                raise KeyboardInterrupt  # Gurobi caught a Ctrl-C that Python should have got
            return self._reply(exponent)
        except gp.GurobiError as error:
            return Reply(Status.FAILED, message=f"Gurobi: {error}")

    def _reply(self, exponent: int) -> Reply:
        model = self._model
        status = _STATUS.get(model.Status, Status.FAILED)
        values, bound = None, np.inf
        if status in (Status.OPTIMAL, Status.TIME_LIMIT) and model.SolCount:
            values = np.asarray(self._columns.X)
            bound = float(np.ldexp(model.ObjBound, exponent)) if abs(model.ObjBound) < GRB.INFINITY else np.inf
            status = Status.FEASIBLE if status is Status.TIME_LIMIT else status
        return Reply(status, values, bound, "" if status is Status.OPTIMAL else f"Gurobi: {_status_name(model.Status)}")

    def interrupt(self) -> None:
        """End the search."""
        self._model.terminate()

    def add(self, rows: Rows) -> None:
        """Append rows."""
        self._added += self._append(rows)

    def drop_added(self) -> None:
        """Delete the added rows."""
        for block in self._added:
            self._model.remove(block)
        self._added = []

    def _append(self, rows: Rows) -> list[gp.MConstr]:
        """Add at most three blocks: equalities, and the finite sides of the other rows."""
        equal = rows.lower == rows.upper
        blocks = (
            (equal, GRB.EQUAL, rows.upper),
            (~equal & np.isfinite(rows.upper), GRB.LESS_EQUAL, rows.upper),
            (~equal & np.isfinite(rows.lower), GRB.GREATER_EQUAL, rows.lower),
        )
        added = [
            self._model.addMConstr(rows.matrix[chosen], self._columns, sense, side[chosen])
            for chosen, sense, side in blocks
            if chosen.any()
        ]
        self._model.update()
        return added


def _status_name(code: int) -> str:
    """Return Gurobi's name for a status code."""
    return next((name for name in dir(GRB.Status) if getattr(GRB.Status, name) == code), str(code))
