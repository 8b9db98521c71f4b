"""HiGHS, the default back end."""

from __future__ import annotations

from threading import Event
from typing import Any, NamedTuple

import highspy
import numpy as np

from unwritten.data import TOLERANCE, FloatArray, IntArray, Variables
from unwritten.solving.backends.backend import Limits, Reply, Rows, normalised_objective, pinned_bounds
from unwritten.solving.decision import Status

_STATUS = {
    highspy.HighsModelStatus.kOptimal: Status.OPTIMAL,
    highspy.HighsModelStatus.kInfeasible: Status.INFEASIBLE,
    highspy.HighsModelStatus.kTimeLimit: Status.TIME_LIMIT,
    highspy.HighsModelStatus.kInterrupt: Status.TIME_LIMIT,
}

_OPTIONS = {
    "output_flag": False,
    "threads": 1,
    "random_seed": 0,
    "mip_rel_gap": 0.0,
    "mip_feasibility_tolerance": 1e-9,  # cuts are tight: a label a millionth past one is not feasible
    "primal_feasibility_tolerance": 1e-9,
}


class Relaxed(NamedTuple):
    """The best point of a linear relaxation, the row multipliers, and the number of simplex pivots.

    If there is no point, the multipliers are those by which the rows contradict each other, up to their sign. Both are
    None if HiGHS gives up.
    """

    point: FloatArray | None
    multipliers: FloatArray | None
    pivots: int


class HighsBackend:
    """A loaded HiGHS model; with `integral=False` its linear relaxation."""

    def __init__(self, variables: Variables, rows: Rows, *, integral: bool = True) -> None:
        d = len(variables)
        self._base = len(rows)
        self._added = 0
        self._columns = np.arange(d, dtype=np.int32)
        self._lower = variables.lower.astype(np.float64)
        self._upper = variables.upper.astype(np.float64)
        self._reach = variables.reach.astype(np.float64)
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = d, len(rows)
        lp.sense_ = highspy.ObjSense.kMaximize
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = np.zeros(d), self._lower, self._upper
        lp.row_lower_, lp.row_upper_ = rows.lower, rows.upper
        starts, columns, values = rows.compressed()
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.append(starts, len(values))
        lp.a_matrix_.index_, lp.a_matrix_.value_ = columns, values
        if integral:
            lp.integrality_ = [highspy.HighsVarType.kInteger] * d
        self._highs = highspy.Highs()
        self._basis: Any = None
        self._stop = Event()
        if integral:
            self._highs.cbMipInterrupt += self._interrupt
        for option, value in _OPTIONS.items():
            self._highs.setOptionValue(option, value)
        self._highs.passModel(lp)

    def solve(self, objective: FloatArray, limits: Limits, pinned: IntArray | None = None) -> Reply:
        """Maximise; a status that `_STATUS` does not list is a failure, and the message has HiGHS's name for it."""
        highs = self._highs
        highs.clearSolver()
        scaled, exponent = normalised_objective(objective)
        equal = TOLERANCE * float((np.abs(scaled) * self._reach).sum())
        highs.setOptionValue("mip_abs_gap", max(equal, float(np.ldexp(limits.gap, -exponent))))
        highs.setOptionValue("time_limit", np.inf if limits.time_limit is None else float(limits.time_limit))
        highs.setOptionValue("mip_max_nodes", highspy.kHighsIInf if limits.nodes is None else limits.nodes)
        highs.changeColsCost(len(scaled), self._columns, scaled)
        if pinned is not None:
            self._set_bounds(*pinned_bounds(self._lower, self._upper, pinned))
        try:
            self._stop = limits.stop
            highs.run()
            return self._reply(exponent)
        finally:
            if pinned is not None:
                self._set_bounds(self._lower, self._upper)

    def interrupt(self) -> None:
        """Do nothing: HiGHS asks while it runs."""

    def _interrupt(self, event: Any) -> None:
        if self._stop.is_set():
            event.interrupt()

    def _reply(self, exponent: int) -> Reply:
        model_status = self._highs.getModelStatus()
        status = _STATUS.get(model_status, Status.FAILED)
        info = self._highs.getInfo()
        values = None
        if info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
            values = np.array(self._highs.getSolution().col_value)
        if status is Status.TIME_LIMIT and values is not None:
            status = Status.FEASIBLE
        bound = float(np.ldexp(info.mip_dual_bound, exponent)) if np.isfinite(info.mip_dual_bound) else np.inf
        message = "" if status is Status.OPTIMAL else self._highs.modelStatusToString(model_status)
        return Reply(status, values, bound, f"HiGHS: {message}" if message else "")

    def duals(self, objective: FloatArray) -> FloatArray | None:
        """Return the row multipliers of the linear relaxation, or None if HiGHS finds no optimum.

        Every query starts from the same basis and its multipliers are rounded to 40 bits: they decide which of two
        equally good labels a search finds first, and must not depend on the queries before.
        """
        highs = self._highs
        if self._basis is None:
            highs.changeColsCost(len(objective), self._columns, np.zeros(len(objective)))
            highs.run()
            self._basis = highs.getBasis()
        highs.clearSolver()
        if self._basis.valid:
            highs.setBasis(self._basis)
        scaled, exponent = normalised_objective(objective)
        highs.changeColsCost(len(scaled), self._columns, scaled)
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        multipliers = np.array(highs.getSolution().row_dual)
        unit = np.frexp(np.abs(multipliers).max(initial=0.0))[1] - 40
        return np.asarray(np.ldexp(np.rint(np.ldexp(multipliers, -unit)), exponent + unit))

    def relax(self, objective: FloatArray, lower: FloatArray, upper: FloatArray, most_pivots: int) -> Relaxed:
        """Solve the linear relaxation within these bounds."""
        highs = self._highs
        highs.changeColsCost(len(objective), self._columns, objective)
        self._set_bounds(lower, upper)
        highs.setOptionValue("simplex_iteration_limit", most_pivots)
        highs.run()
        status, pivots = highs.getModelStatus(), max(0, highs.getInfo().simplex_iteration_count)
        if status == highspy.HighsModelStatus.kOptimal:
            solution = highs.getSolution()
            return Relaxed(np.array(solution.col_value), np.array(solution.row_dual), pivots)
        if status == highspy.HighsModelStatus.kInfeasible:
            _, exists, ray = highs.getDualRay()
            return Relaxed(None, np.array(ray) if exists else None, pivots)
        return Relaxed(None, None, pivots)

    def forget(self) -> None:
        """Forget the solutions of earlier queries, which the next one would start from."""
        self._highs.clearSolver()

    def add(self, rows: Rows) -> None:
        """Append rows."""
        starts, columns, values = rows.compressed()
        self._highs.addRows(
            len(rows),
            rows.lower,
            rows.upper,
            len(values),
            starts.astype(np.int32),
            columns.astype(np.int32),
            values,
        )
        self._added += len(rows)

    def drop_added(self) -> None:
        """Delete the rows behind those that were loaded first."""
        if self._added:
            self._highs.deleteRows(self._added, np.arange(self._base, self._base + self._added, dtype=np.int32))
            self._added = 0

    def _set_bounds(self, lower: FloatArray, upper: FloatArray) -> None:
        self._highs.changeColsBounds(len(lower), self._columns, lower, upper)
