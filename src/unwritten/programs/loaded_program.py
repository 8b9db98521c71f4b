"""One linear or integer program that stays loaded: objectives change, and rows are added as they are needed.

Results do not depend on time or on the number of threads: work is limited by nodes and pivots only.
"""

from __future__ import annotations

from typing import NamedTuple

import highspy
import numpy as np

from unwritten.data import BoolArray, FloatArray

_OPTIONS = {"output_flag": False, "threads": 1, "random_seed": 0, "mip_rel_gap": 0.0}


class Solved(NamedTuple):
    """The best point that was found, or None; `optimal` says that none is better."""

    values: FloatArray | None
    optimal: bool


class LoadedProgram:
    """Maximise over columns within bounds, some of which may have to be integers, under rows that are added.

    >>> program = LoadedProgram(np.zeros(2), np.full(2, 4.0), integral=np.ones(2, bool))
    >>> program.add(np.array([[2.0, 3.0]]), upper=np.array([7.0]))
    >>> program.solve(np.array([1.0, 3.0])).values.astype(int)
    array([0, 2])
    """

    def __init__(self, lower: FloatArray, upper: FloatArray, integral: BoolArray | None = None) -> None:
        self._width = len(lower)
        self._columns = np.arange(self._width, dtype=np.int32)
        self._integral = integral is not None and bool(integral.any())
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = self._width, 0
        lp.sense_ = highspy.ObjSense.kMaximize
        lp.col_cost_ = np.zeros(self._width)
        lp.col_lower_, lp.col_upper_ = np.asarray(lower, np.float64), np.asarray(upper, np.float64)
        lp.row_lower_, lp.row_upper_ = np.zeros(0), np.zeros(0)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.zeros(1, np.int32)
        lp.a_matrix_.index_, lp.a_matrix_.value_ = np.zeros(0, np.int32), np.zeros(0)
        if integral is not None and self._integral:
            kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
            lp.integrality_ = [kinds[int(whole)] for whole in integral]
        self._highs = highspy.Highs()
        for option, value in _OPTIONS.items():
            self._highs.setOptionValue(option, value)
        self._highs.passModel(lp)

    def add(self, rows: FloatArray, *, lower: FloatArray | None = None, upper: FloatArray | None = None) -> None:
        """Append rows `lower ≤ rows · x ≤ upper`; a side that is not given is open."""
        count = len(rows)
        if not count:
            return
        places, columns = np.nonzero(rows)
        starts = np.searchsorted(places, np.arange(count)).astype(np.int32)
        self._highs.addRows(
            count,
            np.full(count, -np.inf) if lower is None else np.asarray(lower, np.float64),
            np.full(count, np.inf) if upper is None else np.asarray(upper, np.float64),
            len(columns),
            starts,
            columns.astype(np.int32),
            np.asarray(rows, np.float64)[places, columns],
        )

    def solve(
        self,
        objective: FloatArray,
        *,
        nodes: int | None = None,
        pivots: int | None = None,
        above: float | None = None,
    ) -> Solved:
        """Maximise `objective · x`; an integer program visits at most `nodes`, a linear one makes at most `pivots`.

        An integer program looks only for points with more than `above`, which is faster if there are none.
        """
        highs = self._highs
        if self._integral:
            highs.clearSolver()  # a query must not depend on the one before it
            highs.setOptionValue("objective_bound", np.inf if above is None else -float(above))  # it minimises
        highs.setOptionValue("mip_max_nodes", highspy.kHighsIInf if nodes is None else nodes)
        highs.setOptionValue("simplex_iteration_limit", highspy.kHighsIInf if pivots is None else pivots)
        highs.changeColsCost(self._width, self._columns, np.asarray(objective, np.float64))
        highs.run()
        has_point = highs.getInfo().primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        values = np.array(highs.getSolution().col_value) if has_point else None
        return Solved(values, has_point and highs.getModelStatus() == highspy.HighsModelStatus.kOptimal)
