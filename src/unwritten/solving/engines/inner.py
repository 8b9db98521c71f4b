"""Inner: the best seen label. Always feasible; a lower bound on the optimum, never an upper one."""

from __future__ import annotations

import numpy as np

from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.base import Queries
from unwritten.solving.program import Program


class Inner:
    """The inner polytope's inference: one look at the seen labels, which the queries bring along."""

    def __init__(self, program: Program, backend: str) -> None:
        self._program = program

    def answer(self, queries: Queries, limits: Limits) -> Answers:
        """The seen label with the best value; the bounds alone limit what the true optimum may be."""
        answers = Answers.blank(len(queries), self._program.width)
        found = np.isfinite(queries.floor)
        answers.labels[found] = queries.floor_labels[found]
        answers.bounds = self._program.box_best(queries.weights)
        reached = queries.floor >= answers.bounds - queries.tolerance
        answers.status[found] = Status.FEASIBLE
        answers.status[reached] = Status.OPTIMAL
        answers.notes[~found] = "no seen label obeys the rules"
        answers.used_cuts[:] = False
        return answers
