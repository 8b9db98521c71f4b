"""Inner: the best seen label. It always obeys the program; its value is a lower bound on the optimum, not an upper."""

from __future__ import annotations

import numpy as np

from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.engine import QueryBatch
from unwritten.solving.program import Program


class Inner:
    """Inference over the paper's inner polytope: the queries bring their best seen label along."""

    def __init__(self, program: Program, backend: str) -> None:
        self._program = program

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Return the best seen label; only the variables' bounds limit what the true optimum may be."""
        answers = Answers.blank(len(queries), self._program.width)
        has_seen = np.isfinite(queries.floor)
        answers.labels[has_seen] = queries.floor_labels[has_seen]
        answers.bounds = self._program.box_best(queries.weights)
        at_box_best = queries.floor >= answers.bounds - queries.tolerance
        answers.status[has_seen] = Status.FEASIBLE
        answers.status[at_box_best] = Status.OPTIMAL
        answers.notes[~has_seen] = "no seen label obeys the rules"
        answers.used_cuts[:] = False
        return answers
