"""Conflicts: a small set of rows that cannot hold together, found by leaving out rows (a few dozen small solves)."""

from __future__ import annotations

from time import monotonic

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends import Limits, Rows, WatchedBackend, backend_class
from unwritten.solving.decision import Status
from unwritten.solving.program import Program

SECONDS_PER_SOLVE = 5.0


def find_clash(program: Program) -> tuple[str, ...]:
    """Return the texts of a few rules and cuts that no label satisfies together; empty if none were found.

    Rows are numbered: first the rules, then the cuts.
    """
    deadline = monotonic() + budgets.CONFLICT_SECONDS
    rows = _clashing_rows(program, deadline)
    return tuple(_row_text(program, row) for row in _shrunk(program, rows, deadline))


def _clashing_rows(program: Program, deadline: float) -> list[int]:
    """Return all rules and enough cuts to exclude every label; empty if that takes too long."""
    rows = list(range(len(program.rules)))
    while True:
        label = _label_under(program, rows)
        if label is None:
            return rows
        broken = program.broken_cuts(label)[: budgets.CONFLICT_ROWS_ADDED]
        added = [row for row in (len(program.rules) + broken).tolist() if row not in rows]
        if not added or monotonic() > deadline:
            return []
        rows += added


def _shrunk(program: Program, rows: list[int], deadline: float) -> list[int]:
    """Leave out blocks of rows, ever smaller ones, as long as the others still clash."""
    block = max(1, len(rows) // 2)
    while True:
        for start in range(0, len(rows), block):
            fewer = rows[:start] + rows[start + block :]
            if len(fewer) < len(rows) and monotonic() < deadline and _label_under(program, fewer) is None:
                rows = fewer
                break
        else:
            if block == 1:
                return rows
            block = max(1, min(block, len(rows)) // 2)


def _label_under(program: Program, rows: list[int]) -> IntArray | None:
    """Return a label that satisfies these rows, or None if the solver says there is none."""
    rules = [row for row in rows if row < len(program.rules)]
    cuts = np.array([row - len(program.rules) for row in rows if row >= len(program.rules)], np.int64)
    chosen = Rows.of_rules(program.rules[rules]) + Rows.at_most(
        program.cut_weights[cuts], program.cut_limits[cuts], len(program.variables)
    )
    no_objective: FloatArray = np.zeros(len(program.variables))
    solver = WatchedBackend(backend_class("highs")(program.variables, chosen))
    reply = solver.solve(no_objective, Limits(time_limit=SECONDS_PER_SOLVE))
    if reply.status is Status.INFEASIBLE:
        return None
    values = reply.rounded()
    return program.lower if values is None else values[: program.width]


def _row_text(program: Program, row: int) -> str:
    """Return the rule in words, or say which cut it is."""
    rules = program.rules
    return rules[row].text if row < len(rules) else f"the cut of weights row {row - len(rules)}"
