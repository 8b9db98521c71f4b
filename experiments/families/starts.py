"""Some solutions of a problem by CP-SAT, each from a search with variables and values in a random order.

One worker and counted work, not seconds, so that the same seed gives the same solutions everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from experiments.families.rows import Row
from experiments.families.space import Space
from unwritten.data import IntArray
from unwritten.errors import MissingPackageError, SolverError

WORK = 1.0  # units of CP-SAT's deterministic time for one search
TRIES = 5  # searches for one solution; the last one is CP-SAT's own


def starts(space: Space, count: int, rng: Generator) -> IntArray:
    """Find `count` solutions; some may be equal."""
    program, columns = _program(space)
    return np.array([_solution(program, columns, rng) for _ in range(count)], np.int64)


def _program(space: Space) -> tuple[Any, list[Any]]:
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise MissingPackageError("ortools", "cpsat", "drawing solutions") from error
    program = cp_model.CpModel()
    bounds = zip(space.lower.tolist(), space.upper.tolist(), strict=True)
    columns = [program.new_int_var(low, high, "") for low, high in bounds]
    hits: dict[tuple[int, int], Any] = {}
    for j, value in sorted({place for row in space.rows for place in row.hits}):
        hit = hits[j, value] = program.new_bool_var("")
        program.add(columns[j] == value).only_enforce_if(hit)
        program.add(columns[j] != value).only_enforce_if(~hit)
    for row in space.rows:
        parts = [weight * columns[j] for j, weight in row.weights.items()]
        parts += [weight * hits[place] for place, weight in row.hits.items()]
        domain = cp_model.Domain.from_intervals(_intervals(row))
        program.add_linear_expression_in_domain(cp_model.LinearExpr.sum(parts), domain)
    return program, columns


def _intervals(row: Row) -> list[list[int]]:
    """The sums that a row allows."""
    if row.hole is None:
        return [[row.least, row.most]]
    return [[row.least, row.hole[0] - 1], [row.hole[1] + 1, row.most]]


def _solution(program: Any, columns: list[Any], rng: Generator) -> list[int]:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    for tries in range(TRIES):
        ordered = program.clone()
        for j in rng.permutation(len(columns)).tolist():
            choice = (cp_model.SELECT_MIN_VALUE, cp_model.SELECT_MAX_VALUE, cp_model.SELECT_RANDOM_HALF)
            column = ordered.get_int_var_from_proto_index(columns[j].index)
            ordered.add_decision_strategy([column], cp_model.CHOOSE_FIRST, choice[rng.integers(3)])
        solver.parameters.random_seed = int(rng.integers(1 << 30))
        if tries < TRIES - 1:
            solver.parameters.search_branching = cp_model.FIXED_SEARCH
            solver.parameters.max_deterministic_time = WORK
        else:
            solver.parameters.search_branching = cp_model.AUTOMATIC_SEARCH
            solver.parameters.max_deterministic_time = float("inf")
        if solver.solve(ordered) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return [solver.value(ordered.get_int_var_from_proto_index(column.index)) for column in columns]
    raise SolverError("CP-SAT found no solution: the rows may contradict each other")
