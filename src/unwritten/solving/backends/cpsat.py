"""CP-SAT of OR-Tools. It knows integers only, so float rows and objectives are rewritten first."""

from __future__ import annotations

import numpy as np
from ortools.sat.python import cp_model

from unwritten.data import FloatArray, IntArray, Variables
from unwritten.solving.backends.backend import Limits, Reply, Rows
from unwritten.solving.backends.integer_rows import integer_objective, integer_rows
from unwritten.solving.decision import NO_LABEL, Status

_STATUS = {
    cp_model.OPTIMAL: Status.OPTIMAL,
    cp_model.FEASIBLE: Status.FEASIBLE,
    cp_model.INFEASIBLE: Status.INFEASIBLE,
}


class CpSatBackend:
    """A loaded CP-SAT model. Its rows exclude no label that the float rows allow; rows of integers stay exact."""

    def __init__(self, variables: Variables, rows: Rows) -> None:
        self._reach = variables.reach
        self._base = cp_model.CpModel()
        self._columns = [
            self._base.new_int_var(low, high, name)
            for name, low, high in zip(variables.names, variables.lower.tolist(), variables.upper.tolist(), strict=True)
        ]
        self._append(self._base, rows)
        self._model = self._base
        self._solver = cp_model.CpSolver()

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """Maximise with one worker and a new solver; an unknown outcome without a time limit is a failure."""
        model = self._model
        if pinned is not None:
            model = model.clone()
            for j in np.flatnonzero(pinned != NO_LABEL).tolist():
                model.add(self._columns[j] == int(pinned[j]))
        scaled = integer_objective(objective, self._reach)
        model.maximize(cp_model.LinearExpr.weighted_sum(self._columns, scaled.weights.tolist()))
        self._solver = solver = cp_model.CpSolver()
        solver.parameters.catch_sigint_signal = False  # Python handles Ctrl-C
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 0
        solver.parameters.presolve_inclusion_work_limit = 0  # that presolve step proves wrong optima (or-tools #5293)
        solver.parameters.absolute_gap_limit = float(np.ldexp(limits.gap, scaled.exponent))
        solver.parameters.relative_gap_limit = 0.0
        if limits.time_limit is not None:
            solver.parameters.max_time_in_seconds = float(limits.time_limit)
        outcome = cp_model.UNKNOWN if limits.stop.is_set() else solver.solve(model)
        message = f"CP-SAT: {solver.status_name(outcome)}"
        if outcome == cp_model.UNKNOWN and (limits.time_limit is not None or limits.stop.is_set()):
            return Reply(Status.TIME_LIMIT, message=message)
        status = _STATUS.get(outcome, Status.FAILED)
        if status not in (Status.OPTIMAL, Status.FEASIBLE):
            return Reply(status, message=f"{message} {model.validate()}".strip())
        values = np.array([solver.value(column) for column in self._columns], np.float64)
        bound = scaled.bound(solver.best_objective_bound)
        return Reply(status, values, bound, "" if status is Status.OPTIMAL else message)

    def interrupt(self) -> None:
        """End the search."""
        self._solver.stop_search()

    def add(self, rows: Rows) -> None:
        """Append rows to a copy of the base model."""
        if self._model is self._base:
            self._model = self._base.clone()
        self._append(self._model, rows)

    def drop_added(self) -> None:
        """Go back to the base model."""
        self._model = self._base

    def _append(self, model: cp_model.CpModel, rows: Rows) -> None:
        exact = integer_rows(rows, self._reach)
        for weights, low, high in zip(exact.matrix, exact.lower.tolist(), exact.upper.tolist(), strict=True):
            used = np.flatnonzero(weights).tolist()
            terms = cp_model.LinearExpr.weighted_sum([self._columns[j] for j in used], weights[used].tolist())
            model.add_linear_constraint(terms, low, high)
