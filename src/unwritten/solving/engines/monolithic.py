"""Monolithic: every rule and every cut in one integer program (eq. 3). The reference, and the slowest."""

from __future__ import annotations

from unwritten.errors import SolverError
from unwritten.solving.backends import Limits, Rows, Watched, backend_class
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.base import Queries
from unwritten.solving.program import Program


class Monolithic:
    """All rows loaded at once, one solve per query."""

    def __init__(self, program: Program, backend: str) -> None:
        if program.structure is not None:
            raise SolverError("engine 'monolithic' cannot hold the rows of a matroid, which are too many: use 'lazy'")
        self._program = program
        cuts = Rows.at_most(program.cut_weights, program.cut_limits, len(program.variables))
        self._backend = Watched(backend_class(backend)(program.variables, Rows.of_rules(program.rules) + cuts))

    def answer(self, queries: Queries, limits: Limits) -> Answers:
        """Ask the solver."""
        program = self._program
        answers = Answers.blank(len(queries), program.width)
        for i, weights in enumerate(queries.weights):
            reply = self._backend.solve(program.objective(weights), limits)
            answers.status[i], answers.notes[i] = reply.status, reply.message
            label = reply.rounded()
            if label is not None and reply.status in (Status.OPTIMAL, Status.FEASIBLE):
                answers.labels[i] = label[: program.width]
                answers.bounds[i] = reply.bound
        answers.used_cuts[:] = len(program.cut_limits) > 0
        return answers
