"""The search for limits: excluded labels, rows that explain them, and labels that these rows wrongly allow."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.limits.claims import Claims
from unwritten.mining.limits.listing import listed
from unwritten.mining.limits.near_labels import better_labels, steps_of
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.several_rows import ROW_NATS, described, fewest_rows, refined
from unwritten.rules import RuleSet


@dataclass(frozen=True, eq=False)
class Found:
    """Rows of floats, the points that they were fitted to, and whether these are all labels there are."""

    rows: FloatArray
    points: Points
    complete: bool


def find_rows(claims: Claims, rules: RuleSet) -> Found | None:
    """The rows that explain why nothing better was chosen, beside the known rules.

    None if the rules explain all, or if no few rows explain the rest.
    """
    lower, upper = claims.variables.lower, claims.variables.upper
    every = listed(claims.variables, rules)
    if every is not None:
        counts, one = claims.excludes(every)
        excluded = counts > 0
        claimed_by = np.where(counts == 1, one, -1)[excluded]
        points = Points(claims.seen - lower, every[excluded] - lower, claimed_by, upper - lower)
        if not len(points.excluded):
            return None
        fitted = fewest_rows(points, claims)
        return None if fitted.hopeless(points) else Found(fitted.rows, points, True)
    rng = np.random.default_rng(0)
    steps, known = steps_of(len(claims.variables), rules), _inequalities(rules, claims)
    labels, examples = better_labels(claims, steps, budgets.LIMIT_MOVES_KEPT, rng, known)
    nothing = Points(claims.seen - lower, labels[:0], examples[:0], upper - lower)
    points = nothing.with_excluded(labels - lower, examples)
    rows = np.zeros((0, points.width + 1))
    if len(points.excluded):
        fitted = fewest_rows(points, claims)
        if fitted.hopeless(points):
            return None
        rows = fitted.rows
    searches = 1
    for turn in range(budgets.LIMIT_ROUNDS):
        allowed = np.concatenate([known, points.centred(rows)])
        labels, examples = better_labels(claims, steps, budgets.LIMIT_COUNTEREXAMPLES, rng, allowed)
        if len(labels) < 5:
            more, others = counterexamples(claims, rules, points.centred(rows), turn)
            labels, examples = np.concatenate([labels, more]), np.concatenate([examples, others])
        size = len(points.excluded)
        points = points.with_excluded(labels - lower, examples)
        if len(points.excluded) == size:
            break
        again = described(points, refined(points, rows)) if len(rows) else None
        if again is None or again.missed * log(len(points.excluded) + 1) > ROW_NATS * (points.width + 1):
            searches += 1  # these rows miss so much that another one would pay off
            again = fewest_rows(points, claims)
        if again.hopeless(points) or searches > budgets.LIMIT_SEARCHES:
            return None
        rows = again.rows
    return Found(rows, points, False) if len(rows) else None


def _inequalities(rules: RuleSet, claims: Claims) -> FloatArray:
    """The known inequalities as rows `[a, b]` over labels that count from their lower bounds."""
    chosen = rules[~rules.equality]
    rows = np.column_stack([chosen.matrix, chosen.rhs - chosen.matrix @ claims.variables.lower])
    return rows.astype(np.float64)


def counterexamples(claims: Claims, rules: RuleSet, rows: FloatArray, turn: int) -> tuple[IntArray, IntArray]:
    """Decide some examples again under known rules and rows: labels that are worth more than the chosen ones."""
    from unwritten.programs import LoadedProgram  # HiGHS is loaded when it is first needed

    variables = claims.variables
    width = len(variables)
    box = (variables.lower.astype(np.float64), variables.upper.astype(np.float64))
    program = LoadedProgram(*box, integral=np.ones(width, bool))
    upper = rules.rhs.astype(np.float64)
    program.add(rules.matrix.astype(np.float64), lower=np.where(rules.equality, upper, -np.inf), upper=upper)
    program.add(rows[:, :-1], upper=rows[:, -1] + rows[:, :-1] @ variables.lower)
    order = np.random.default_rng(turn).permutation(len(claims))[: budgets.LIMIT_QUERIES]
    labels, examples = np.zeros((0, width), np.int64), []
    found = []
    for i in order:
        values = program.solve(claims.weights[i], nodes=budgets.LIMIT_QUERY_NODES).values
        if values is not None:
            label = np.rint(values).astype(np.int64)
            if claims.weights[i] @ label > claims.thresholds[i]:
                found.append(label)
                examples.append(int(i))
    if found:
        labels = np.array(found)
    keep: BoolArray = rules.obeyed_by(labels) & ((labels >= variables.lower) & (labels <= variables.upper)).all(axis=1)
    return labels[keep], np.array(examples, np.int64)[keep]
