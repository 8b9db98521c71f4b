"""Lazy rows: solve over the rules alone, find the cuts that the answer breaks, add the worst, repeat.

Exact when it ends without a broken cut: the optimum of a relaxation that obeys every row is the optimum.
"""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends import Limits, Reply, Rows, Watched, backend_class
from unwritten.solving.decision import NO_LABEL, Answers, Status
from unwritten.solving.engines.base import Queries
from unwritten.solving.program import Program


class Lazy:
    """Rules loaded once; cuts join as they are broken, and leave after each query."""

    def __init__(self, program: Program, backend: str) -> None:
        self._program = program
        self._backend = Watched(backend_class(backend)(program.variables, Rows.of_rules(program.rules)))

    def answer(self, queries: Queries, limits: Limits) -> Answers:
        """One query after the other."""
        answers = Answers.blank(len(queries), self._program.width)
        for i in range(len(queries)):
            if limits.stop.is_set():
                break
            try:
                self._answer(queries, i, limits, answers)
            finally:
                self._backend.drop_added()
        return answers

    def _answer(self, queries: Queries, i: int, limits: Limits, answers: Answers) -> None:
        program, weights = self._program, queries.weights[i]
        answers.used_cuts[i] = False
        deadline = None if limits.time_limit is None else monotonic() + limits.time_limit
        pinned = self._at_the_box_best(weights, limits)
        if pinned is not None:
            answers.labels[i], answers.bounds[i] = pinned, program.box_best(weights)
            answers.status[i] = Status.OPTIMAL
            return
        added = np.zeros(0, np.int64)
        while True:
            left = None if deadline is None else max(0.0, deadline - monotonic())
            reply = self._backend.solve(program.objective(weights), replace(limits, time_limit=left))
            answers.status[i], answers.notes[i] = reply.status, reply.message
            label = _label(reply, program.width)
            if label is None:
                return
            untrue = self._untrue(reply, label, queries.floor[i] - queries.tolerance[i])
            if untrue:
                answers.status[i], answers.notes[i] = Status.FAILED, untrue
                return
            answers.bounds[i] = min(answers.bounds[i], reply.bound)
            if queries.floor[i] >= answers.bounds[i] - queries.tolerance[i]:
                answers.labels[i], answers.status[i] = queries.floor_labels[i], Status.OPTIMAL
                return
            broken = program.broken_cuts(label)
            rows = _structure_rows(program, label)
            if not broken.size and rows is None:
                answers.labels[i] = label
                return
            if reply.status is Status.FEASIBLE:  # out of time, and this label breaks a row
                answers.status[i] = Status.TIME_LIMIT
                return
            if rows is not None and len(rows):
                self._backend.add(rows)
                continue
            if rows is not None:
                answers.status[i], answers.notes[i] = Status.FAILED, "no row tells this label from a basis"
                return
            answers.used_cuts[i] = True
            fresh = broken[~np.isin(broken, added)][: budgets.LAZY_ROWS_ADDED]
            if fresh.size:
                added = np.concatenate([added, fresh])
                self._backend.add(
                    Rows.at_most(program.cut_weights[fresh], program.cut_limits[fresh], len(program.variables))
                )
            elif program.variables.binary[: program.width].all():
                self._backend.add(_all_but(label, len(program.variables)))
            else:
                answers.status[i] = Status.FAILED
                answers.notes[i] = "the solver's own tolerance let a label through that breaks a cut"
                return

    def _untrue(self, reply: Reply, label: IntArray, attained: float) -> str:
        """What is provably false about a reply, if anything: then nothing it says is believed."""
        if not self._program.obeys(label[None])[0]:
            return "the solver returned a label that breaks a rule"
        if reply.bound < attained:
            return "the solver claimed a bound that a seen label exceeds"
        return ""

    def _at_the_box_best(self, weights: FloatArray, limits: Limits) -> IntArray | None:
        """A label with every weighted variable at its best bound: if there is one, nothing can beat it.

        Worth a try when most weights are zero, as with the clues of a puzzle: pinned variables presolve away.
        """
        program = self._program
        weighted = weights != 0
        if 2 * weighted.sum() > len(weights) or not weighted.any():
            return None
        pinned = np.full(len(program.variables), NO_LABEL)
        best = np.where(weights > 0, program.upper, program.lower)
        pinned[: program.width][weighted] = best[weighted]
        reply = self._backend.solve(np.zeros(len(pinned)), limits, pinned)
        label = _label(reply, program.width)
        if label is None or program.broken_cuts(label).size:
            return None
        return label if program.admits(label[None])[0] and (label == best)[weighted].all() else None


def _structure_rows(program: Program, label: IntArray) -> Rows | None:
    """Rows of the structure that the label breaks, or None if it fits."""
    if program.structure is None or program.structure.is_basis(label[None])[0]:
        return None
    most = [(columns, 1.0, float(rank)) for columns, rank in program.structure.violated(label)]
    most += [(columns, -1.0, -1.0) for columns in program.structure.missed(label)]
    matrix = np.zeros((min(len(most), budgets.LAZY_ROWS_ADDED), program.width))
    for row, (columns, sign, _) in zip(matrix, most, strict=False):
        row[columns] = sign
    return Rows.at_most(matrix, np.array([limit for *_, limit in most[: len(matrix)]]), len(program.variables))


def _all_but(label: IntArray, width: int) -> Rows:
    """Every 0/1 label but this one, which a solver's tolerance lets past a cut that it breaks."""
    row = np.where(label == 1, 1.0, -1.0)[None]
    return Rows.at_most(row, np.array([float(label.sum() - 1)]), width)


def _label(reply: Reply, width: int) -> IntArray | None:
    if reply.status not in (Status.OPTIMAL, Status.FEASIBLE):
        return None
    values = reply.rounded()
    return None if values is None else values[:width]
