"""SCIP, through PySCIPOpt."""

from __future__ import annotations

import numpy as np
from pyscipopt import Constraint, ExprCons, Model, quicksum

from unwritten.data import FloatArray, IntArray, Variables
from unwritten.solving.backends.backend import Limits, Reply, Rows, normalised_objective, pinned_bounds
from unwritten.solving.decision import Status

_STATUS = {
    "optimal": Status.OPTIMAL,
    "gaplimit": Status.OPTIMAL,  # within the gap
    "timelimit": Status.TIME_LIMIT,
    "userinterrupt": Status.TIME_LIMIT,
    "infeasible": Status.INFEASIBLE,
    "inforunbd": Status.INFEASIBLE,  # all variables are bounded
}
_PARAMETERS = {
    "limits/gap": 0.0,
    "limits/maxorigsol": 0,  # otherwise a query starts from the solutions of earlier queries
    "lp/threads": 1,
    "misc/catchctrlc": False,  # Python handles Ctrl-C
    "numerics/feastol": 2e-7,  # cuts are tight; below 1e-7 the linear solver complains, on standard error
}


class ScipBackend:
    """A loaded SCIP model."""

    def __init__(self, variables: Variables, rows: Rows) -> None:
        self._lower = variables.lower.astype(np.float64)
        self._upper = variables.upper.astype(np.float64)
        self._model = Model()
        self._model.hideOutput()
        self._model.setParams(_PARAMETERS)
        self._columns = [
            self._model.addVar(vtype="I", lb=low, ub=high)
            for low, high in zip(self._lower.tolist(), self._upper.tolist(), strict=True)
        ]
        self._added: list[Constraint] = []
        self._append(rows)

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """Maximise, then go back to the model as it was loaded."""
        scaled, exponent = normalised_objective(objective)
        model = self._model
        model.setParam("limits/absgap", float(np.ldexp(limits.gap, -exponent)))
        model.setParam("limits/time", model.infinity() if limits.time_limit is None else float(limits.time_limit))
        model.setObjective(quicksum(w * x for w, x in zip(scaled.tolist(), self._columns, strict=True)), "maximize")
        if pinned is not None:
            self._set_bounds(*pinned_bounds(self._lower, self._upper, pinned))
        try:
            model.optimizeNogil()
            return self._reply(exponent)
        except Exception as error:  # PySCIPOpt has no type of its own for SCIP's errors
            if not str(error).startswith("SCIP: "):
                raise
            return Reply(Status.FAILED, message=str(error))
        finally:
            model.freeTransform()
            if pinned is not None:
                self._set_bounds(self._lower, self._upper)

    def _reply(self, exponent: int) -> Reply:
        model = self._model
        name = model.getStatus()
        status = _STATUS.get(name, Status.FAILED)
        values, bound = None, np.inf
        if status in (Status.OPTIMAL, Status.TIME_LIMIT) and model.getNSols():
            best = model.getBestSol()
            values = np.array([model.getSolVal(best, column) for column in self._columns])
            if abs(model.getDualbound()) < model.infinity():
                bound = float(np.ldexp(model.getDualbound(), exponent))
            status = Status.FEASIBLE if status is Status.TIME_LIMIT else status
        return Reply(status, values, bound, "" if status is Status.OPTIMAL else f"SCIP: {name}")

    def interrupt(self) -> None:
        """End the search."""
        self._model.interruptSolve()

    def add(self, rows: Rows) -> None:
        """Append rows."""
        self._added += self._append(rows)

    def drop_added(self) -> None:
        """Delete the added rows."""
        for row in self._added:
            self._model.delCons(row)
        self._added = []

    def _append(self, rows: Rows) -> list[Constraint]:
        added = []
        for weights, *sides in zip(rows.matrix, rows.lower.tolist(), rows.upper.tolist(), strict=True):
            terms = quicksum(weights[j].item() * self._columns[j] for j in np.flatnonzero(weights).tolist())
            low, high = (side if np.isfinite(side) else None for side in sides)
            added.append(self._model.addCons(ExprCons(terms, low, high)))
        return added

    def _set_bounds(self, lower: FloatArray, upper: FloatArray) -> None:
        for column, low, high in zip(self._columns, lower.tolist(), upper.tolist(), strict=True):
            self._model.chgVarLb(column, low)
            self._model.chgVarUb(column, high)
