"""The best label under rules, by CP-SAT, whose arithmetic is in integers: what is called the best is the best."""

from __future__ import annotations

import numpy as np

from unwritten.data import IntArray, Variables
from unwritten.errors import MissingPackageError, SolverError
from unwritten.rules import RuleSet


class ExactProgram:
    """Labels within the bounds of some variables that obey rules; objectives are whole numbers and are maximised.

    >>> variables = Variables.named("ab")
    >>> program = ExactProgram(variables, RuleSet.of(variables, [([2, 3], "<=", 4)]))
    >>> program.best(np.array([5, 7])), program.most(np.array([5, 7]))
    (array([0, 1]), 7)
    """

    def __init__(self, variables: Variables, rules: RuleSet) -> None:
        try:
            from ortools.sat.python import cp_model
        except ImportError as error:
            raise MissingPackageError("ortools", "cpsat", "deciding the examples exactly") from error
        self._sum = cp_model.LinearExpr.weighted_sum
        self._program = cp_model.CpModel()
        bounds = zip(variables.lower.tolist(), variables.upper.tolist(), strict=True)
        self._columns = [self._program.new_int_var(low, high, "") for low, high in bounds]
        for row, equal, rhs in zip(rules.matrix.tolist(), rules.equality.tolist(), rules.rhs.tolist(), strict=True):
            left = self._sum(self._columns, row)
            self._program.add(left == rhs if equal else left <= rhs)
        self._solver = cp_model.CpSolver()
        self._solver.parameters.num_workers = 1
        self._optimal = cp_model.OPTIMAL

    def best(self, objective: IntArray) -> IntArray:
        """A label whose value is the largest."""
        self._program.maximize(self._sum(self._columns, objective.tolist()))
        if self._solver.solve(self._program) != self._optimal:
            raise SolverError("CP-SAT did not find the best label: the rules may contradict each other")
        return np.array([self._solver.value(column) for column in self._columns], np.int64)

    def most(self, objective: IntArray) -> int:
        """The largest value of a label."""
        return int(objective @ self.best(objective))
