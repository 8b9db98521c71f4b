"""Conflicts: a small set of rows that cannot hold together, found by leaving out rows (a few dozen small solves)."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import monotonic

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends import Limits, Rows, WatchedBackend, backend_class
from unwritten.solving.decision import Status
from unwritten.solving.program import Program
from unwritten.solving.verification import Verifier

SECONDS_PER_SOLVE = 5.0


def find_clash(program: Program, shifted: Program, end: float = inf) -> tuple[str, ...]:
    """Return the texts of a few rules and cuts that no label satisfies together; empty if none were found.

    The program is solved as it is `shifted`. Rows are numbered: first the rules, then the cuts. The search ends by
    `end` on the monotonic clock, and after CONFLICT_SECONDS.
    """
    deadline = min(end, monotonic() + budgets.CONFLICT_SECONDS)
    if monotonic() > deadline:
        return ()
    rows = _shrunk(shifted, _clashing_rows(shifted, deadline), deadline)
    texts = (_row_text(program, row) for row in rows)  # several rows may say one gap
    return tuple(dict.fromkeys(text for text in texts if text)) if _surely_clash(shifted, rows, deadline) else ()


def _surely_clash(program: Program, rows: list[int], deadline: float) -> bool:
    """True if a search of our own verifies what the solver said about these rows."""
    rules, cuts = _split(program, rows)
    part = replace(
        program,
        rules=program.rules[rules],
        redundant=program.redundant[:0],
        cut_weights=program.cut_weights[cuts],
        cut_limits=program.cut_limits[cuts],
        structure=None,
    )
    return Verifier(part).any_label(_limits(deadline)).proven


def _split(program: Program, rows: list[int]) -> tuple[list[int], IntArray]:
    """Return the places of the rules and of the cuts among these rows."""
    rules = [row for row in rows if row < len(program.rules)]
    return rules, np.array([row - len(program.rules) for row in rows if row >= len(program.rules)], np.int64)


def _clashing_rows(program: Program, deadline: float) -> list[int]:
    """Return all rules and enough cuts to exclude every label; empty if that takes too long."""
    rows = list(range(len(program.rules)))
    while True:
        label = _label_under(program, rows, deadline)
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
            if len(fewer) < len(rows) and monotonic() < deadline and _label_under(program, fewer, deadline) is None:
                rows = fewer
                break
        else:
            if block == 1:
                return rows
            block = max(1, min(block, len(rows)) // 2)


def _label_under(program: Program, rows: list[int], deadline: float) -> IntArray | None:
    """Return a label that satisfies these rows, or None if the solver says there is none."""
    rules, cuts = _split(program, rows)
    chosen = Rows.of_rules(program.rules[rules]) + Rows.at_most(
        program.cut_weights[cuts], program.cut_limits[cuts], len(program.variables)
    )
    no_objective: FloatArray = np.zeros(len(program.variables))
    solver = WatchedBackend(backend_class("highs")(program.variables, chosen))
    reply = solver.solve(no_objective, _limits(deadline))
    if reply.status is Status.INFEASIBLE:
        return None
    values = reply.rounded()
    return program.lower if values is None else values[: program.width]


def _limits(deadline: float) -> Limits:
    """Return the limits of one solve."""
    return Limits(time_limit=max(0.0, min(SECONDS_PER_SOLVE, deadline - monotonic())))


def _row_text(program: Program, row: int) -> str:
    """Return the rule in words, or say which cut it is."""
    rules = program.rules
    if row in program.gap_texts:
        return program.gap_texts[row]
    return rules[row].text if row < len(rules) else f"the cut of weights row {row - len(rules)}"
