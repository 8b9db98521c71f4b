"""Monolithic: every rule and every cut in one integer program (eq. 3 of the paper). The reference, and the slowest."""

from __future__ import annotations

from dataclasses import replace

from unwritten.errors import SolverError
from unwritten.solving.backends import Limits, Rows, WatchedBackend, backend_class
from unwritten.solving.decision import Answers
from unwritten.solving.engines.engine import QueryBatch
from unwritten.solving.program import Program


class Monolithic:
    """All rows loaded at once, one solve per query."""

    def __init__(self, program: Program, backend: str) -> None:
        if program.structure is not None:
            raise SolverError("engine 'monolithic' cannot hold the rows of a matroid, which are too many: use 'lazy'")
        self._program = program
        cuts = Rows.at_most(program.cut_weights, program.cut_limits, len(program.variables))
        self._backend = WatchedBackend(backend_class(backend)(program.variables, Rows.of_rules(program.rules) + cuts))

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Ask the solver once per query."""
        program = self._program
        answers = Answers.blank(len(queries), program.width)
        for i, weights in enumerate(queries.weights):
            if limits.stop.is_set():
                break
            reply = self._backend.solve(program.objective(weights), replace(limits, gap=queries.gap[i]))
            answers.status[i], answers.notes[i] = reply.status, reply.message
            label = reply.label(program.width)
            if label is not None:
                answers.labels[i] = label
                answers.bounds[i] = reply.bound
        answers.used_cuts[:] = len(program.cut_limits) > 0
        return answers
