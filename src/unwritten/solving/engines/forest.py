"""Forest: if rules link 0/1 variables without a cycle, build the best label from the leaves to the roots.

"a requires b", "at most one of", "at least one of", "exactly one of" and "p is the sum of its children" are rows of
literals. If no variable can be reached from another in two ways, dynamic programming finds the best label in time
that is linear in the size of the rules: `native/literal_forest.cpp`.
"""

from __future__ import annotations

from unwritten.errors import SolverError
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers
from unwritten.solving.engines.engine import QueryBatch, best_answers
from unwritten.solving.engines.literal_forest import LiteralForest
from unwritten.solving.engines.packed_literals import literals_alone
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
        self._forest = forest

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Return the best label of each query."""
        return best_answers(queries, self._forest.best(queries.weights))


def literal_forest(program: Program) -> LiteralForest | None:
    """The rows of a program of 0/1 variables without cuts, if they form a forest."""
    packed = literals_alone(program)
    return None if packed is None else LiteralForest.of(packed)
