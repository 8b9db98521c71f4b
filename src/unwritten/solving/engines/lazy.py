"""Lazy: solve over the rules alone, find the cuts that the answer breaks, add the worst of them, and repeat.

It is exact if it ends without a broken cut: if the optimum over some of the rows obeys all rows, it is the optimum.
"""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.solving.backends import Limits, Reply, Rows, WatchedBackend, backend_class
from unwritten.solving.decision import NO_LABEL, Answers, Status
from unwritten.solving.engines.engine import QueryBatch
from unwritten.solving.program import Program
from unwritten.solving.structure_rows import broken_structure_rows


class Lazy:
    """Rules are loaded once; cuts join as they are broken, and leave after each query."""

    def __init__(self, program: Program, backend: str) -> None:
        self._program = program
        self._backend = WatchedBackend(backend_class(backend)(program.variables, Rows.of_rules(program.rules)))

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Answer one query after the other."""
        answers = Answers.blank(len(queries), self._program.width)
        for i in range(len(queries)):
            if limits.stop.is_set():
                break
            try:
                self._answer(queries, i, limits, answers)
            finally:
                self._backend.drop_added()
        return answers

    def _answer(self, queries: QueryBatch, i: int, limits: Limits, answers: Answers) -> None:
        """Fill in the answer to query i."""
        program, weights = self._program, queries.weights[i]
        answers.used_cuts[i] = False
        deadline = None if limits.time_limit is None else monotonic() + limits.time_limit
        unbeatable = self._label_at_box_best(weights, limits)
        if unbeatable is not None:
            answers.labels[i], answers.bounds[i] = unbeatable, program.box_best(weights[None])[0]
            answers.status[i] = Status.OPTIMAL
            return
        added_cuts = np.zeros(0, np.int64)
        excluded: set[bytes] = set()
        while True:
            seconds = None if deadline is None else max(0.0, deadline - monotonic())
            reply = self._backend.solve(
                program.objective(weights), replace(limits, gap=queries.gap[i], time_limit=seconds)
            )
            answers.status[i], answers.notes[i] = reply.status, reply.message
            label = reply.label(program.width)
            if label is None:
                return
            falsehood = self._falsehood(reply, label, queries.floor[i] - queries.tolerance[i])
            if falsehood:
                answers.status[i], answers.notes[i] = Status.FAILED, falsehood
                return
            answers.bounds[i] = min(answers.bounds[i], reply.bound)
            if queries.floor[i] >= answers.bounds[i] - queries.tolerance[i]:
                answers.labels[i], answers.status[i] = queries.floor_labels[i], Status.OPTIMAL
                return
            broken_cuts = program.broken_cuts(label)
            structure_rows = broken_structure_rows(program, label)
            if not broken_cuts.size and structure_rows is None:
                answers.labels[i] = label
                return
            if reply.status is Status.FEASIBLE:  # out of time, and this label breaks a row
                answers.status[i] = Status.TIME_LIMIT
                return
            rows = structure_rows
            if rows is None:
                answers.used_cuts[i] = True
                fresh = broken_cuts[~np.isin(broken_cuts, added_cuts)][: budgets.LAZY_ROWS_ADDED]
                added_cuts = np.concatenate([added_cuts, fresh])
                if not fresh.size:
                    if label.tobytes() in excluded:  # or it would be excluded for ever
                        answers.status[i] = Status.FAILED
                        answers.notes[i] = "the solver returned a label that a row excludes"
                        return
                    excluded.add(label.tobytes())
                rows = self._cut_rows(fresh, label)
            if not len(rows):
                answers.status[i] = Status.FAILED
                answers.notes[i] = (
                    "the solver's own tolerance let a label through that breaks a cut"
                    if structure_rows is None
                    else "the label is not a basis of the matroid, but breaks none of its known rows"
                )
                return
            self._backend.add(rows)

    def _cut_rows(self, cuts: IntArray, label: IntArray) -> Rows:
        """Return the rows of these cuts; if there are none, the row that excludes a 0/1 label, or no row at all."""
        program, width = self._program, len(self._program.variables)
        if cuts.size:
            return Rows.at_most(program.cut_weights[cuts], program.cut_limits[cuts], width)
        if program.variables.binary[: program.width].all():
            return _all_but(label, width)
        return Rows.at_most(np.zeros((0, width)), np.zeros(0), width)

    def _falsehood(self, reply: Reply, label: IntArray, attained: float) -> str:
        """Say what is provably false about a reply, or nothing; a reply with a falsehood is not used at all."""
        if not self._program.obeys(label[None], structure=False, cuts=False)[0]:
            return "the solver returned a label that breaks a rule"
        if reply.bound < attained:
            return "the solver claimed a bound that a seen label exceeds"
        return ""

    def _label_at_box_best(self, weights: FloatArray, limits: Limits) -> IntArray | None:
        """Return a label with every weighted variable at its best bound, which nothing can beat; None if there is none.

        This is worth a try if most weights are zero, as with the clues of a puzzle: a solver is fast with variables
        that are fixed.
        """
        program = self._program
        weighted = weights != 0
        if 2 * weighted.sum() > len(weights) or not weighted.any():
            return None
        pinned = np.full(len(program.variables), NO_LABEL)
        best = np.where(weights > 0, program.upper, program.lower)
        pinned[: program.width][weighted] = best[weighted]
        label = self._backend.solve(np.zeros(len(pinned)), limits, pinned).label(program.width)
        if label is None or not program.obeys(label[None])[0]:
            return None
        return label if (label == best)[weighted].all() else None


def _all_but(label: IntArray, width: int) -> Rows:
    """Return the row that excludes exactly this 0/1 label, which a solver's tolerance lets past a cut it breaks."""
    row = np.where(label == 1, 1.0, -1.0)[None]
    return Rows.at_most(row, np.array([float(label.sum() - 1)]), width)
