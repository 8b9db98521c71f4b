"""Groups: where every rule says exactly, at most or at least one of some literals, propagate and branch.

A first short search bounds values by disjoint groups, which is all that a puzzle with clues needs. What it leaves open
is searched again with the multipliers of the linear relaxation in the weights, as in best-first: a poor or wrong
multiplier only costs time.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray
from unwritten.errors import SolverError
from unwritten.rules.literal_rows import EXACTLY
from unwritten.solving.backends import Limits, Rows
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.base import Queries, sound_multipliers
from unwritten.solving.engines.literals import NO_RULE, Literals
from unwritten.solving.program import Program


class Groups:
    """Search over one program of 0/1 variables without latents; compiled on first use, and kept on disk since."""

    def __init__(self, program: Program, backend: str, cap: int = budgets.PROPAGATION_NODES) -> None:
        rules = program.rules
        if Literals.of(program.redundant) is not None:
            rules = rules + program.redundant
        rows = None if program.latents else Literals.of(rules)
        if rows is None:
            raise SolverError(
                "engine 'groups' takes rules of the form exactly, at most or at least one of, on 0/1 only"
            )
        from unwritten.solving.engines import propagate

        self._propagate: Any = propagate
        self._program = program
        self._cap = cap
        self._rules = rules
        self._columns = rules.matrix.T.astype(np.float64)
        self._literals = rows
        self._rows = _compiled(propagate, program, rows)
        self._relaxation: Any = None

    def answer(self, queries: Queries, limits: Limits) -> Answers:
        """One search for all queries, each from its best seen label on; a second for those that need it."""
        asked = self._propagate.Asked(
            np.ascontiguousarray(queries.weights),
            np.ascontiguousarray(queries.weights),
            np.zeros(len(queries)),
            np.zeros(len(self._literals)),
            queries.tolerance,
            min(budgets.PROPAGATION_NODES_FIRST, self._cap),
        )
        walk, late = self._search(asked, queries.floor, limits)
        if walk is None:
            answers = Answers.blank(len(queries), self._program.width)
            answers.status[:] = Status.INFEASIBLE
            return answers
        if self._cap > budgets.PROPAGATION_NODES_FIRST:
            for i in np.flatnonzero(~walk.finished & ~late):
                late[i] = self._search_on(queries, int(i), walk, limits)
        return self._answers(queries, walk, late)

    def _search_on(self, queries: Queries, i: int, walk: Any, limits: Limits) -> bool:
        """Take up one query with multipliers and note what comes of it; whether it ran out of time."""
        began = monotonic()
        weights = queries.weights[i]
        multipliers = self._multipliers(weights)
        asked = self._propagate.Asked(
            weights[None],
            (weights - self._columns @ multipliers)[None],
            np.array([multipliers @ self._rules.rhs]),
            self._prices(multipliers),
            queries.tolerance[i : i + 1],
            self._cap - walk.nodes[i],
        )
        again, late = self._search(asked, walk.best[i : i + 1], limits, began)
        if again.best[0] > walk.best[i]:
            walk.best[i], walk.labels[i] = again.best[0], again.labels[0]
        walk.rejected[i] = max(walk.rejected[i], again.rejected[0])
        walk.ceiling[i] = min(walk.ceiling[i], again.ceiling[0])
        walk.nodes[i] += again.nodes[0]
        walk.finished[i] = again.finished[0]
        return bool(late[0])

    def _search(self, asked: Any, floor: FloatArray, limits: Limits, began: float | None = None) -> tuple[Any, Any]:
        """Search all queries, at each no longer than its time; which of them ran out of it."""
        walk = self._propagate.Walk.start(self._rows, floor)
        late = np.zeros(len(floor), bool)
        if not self._propagate.settle_root(self._rows, walk):
            return None, late
        at, start = 0, monotonic() if began is None else began
        while not self._propagate.advance(self._rows, asked, walk, walk.visited + budgets.PROPAGATION_STRIDE):
            if limits.stop.is_set():
                late[walk.query :] = True
                break
            now = monotonic()
            if walk.query != at:
                at, start = walk.query, now
            if limits.time_limit is not None and now - start > limits.time_limit:
                late[at] = True
                walk.give_up()
        return walk, late

    def _answers(self, queries: Queries, walk: Any, late: Any) -> Answers:
        answers = Answers.blank(len(queries), self._program.width)
        found = np.isfinite(walk.best)
        answers.labels[found] = queries.floor_labels[found]
        better = walk.best > queries.floor
        answers.labels[better] = walk.labels[better]
        answers.bounds = np.where(walk.finished, walk.best, np.maximum(walk.ceiling, walk.best))
        answers.used_cuts = walk.rejected > walk.best + queries.tolerance
        answers.out_of_time = late
        answers.status[late] = Status.TIME_LIMIT
        answers.status[walk.finished] = Status.INFEASIBLE
        answers.status[found] = Status.FEASIBLE
        answers.status[found & walk.finished] = Status.OPTIMAL
        for i in np.flatnonzero(~walk.finished):
            answers.notes[i] = f"search over groups stopped after {walk.nodes[i]} nodes"
        return answers

    def _multipliers(self, weights: FloatArray) -> FloatArray:
        """λ of the linear relaxation, at least 0 on inequalities; zeros where there is none."""
        if self._relaxation is None and len(self._rules):
            from unwritten.solving.backends.highs import HighsBackend

            self._relaxation = HighsBackend(self._program.variables, Rows.of_rules(self._rules), integral=False)
        found = self._relaxation.duals(weights) if self._relaxation else None
        return sound_multipliers(found, weights, self._rules.equality)

    def _prices(self, multipliers: FloatArray) -> FloatArray:
        """What one literal of slack costs in each row."""
        rows = self._literals
        given = (rows.rules != NO_RULE) & (rows.kinds != EXACTLY)
        return np.where(given, rows.steps * multipliers[rows.rules], 0.0)


def _compiled(propagate: Any, program: Program, rows: Literals) -> Any:
    """The rows, their places and the groups as the arrays of the compiled search; small ones, to stay in the cache."""
    groups, may_be_empty = rows.partition()
    group, member = np.zeros((2, rows.variables), np.int64)
    group[groups.literals // 2] = np.repeat(np.arange(len(groups)), np.diff(groups.starts))
    member[groups.literals // 2] = groups.literals
    lists = (rows.starts, rows.literals, rows.kinds, *rows.places(), group, member, groups.starts, groups.literals)
    small = (np.ascontiguousarray(part, np.int32) for part in lists)
    return propagate.Rules(*small, may_be_empty, np.asarray(program.cut_weights), program.cut_limits)
