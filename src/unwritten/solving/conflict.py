"""Conflicts: a small set of rows that cannot hold together, by deletion (a few dozen small solves)."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends import Limits, Rows, Watched, backend_class
from unwritten.solving.decision import Status
from unwritten.solving.program import Program


def find_clash(program: Program) -> tuple[str, ...]:
    """The texts of a few rules and cuts that no label within the bounds satisfies together; empty if none is found."""
    deadline = monotonic() + budgets.CONFLICT_SECONDS
    rows = list(range(len(program.rules)))
    first_cut = len(rows)
    test = _Test(program)
    while True:
        label = test.label(rows)
        if label is None:
            break
        broken = [first_cut + int(cut) for cut in program.broken_cuts(label)[: budgets.CONFLICT_ROWS_ADDED]]
        if not set(broken) - set(rows) or monotonic() > deadline:
            return ()
        rows += [row for row in broken if row not in rows]
    block = max(1, len(rows) // 2)
    while True:
        for start in range(0, len(rows), block):
            fewer = rows[:start] + rows[start + block :]
            if len(fewer) < len(rows) and monotonic() < deadline and test.label(fewer) is None:
                rows = fewer
                break
        else:
            if block == 1:
                break
            block = max(1, min(block, len(rows)) // 2)
    return tuple(test.text(row) for row in rows)


@dataclass(frozen=True)
class _Test:
    program: Program

    def label(self, rows: list[int]) -> IntArray | None:
        """A label that satisfies these rows, or None where the solver says there is none."""
        program = self.program
        rules = [row for row in rows if row < len(program.rules)]
        cuts = np.array([row - len(program.rules) for row in rows if row >= len(program.rules)], np.int64)
        chosen = Rows.of_rules(program.rules[rules]) + Rows.at_most(
            program.cut_weights[cuts], program.cut_limits[cuts], len(program.variables)
        )
        nothing: FloatArray = np.zeros(len(program.variables))
        solver = Watched(backend_class("highs")(program.variables, chosen))
        reply = solver.solve(nothing, Limits(time_limit=5.0))
        if reply.status is Status.INFEASIBLE:
            return None
        values = reply.rounded()
        return program.lower if values is None else values[: program.width]

    def text(self, row: int) -> str:
        """The rule in words, or which cut it is."""
        rules = self.program.rules
        return rules[row].text if row < len(rules) else f"the cut of weights row {row - len(rules)}"
