"""What a network of constraints allows and implies, decided exactly with CP-SAT."""

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

TOGETHER = 256  # rules asked about in one question to the solver


class Manufacturer:
    """What a network says about some of its variables, the columns: exact answers, by CP-SAT.

    A row gives a value to every column. The other variables are free: a row is allowed if some values of theirs
    make a whole solution.

    Parameters
    ----------
    time_limit
        Seconds for one question to the solver; past it a `SolverError` is raised, never a guess returned.
    """

    def __init__(self, network: Network, columns: Sequence[str], time_limit: float = 60.0) -> None:
        for column in columns:
            if column not in network.domains:
                raise DataError(f"the constraints do not know the column {column!r}: give names of their variables")
        self._network = network
        self._columns = tuple(columns)
        self._time_limit = time_limit
        self._known: dict[tuple[str, ...], bool] = {}  # every row ever decided

    def allows(self, rows: npt.ArrayLike) -> BoolArray:
        """Which rows (n × columns, integers or their text) are part of a solution; unknown values never are."""
        table = np.asarray(rows).astype(str)
        if table.ndim != 2 or table.shape[1] != len(self._columns):
            raise DataError(f"rows of shape {table.shape}: give one value for each of {len(self._columns)} columns")
        asked = [tuple(row) for row in table.tolist()]
        for row in dict.fromkeys(asked):
            if row not in self._known:
                self._known[row] = self._extends(row)
        return np.array([self._known[row] for row in asked], bool)

    def implies(self, rules: RuleSet) -> BoolArray:
        """Which rules over 0/1 variables "column=value" hold in every solution.

        A rule that an allowed row breaks is not implied. About the others the solver is asked for a solution that
        breaks any of several; each one found settles at least one rule, and if there is none, all are implied.
        """
        places = [self._place(name) for name in rules.variables.names]
        allowed = [row for row, yes in self._known.items() if yes]
        implied = np.ones(len(rules), bool)
        if allowed:
            implied = np.logical_not(rules.violations(_labels(allowed, places)).any(axis=0))
        waiting = np.flatnonzero(implied)
        while waiting.size:
            several = waiting[:TOGETHER]
            row = self._breaks(rules, several, places)
            if row is None:
                waiting = waiting[TOGETHER:]
                continue
            broken = rules.violations(_labels([row], places))[0]
            if not broken[several].any():
                raise SolverError("CP-SAT gave a solution that breaks no rule it was asked about: try another version")
            self._known[row] = True
            implied[broken] = False
            waiting = waiting[~broken[waiting]]
        return implied

    def _place(self, name: str) -> tuple[int, str]:
        """Column and value of a one-hot variable."""
        column, _, value = name.rpartition("=")
        if column not in self._columns or value not in self._positions[column]:
            raise DataError(f"the constraints do not know {name!r}: name variables column=value, with values they have")
        return self._columns.index(column), value

    @cached_property
    def _positions(self) -> dict[str, dict[str, int]]:
        """The place of each value, as text, in its domain: the solver sees places, so any integer will do."""
        return {name: {str(v): k for k, v in enumerate(self._network.domains[name])} for name in self._columns}

    @cached_property
    def _solver(self) -> Any:
        """CP-SAT's module, or an error that says how to get it."""
        try:
            from ortools.sat.python import cp_model
        except ImportError as error:
            raise MissingPackageError("ortools", "cpsat", "deciding what constraints imply") from error
        return cp_model

    @cached_property
    def _base(self) -> tuple[Any, dict[str, Any], dict[tuple[int, str], Any]]:
        """The constraints as a model, its variables, and a 0/1 variable for each column and value."""
        model = self._solver.CpModel()
        domains = self._network.domains
        if not all(domains.values()):
            model.add_bool_or([])
        variables = {name: model.new_int_var(0, max(0, len(domain) - 1), name) for name, domain in domains.items()}
        index = {name: {value: k for k, value in enumerate(domain)} for name, domain in domains.items()}
        for table in self._network.tables:
            places = [index[name] for name in table.scope]
            inside = [
                [place[value] for place, value in zip(places, one, strict=True)]
                for one in sorted(table.tuples)
                if all(value in place for place, value in zip(places, one, strict=True))
            ]
            scope = [variables[name] for name in table.scope]
            if not inside:  # the solver's own reading of an empty table is not documented
                if table.supports:
                    model.add_bool_or([])
            elif table.supports:
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

    def _extends(self, row: tuple[str, ...]) -> bool:
        model, variables, _ = self._base
        fixed = model.clone()
        for column, value in zip(self._columns, row, strict=True):
            if value not in self._positions[column]:
                return False
            fixed.add(variables[column] == self._positions[column][value])
        return self._solution(fixed) is not None

    def _breaks(self, rules: RuleSet, which: IntArray, places: list[tuple[int, str]]) -> tuple[str, ...] | None:
        """The row of a solution that breaks one of these rules, if there is one."""
        base, _, literals = self._base
        model = base.clone()
        ways = []
        for i in which.tolist():
            used = np.flatnonzero(rules.matrix[i])
            terms = [literals[places[j]] for j in used.tolist()]
            total = self._solver.LinearExpr.weighted_sum(terms, rules.matrix[i, used].tolist())
            rhs = int(rules.rhs[i])
            for outside in (total >= rhs + 1, total <= rhs - 1)[: 1 + int(rules.equality[i])]:
                ways.append(model.new_bool_var(""))
                model.add(outside).only_enforce_if(ways[-1])
        model.add_bool_or(ways)
        solution = self._solution(model)
        return None if solution is None else tuple(str(solution[column]) for column in self._columns)

    def _solution(self, model: Any) -> dict[str, int] | None:
        """A solution of the model, tested against the tables; None if there is none."""
        solver = self._solver.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 0
        solver.parameters.presolve_inclusion_work_limit = 0  # that presolve step proves wrong optima (or-tools #5293)
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
    """Rows as 0/1 labels over one-hot variables."""
    return np.array([[row[column] == value for column, value in places] for row in rows], np.int64)
