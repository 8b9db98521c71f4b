"""Closure: if all rules are implications, with cycles or without, a minimum cut gives the best label.

Labels that obey "a requires b" are the closed sets of a graph. Rules that exclude two literals, or want one of two, are
implications too if the right variables are read as their complements: "a or b" says that not a requires b. Such a
choice exists unless rules contradict it around a cycle, as "at most one of a, b, c" does. `native/closure.cpp` finds
the best closed set by a maximum flow in whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unwritten.data import FloatArray, IntArray
from unwritten.errors import SolverError
from unwritten.native import kernels
from unwritten.rules.literal_rows import AT_LEAST, AT_MOST, EXACTLY, LiteralRow
from unwritten.solving.backends import Limits
from unwritten.solving.decision import Answers
from unwritten.solving.engines.engine import QueryBatch, best_answers
from unwritten.solving.engines.literal_forest import UNDECIDED, simplified
from unwritten.solving.engines.packed_literals import PackedLiterals, literals_alone
from unwritten.solving.program import Program


@dataclass(frozen=True, eq=False)
class ImplicationGraph:
    """Arcs "tail requires head" between variables, some of them read as their complements (`flipped`).

    `fixed` holds the value of variables that have only one, or UNDECIDED.
    """

    tails: NDArray[np.int32]
    heads: NDArray[np.int32]
    flipped: NDArray[np.bool_]
    fixed: IntArray

    @classmethod
    def of(cls, packed: PackedLiterals) -> ImplicationGraph | None:
        """Read rows of literals as implications; None if some are not, or if they contradict each other."""
        fixed = np.full(packed.variables, UNDECIDED)
        rows = simplified([(packed.row(i).tolist(), int(packed.kinds[i])) for i in range(len(packed))], fixed)
        if rows is None:
            return None
        if any(len(literals) != 2 or literals[0] >> 1 == literals[1] >> 1 for literals, _ in rows):
            return None
        clauses = [clause for row in rows for clause in _clauses(row)]
        flipped = _flips(clauses, packed.variables)
        if flipped is None:
            return None
        arcs = []
        for a, b in clauses:
            negated = (a & 1) ^ int(flipped[a >> 1])  # the literal that is false when its variable is 1
            arcs.append((a >> 1, b >> 1) if negated else (b >> 1, a >> 1))
        tails, heads = np.array(arcs, np.int32).reshape(-1, 2).T.copy()
        return cls(tails, heads, flipped, fixed)

    def best(self, weights: FloatArray) -> IntArray:
        """The label with the largest w·y for each row of weights; of equally good ones, one of fewest true literals."""
        decided = self.fixed != UNDECIDED
        signed = np.where(decided, 0.0, np.where(self.flipped, -weights, weights))
        labels: IntArray = kernels.closure_labels(np.ascontiguousarray(signed), self.tails, self.heads) ^ self.flipped
        return np.where(decided, self.fixed, labels)


class Closure:
    """A minimum cut for each query."""

    def __init__(self, program: Program, backend: str) -> None:
        graph = implication_graph(program)
        if graph is None:
            raise SolverError(
                "engine 'closure' needs 0/1 variables, no cuts, and rules that are implications: use engine='auto'"
            )
        self._graph = graph

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Return the best label of each query."""
        return best_answers(queries, self._graph.best(queries.weights))


def implication_graph(program: Program) -> ImplicationGraph | None:
    """The rows of a program of 0/1 variables without cuts, if they are implications."""
    packed = literals_alone(program)
    return None if packed is None else ImplicationGraph.of(packed)


def _clauses(row: LiteralRow) -> list[tuple[int, int]]:
    """A row of two literals as pairs of which one is true."""
    (a, b), kind = row
    either, not_both = (a, b), (a ^ 1, b ^ 1)
    return {AT_LEAST: [either], AT_MOST: [not_both], EXACTLY: [either, not_both]}[kind]


def _flips(clauses: list[tuple[int, int]], width: int) -> NDArray[np.bool_] | None:
    """Which variables to read as complements, so that each clause has one literal of each sign; None if impossible."""
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(width)]
    for a, b in clauses:
        differs = 1 ^ (a & 1) ^ (b & 1)  # 1 if just one of the two has to be flipped
        neighbours[a >> 1].append((b >> 1, differs))
        neighbours[b >> 1].append((a >> 1, differs))
    flips = np.full(width, UNDECIDED)
    for root in range(width):
        if flips[root] != UNDECIDED:
            continue
        flips[root], waiting = 0, [root]
        while waiting:
            j = waiting.pop()
            for other, differs in neighbours[j]:
                wanted = int(flips[j]) ^ differs
                if flips[other] == UNDECIDED:
                    flips[other] = wanted
                    waiting.append(other)
                elif flips[other] != wanted:
                    return None
    return np.asarray(flips == 1)
