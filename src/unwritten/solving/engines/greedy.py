"""Greedy: if labels are the bases of a matroid, take the best basis by weight.

No feasible label has more value than the best basis, so a best basis that also obeys rules and cuts is the optimum. If
it does not, there is no answer here, and the query goes on to the next engine.
"""

from __future__ import annotations

import numpy as np

from unwritten.data.products import row_values
from unwritten.errors import SolverError
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.engine import QueryBatch
from unwritten.solving.program import Program


class Greedy:
    """One pass over the columns by weight, for all queries at once."""

    def __init__(self, program: Program, backend: str) -> None:
        if program.structure is None:
            raise SolverError("engine 'greedy' needs labels that are the bases of a matroid: use engine='auto'")
        self._program, self._structure = program, program.structure

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Return the best basis of each query, with its value as the bound."""
        program = self._program
        answers = Answers.blank(len(queries), program.width)
        bases = self._structure.greedy(queries.weights)
        answers.bounds = row_values(queries.weights, bases)
        obeys = program.obeys(bases, structure=False, seen=queries.seen(bases))
        answers.labels[obeys] = bases[obeys]
        answers.status[obeys] = Status.OPTIMAL
        answers.used_cuts = ~obeys
        seen = np.isfinite(queries.floor) & obeys & (queries.floor >= answers.bounds - queries.tolerance)
        answers.labels[seen] = queries.floor_labels[seen]  # of equally good labels, the seen one proves more
        answers.notes[~obeys] = "the best basis breaks a rule or a cut"
        return answers
