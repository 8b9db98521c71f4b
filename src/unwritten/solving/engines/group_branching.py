"""The engine "groups": if every rule says exactly, at most or at least one of some literals, propagate and branch.

A first short search bounds values by disjoint groups of literals, which is all that a puzzle with clues needs. Queries
that it leaves open are searched again with the multipliers of the linear relaxation in the weights, as in best-first: a
poor or wrong multiplier only costs time.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray
from unwritten.errors import SolverError
from unwritten.rules.literal_rows import EXACTLY
from unwritten.solving.backends import Limits, Rows
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.engine import QueryBatch, usable_multipliers
from unwritten.solving.engines.packed_literals import NO_RULE, PackedLiterals
from unwritten.solving.program import Program


class GroupBranching:
    """Search over one program of 0/1 variables without latents. It is compiled on first use and cached on disk."""

    def __init__(self, program: Program, backend: str, most_nodes: int | None = None) -> None:
        rules = program.rules
        if PackedLiterals.of(program.redundant) is not None:
            rules = rules + program.redundant
        rows = None if program.latents else PackedLiterals.of(rules)
        if rows is None:
            raise SolverError(
                "engine 'groups' takes only rules that say exactly, at most or at least one of some 0/1 variables: "
                "use engine='auto'"
            )
        from unwritten.solving.engines import propagate

        self._propagate: Any = propagate
        self._program = program
        self._most_nodes = budgets.PROPAGATION_NODES if most_nodes is None else most_nodes
        self._rules = rules
        self._columns = rules.matrix.T.astype(np.float64)
        self._rows = rows
        self._packed_rules = _packed(propagate, program, rows)
        self._relaxation: Any = None

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Search for all queries, each with its best seen label to beat; search longer for those left unfinished."""
        task = self._propagate.GroupTask(
            np.ascontiguousarray(queries.weights),
            np.ascontiguousarray(queries.weights),
            np.zeros(len(queries)),
            np.zeros(len(self._rows)),
            queries.tolerance,
            min(budgets.PROPAGATION_NODES_FIRST, self._most_nodes),
        )
        walk, late = self._search(task, queries.floor, limits)
        if walk is None:
            answers = Answers.blank(len(queries), self._program.width)
            answers.status[:] = Status.INFEASIBLE
            return answers
        if self._most_nodes > budgets.PROPAGATION_NODES_FIRST:
            for i in np.flatnonzero(~walk.finished & ~late):
                late[i] = self._search_with_multipliers(queries, int(i), walk, limits)
        return self._answers(queries, walk, late)

    def _search_with_multipliers(self, queries: QueryBatch, i: int, walk: Any, limits: Limits) -> bool:
        """Search again for one query and record the result in `walk`; return whether it ran out of time."""
        began = monotonic()
        weights = queries.weights[i]
        multipliers = self._multipliers(weights)
        task = self._propagate.GroupTask(
            weights[None],
            (weights - self._columns @ multipliers)[None],
            np.array([multipliers @ self._rules.rhs]),
            self._slack_prices(multipliers),
            queries.tolerance[i : i + 1],
            self._most_nodes - walk.nodes[i],
        )
        again, late = self._search(task, walk.best[i : i + 1], limits, began)
        if again.best[0] > walk.best[i]:
            walk.best[i], walk.labels[i] = again.best[0], again.labels[0]
        walk.rejected[i] = max(walk.rejected[i], again.rejected[0])
        walk.ceiling[i] = min(walk.ceiling[i], again.ceiling[0])
        walk.nodes[i] += again.nodes[0]
        walk.finished[i] = again.finished[0]
        return bool(late[0])

    def _search(
        self, task: Any, floor: FloatArray, limits: Limits, began: float | None = None
    ) -> tuple[Any, BoolArray]:
        """Search for all queries, each within its time; return the walk and which queries ran out of time.

        The walk is None if the rules contradict each other. `began` is when the first query's time started.
        """
        walk = self._propagate.GroupWalk.start(self._packed_rules, floor)
        late = np.zeros(len(floor), bool)
        if not self._propagate.settle_root(self._packed_rules, walk):
            return None, late
        query, start = 0, monotonic() if began is None else began
        while not self._propagate.advance(self._packed_rules, task, walk, walk.visited + budgets.PROPAGATION_STRIDE):
            if limits.stop.is_set():
                late[walk.query :] = True
                break
            now = monotonic()
            if walk.query != query:
                query, start = walk.query, now
            if limits.time_limit is not None and now - start > limits.time_limit:
                late[query] = True
                walk.give_up()
        return walk, late

    def _answers(self, queries: QueryBatch, walk: Any, late: BoolArray) -> Answers:
        """Turn the end of a walk into answers."""
        answers = Answers.blank(len(queries), self._program.width)
        has_label = np.isfinite(walk.best)
        answers.labels[has_label] = queries.floor_labels[has_label]
        better = walk.best > queries.floor
        answers.labels[better] = walk.labels[better]
        answers.bounds = np.where(walk.finished, walk.best, np.maximum(walk.ceiling, walk.best))
        answers.used_cuts = walk.rejected > walk.best + queries.tolerance
        answers.out_of_time = late
        answers.status[late] = Status.TIME_LIMIT
        answers.status[walk.finished] = Status.INFEASIBLE
        answers.status[has_label] = Status.FEASIBLE
        answers.status[has_label & walk.finished] = Status.OPTIMAL
        for i in np.flatnonzero(~walk.finished):
            answers.notes[i] = f"search over groups stopped after {walk.nodes[i]} nodes"
        return answers

    def _multipliers(self, weights: FloatArray) -> FloatArray:
        """Return λ of the linear relaxation, at least 0 on inequalities; zeros if it cannot be had."""
        if self._relaxation is None and len(self._rules):
            from unwritten.solving.backends.highs import HighsBackend

            self._relaxation = HighsBackend(self._program.variables, Rows.of_rules(self._rules), integral=False)
        multipliers = self._relaxation.duals(weights) if self._relaxation else None
        return usable_multipliers(multipliers, weights, self._rules.equality)

    def _slack_prices(self, multipliers: FloatArray) -> FloatArray:
        """Return what one literal of slack costs in each row."""
        rows = self._rows
        has_slack = (rows.rules != NO_RULE) & (rows.kinds != EXACTLY)
        return np.where(has_slack, rows.steps * np.append(multipliers, 0.0)[rows.rules], 0.0)


def _packed(propagate: Any, program: Program, rows: PackedLiterals) -> Any:
    """Return rows, places and groups as the arrays of the compiled search, in 32 bits to stay in the CPU's cache."""
    groups, may_be_empty = rows.partition()
    group, member = np.zeros((2, rows.variables), np.int64)
    group[groups.literals // 2] = np.repeat(np.arange(len(groups)), np.diff(groups.starts))
    member[groups.literals // 2] = groups.literals
    lists = (rows.starts, rows.literals, rows.kinds, *rows.places(), group, member, groups.starts, groups.literals)
    packed = (np.ascontiguousarray(part, np.int32) for part in lists)
    return propagate.PackedRules(*packed, may_be_empty, np.asarray(program.cut_weights), program.cut_limits)
