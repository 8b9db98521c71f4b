"""Decide exactly, with CP-SAT, what a network of constraints allows and implies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.xcsp import Network
from unwritten.data import BoolArray, IntArray
from unwritten.errors import DataError, MissingPackageError, SolverError
from unwritten.rules import RuleSet

RULES_PER_QUESTION = 256  # rules that one question to the solver asks about


class Manufacturer:
    """Exact answers about some variables of a network, called the columns.

    A row gives a value to every column. A row is allowed if the other variables have values that complete it to a
    solution of the network.

    Parameters
    ----------
    time_limit
        Seconds for one question to the solver; a question that takes longer raises a `SolverError`.
    """

    def __init__(self, network: Network, columns: Sequence[str], time_limit: float = 60.0) -> None:
        for column in columns:
            if column not in network.domains:
                raise DataError(f"the constraints do not know the column {column!r}: give names of their variables")
        self._network = network
        self._columns = tuple(columns)
        self._time_limit = time_limit
        self._is_allowed: dict[tuple[str, ...], bool] = {}  # for every row decided so far

    def allows(self, rows: npt.ArrayLike) -> BoolArray:
        """Return which rows (n × columns, integers or their text) are allowed; a row with an unknown value is not."""
        table = np.asarray(rows).astype(str)
        if table.ndim != 2 or table.shape[1] != len(self._columns):
            raise DataError(
                f"the rows have the shape {table.shape}: give one value for each of {len(self._columns)} columns"
            )
        keys = [tuple(row) for row in table.tolist()]
        for row in dict.fromkeys(keys):
            if row not in self._is_allowed:
                self._is_allowed[row] = self._has_solution(row)
        return np.array([self._is_allowed[row] for row in keys], bool)

    def implies(self, rules: RuleSet) -> BoolArray:
        """Return which rules over 0/1 variables "column=value" hold in every solution.

        A rule that an allowed row breaks is not implied. For the other rules, the solver searches for a solution that
        breaks at least one of several. Such a solution refutes at least one rule; if there is none, all are implied.
        """
        places = [self._place(name) for name in rules.variables.names]
        allowed = [row for row, yes in self._is_allowed.items() if yes]
        implied = np.ones(len(rules), bool)
        if allowed:
            implied = np.logical_not(rules.violations(_labels(allowed, places)).any(axis=0))
        undecided = np.flatnonzero(implied)
        while undecided.size:
            several = undecided[:RULES_PER_QUESTION]
            row = self._row_that_breaks(rules, several, places)
            if row is None:
                undecided = undecided[RULES_PER_QUESTION:]
                continue
            broken = rules.violations(_labels([row], places))[0]
            if not broken[several].any():
                raise SolverError("CP-SAT gave a solution that breaks no rule it was asked about: try another version")
            self._is_allowed[row] = True
            implied[broken] = False
            undecided = undecided[~broken[undecided]]
        return implied

    def _place(self, name: str) -> tuple[int, str]:
        """Return the column and the value that a variable such as "doors=5" is about."""
        column, _, value = name.rpartition("=")
        if column not in self._columns or value not in self._positions[column]:
            raise DataError(f"the constraints do not know {name!r}: name variables column=value, with values they have")
        return self._columns.index(column), value

    @cached_property
    def _positions(self) -> dict[str, dict[str, int]]:
        """Return the place of each value (as text) in its domain; the solver works with places instead of values."""
        return {name: {str(v): k for k, v in enumerate(self._network.domains[name])} for name in self._columns}

    @cached_property
    def _solver(self) -> Any:
        """Import CP-SAT, or fail with an error that says how to install it."""
        try:
            from ortools.sat.python import cp_model
        except ImportError as error:
            raise MissingPackageError("ortools", "cpsat", "deciding what constraints imply") from error
        return cp_model

    @cached_property
    def _base(self) -> tuple[Any, dict[str, Any], dict[tuple[int, str], Any]]:
        """Build the constraints as a CP-SAT model, with its variables and a 0/1 variable for each column and value."""
        model = self._solver.CpModel()
        domains = self._network.domains
        if not all(domains.values()):
            model.add_bool_or([])
        variables = {name: model.new_int_var(0, max(0, len(domain) - 1), name) for name, domain in domains.items()}
        index = {name: {value: k for k, value in enumerate(domain)} for name, domain in domains.items()}
        for constraint in self._network.constraints:
            places = [index[name] for name in constraint.scope]
            inside = [
                [place[value] for place, value in zip(places, values, strict=True)]
                for values in sorted(constraint.tuples)
                if all(value in place for place, value in zip(places, values, strict=True))
            ]
            scope = [variables[name] for name in constraint.scope]
            if not inside:  # CP-SAT does not document what an empty table means
                if constraint.supports:
                    model.add_bool_or([])
            elif constraint.supports:
                model.add_allowed_assignments(scope, inside)
            else:
                model.add_forbidden_assignments(scope, inside)
        literals = {}
        for j, column in enumerate(self._columns):
            for value, k in self._positions[column].items():
                literal = literals[j, value] = model.new_bool_var(f"{column}={value}")
                model.add(variables[column] == k).only_enforce_if(literal)
                model.add(variables[column] != k).only_enforce_if(~literal)
        return model, variables, literals

    def _has_solution(self, row: tuple[str, ...]) -> bool:
        """Return whether some solution has these values in the columns."""
        model, variables, _ = self._base
        fixed = model.clone()
        for column, value in zip(self._columns, row, strict=True):
            if value not in self._positions[column]:
                return False
            fixed.add(variables[column] == self._positions[column][value])
        return self._solution(fixed) is not None

    def _row_that_breaks(
        self, rules: RuleSet, which: IntArray, places: list[tuple[int, str]]
    ) -> tuple[str, ...] | None:
        """Return the row of a solution that breaks at least one of these rules, or None if there is none."""
        base, _, literals = self._base
        model = base.clone()
        violated = []
        for i in which.tolist():
            used = np.flatnonzero(rules.matrix[i])
            terms = [literals[places[j]] for j in used.tolist()]
            total = self._solver.LinearExpr.weighted_sum(terms, rules.matrix[i, used].tolist())
            rhs = int(rules.rhs[i])
            for outside in (total >= rhs + 1, total <= rhs - 1)[: 1 + int(rules.equality[i])]:
                violated.append(model.new_bool_var(""))
                model.add(outside).only_enforce_if(violated[-1])
        model.add_bool_or(violated)
        solution = self._solution(model)
        return None if solution is None else tuple(str(solution[column]) for column in self._columns)

    def _solution(self, model: Any) -> dict[str, int] | None:
        """Return a solution of the model, checked against the constraints, or None if there is none."""
        solver = self._solver.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 0
        solver.parameters.presolve_inclusion_work_limit = 0  # this step proves wrong optima (or-tools issue 5293)
        solver.parameters.max_time_in_seconds = self._time_limit
        status = solver.solve(model)
        if status == self._solver.INFEASIBLE:
            return None
        if status not in (self._solver.OPTIMAL, self._solver.FEASIBLE):
            raise SolverError(
                f"CP-SAT did not decide ({solver.status_name(status)} {model.validate()}".rstrip()
                + f") in {self._time_limit:g} s: allow a longer time_limit or ask about smaller rules"
            )
        domains, variables = self._network.domains, self._base[1]
        solution = {name: domains[name][solver.value(variable)] for name, variable in variables.items()}
        if not self._network.holds(solution):
            raise SolverError("CP-SAT gave a solution that breaks the constraints: try another version")
        return solution


def _labels(rows: Sequence[tuple[str, ...]], places: Sequence[tuple[int, str]]) -> IntArray:
    """Encode rows as 0/1 labels."""
    return np.array([[row[column] == value for column, value in places] for row in rows], np.int64)
