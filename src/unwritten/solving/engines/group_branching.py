"""The engine "groups": propagate rules that say exactly, at most or at least one of some literals, and branch.

Rules of another form, such as capacities, are propagated as sums: a literal that does not fit into the room that is
left becomes false. A first short search bounds values by disjoint groups of literals, which is all that a puzzle with
clues needs. Queries that it leaves open are searched again with the multipliers of the linear relaxation in the
weights, as in best-first: a poor or wrong multiplier only costs time. The search itself is compiled:
`native/propagate.cpp`.
"""

from __future__ import annotations

from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray
from unwritten.errors import SolverError
from unwritten.native import kernels
from unwritten.rules.literal_rows import EXACTLY
from unwritten.solving.backends import Limits, Rows
from unwritten.solving.decision import Answers, Status
from unwritten.solving.engines.engine import QueryBatch, rule_sizes, usable_multipliers
from unwritten.solving.engines.packed_literals import NO_RULE, PackedLiterals
from unwritten.solving.engines.search_result import SearchResult
from unwritten.solving.engines.weighted_literals import WeightedLiterals
from unwritten.solving.program import Program

MOST_VARIABLES = 1 << 19  # that the kernel can number


class GroupQueries(NamedTuple):
    """m queries: w·y = bounding·y + constant − price·slack on all labels; values closer than `equal` are equal.

    The slack of an "at most" row is 1 if none of its literals is true; that of an "at least" row is the number of its
    true literals beyond one; that of a weighted row is the room that its true literals leave. Answers must have more
    value than `floor`.
    """

    weights: FloatArray  # (m, d)
    bounding: FloatArray  # (m, d)
    constant: FloatArray  # (m,)
    price: FloatArray  # (rows of literals + weighted rows,) at least 0
    equal: FloatArray  # (m,)
    floor: FloatArray  # (m,)


class GroupBranching:
    """Search over one program of 0/1 variables without latents."""

    def __init__(self, program: Program, backend: str, most_nodes: int | None = None) -> None:
        binary = (program.lower >= 0).all() and (program.upper <= 1).all()
        if program.latents or program.width > MOST_VARIABLES or not binary:
            raise SolverError(
                f"engine 'groups' takes only 0/1 variables, at most {MOST_VARIABLES:,} of them, and neither latent "
                "variables nor gaps: use engine='auto'"
            )
        rules = program.rules
        if not PackedLiterals.of(program.redundant)[1]:
            rules = rules + program.redundant
        rows, others = PackedLiterals.of(rules)
        weighted = WeightedLiterals.of(rules, others)
        self._program = program
        self._most_nodes = budgets.PROPAGATION_NODES if most_nodes is None else most_nodes
        self._rules = rules
        self._columns = rules.matrix.T.astype(np.float64)
        self._rows, self._weighted = rows, weighted
        self._packed_rules = _packed(program, rows, weighted)
        self._sizes = rule_sizes(rules)
        self._relaxation: Any = None

    def answer(self, queries: QueryBatch, limits: Limits) -> Answers:
        """Search for all queries, each with its best seen label to beat; search longer for those left unfinished."""
        weights = np.ascontiguousarray(queries.weights)
        no_price, no_constant = np.zeros(len(self._rows) + len(self._weighted)), np.zeros(len(queries))
        first = GroupQueries(weights, weights, no_constant, no_price, queries.tolerance, queries.floor)
        result = self._search(first, min(budgets.PROPAGATION_NODES_FIRST, self._most_nodes), limits)
        if result is None:
            answers = Answers.blank(len(queries), self._program.width)
            answers.status[:] = Status.INFEASIBLE
            return answers
        if self._most_nodes > budgets.PROPAGATION_NODES_FIRST:
            for i in np.flatnonzero(~result.finished & ~result.late):
                self._search_with_multipliers(queries, int(i), result, limits)
        return result.answers(queries, "search over groups stopped after {} nodes")

    def _search_with_multipliers(self, queries: QueryBatch, i: int, result: SearchResult, limits: Limits) -> None:
        """Search again for one query and record what was found in `result`."""
        began = monotonic()
        weights = queries.weights[i]
        multipliers = self._multipliers(weights, queries.tolerance[i])
        query = GroupQueries(
            weights[None],
            (weights - self._columns @ multipliers)[None],
            np.array([multipliers @ self._rules.rhs]),
            self._slack_prices(multipliers),
            queries.tolerance[i : i + 1],
            result.best[i : i + 1],
        )
        again = self._search(query, self._most_nodes - int(result.visited[i]), limits, monotonic() - began)
        assert again is not None  # noqa: S101 - the first search found no contradiction
        if again.best[0] > result.best[i]:
            result.best[i], result.labels[i] = again.best[0], again.labels[0]
        result.rejected[i] = max(result.rejected[i], again.rejected[0])
        result.ceiling[i] = min(result.ceiling[i], again.ceiling[0])
        result.visited[i] += again.visited[0]
        result.finished[i], result.late[i] = again.finished[0], again.late[0]

    def _search(
        self, queries: GroupQueries, most_nodes: int, limits: Limits, spent: float = 0.0
    ) -> SearchResult | None:
        """Search for all queries, each within its time less the seconds `spent`; None if the rules contradict."""
        seconds = np.inf if limits.time_limit is None else limits.time_limit - spent
        result = self._packed_rules.search(*queries, most_nodes, seconds, limits.stop.is_set)
        return None if result is None else SearchResult(*result)

    def _multipliers(self, weights: FloatArray, equal: float) -> FloatArray:
        """Return λ of the linear relaxation, at least 0 on inequalities; zeros if it cannot be had."""
        if self._relaxation is None and len(self._rules):
            from unwritten.solving.backends.highs import HighsBackend

            self._relaxation = HighsBackend(self._program.variables, Rows.of_rules(self._rules), integral=False)
        multipliers = self._relaxation.duals(weights) if self._relaxation else None
        return usable_multipliers(multipliers, self._rules.equality, self._sizes, equal)

    def _slack_prices(self, multipliers: FloatArray) -> FloatArray:
        """Return what one literal of slack costs in each row, and what a unit of room costs in each weighted row."""
        rows, weighted = self._rows, self._weighted
        has_slack = (rows.rules != NO_RULE) & (rows.kinds != EXACTLY)
        prices = np.where(has_slack, rows.steps * np.append(multipliers, 0.0)[rows.rules], 0.0)
        return np.append(prices, np.where(weighted.one_sided, multipliers[weighted.rules], 0.0))


def _packed(program: Program, rows: PackedLiterals, weighted: WeightedLiterals) -> kernels.GroupRules:
    """Return rows, groups and cuts in the layout of the compiled search."""
    groups, may_be_empty = rows.partition()
    return kernels.GroupRules(
        rows.variables,
        np.ascontiguousarray(rows.starts, np.int32),
        np.ascontiguousarray(rows.literals, np.int32),
        np.ascontiguousarray(rows.kinds, np.int32),
        np.ascontiguousarray(groups.starts, np.int32),
        np.ascontiguousarray(groups.literals, np.int32),
        np.ascontiguousarray(may_be_empty),
        np.ascontiguousarray(weighted.starts, np.int32),
        np.ascontiguousarray(weighted.literals, np.int32),
        weighted.coefficients,
        weighted.rooms,
        np.ascontiguousarray(program.cut_weights, np.float64),
        np.ascontiguousarray(program.cut_limits, np.float64),
        budgets.CUT_TILE_ENTRIES,
    )
