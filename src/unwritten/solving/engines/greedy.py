"""Greedy: where labels are the bases of a matroid, the best basis by weight; exact if it also passes rules and cuts.

The best basis is worth at least what any feasible label is, so one that obeys everything else is the optimum. One that
does not is no answer, and the query goes on to the next engine.
"""

from __future__ import annotations

import numpy as np

from unwritten.errors import SolverError
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.base import Queries
from unwritten.solving.program import Program


class Greedy:
    """One pass over the columns by weight, for all queries at once."""

    def __init__(self, program: Program, backend: str) -> None:
        if program.structure is None:
            raise SolverError("engine 'greedy' needs labels that are the bases of a matroid: use engine='auto'")
        self._program, self._structure = program, program.structure

    def answer(self, queries: Queries, limits: Limits) -> Answers:
        """The best basis of each query, and its value as the bound."""
        program = self._program
        answers = Answers.blank(len(queries), program.width)
        labels = self._structure.greedy(queries.weights)
        answers.bounds = (queries.weights * labels).sum(axis=1)
        good = program.obeys(labels)
        if len(program.cut_limits):
            good[good] = [not program.broken_cuts(label).size for label in labels[good]]
        answers.labels[good] = labels[good]
        answers.status[good] = Status.OPTIMAL
        answers.used_cuts = ~good
        seen = np.isfinite(queries.floor) & good & (queries.floor >= answers.bounds - queries.tolerance)
        answers.labels[seen] = queries.floor_labels[seen]  # of equally good labels, the seen one proves more
        answers.notes[~good] = "the best basis breaks a rule or a cut"
        return answers
