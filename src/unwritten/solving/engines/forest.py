"""Forest: if rules link 0/1 variables without a cycle, build the best label from the leaves to the roots.

"a requires b", "at most one of", "at least one of", "exactly one of" and "p is the sum of its children" are rows of
literals. If no variable can be reached from another in two ways, dynamic programming finds the best label in time
that is linear in the size of the rules: `native/literal_forest.cpp`.
"""

from __future__ import annotations

import numpy as np

from unwritten.data.products import row_values
from unwritten.errors import SolverError
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.engine import QueryBatch
from unwritten.solving.engines.literal_forest import LiteralForest
from unwritten.solving.engines.packed_literals import PackedLiterals
from unwritten.solving.program import Program


class Forest:
    """Two passes over the rows for each query."""

    def __init__(self, program: Program, backend: str) -> None:
        forest = literal_forest(program)
        if forest is None:
            raise SolverError(
                "engine 'forest' needs 0/1 variables, no cuts, and rules over literals that form no cycle: "
                "use engine='auto'"
            )
        self._program, self._forest = program, forest

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Return the best label of each query; of equally good labels, the seen one proves more."""
        answers = Answers.blank(len(queries), self._program.width)
        answers.labels = self._forest.best(queries.weights)
        answers.bounds = row_values(queries.weights, answers.labels)
        answers.status[:] = Status.OPTIMAL
        answers.used_cuts[:] = False
        seen = np.isfinite(queries.floor) & (queries.floor >= answers.bounds - queries.tolerance)
        answers.labels[seen] = queries.floor_labels[seen]
        return answers


def literal_forest(program: Program) -> LiteralForest | None:
    """The rows of a program of 0/1 variables without cuts, if they form a forest."""
    binary = (program.lower >= 0).all() and (program.upper <= 1).all()
    if not binary or program.latents or program.structure is not None or len(program.cut_limits):
        return None
    packed, others = PackedLiterals.of(program.rules)
    return None if others else LiteralForest.of(packed)
