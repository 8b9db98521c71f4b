"""The search for limits: excluded labels, rows that explain them, and labels that these rows wrongly allow."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.limits.better_labels import better_labels, random_labels, steps_of
from unwritten.mining.limits.choices import Choices
from unwritten.mining.limits.explaining_rows import ExplainingRows, explained, with_simple_rows
from unwritten.mining.limits.listed_labels import listed
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.several_rows import ROW_NATS
from unwritten.mining.limits.worse_labels import worse_labels
from unwritten.rules import RuleSet

SOLVER_ROOM = 1e-6  # share of a value below which solvers see no difference
FEW_LABELS = 5  # if fewer labels than this are left one step from the examples, examples are decided again


def find_rows(choices: Choices, rules: RuleSet) -> ExplainingRows | None:
    """The rows that explain why nothing better was chosen, beside the known rules.

    None if the rules explain all, or if no few rows explain the rest.
    """
    steps = steps_of(len(choices.variables), rules)
    if not len(steps):
        return None
    worse = worse_labels(choices, rules, steps)
    every = listed(choices.variables, rules)
    explanation = (
        _explained_near(choices, rules, steps, worse)
        if every is None
        else _explained_listed(choices, rules, every, worse)
    )
    return None if explanation is None or explanation.hopeless else explanation


def _explained_listed(choices: Choices, rules: RuleSet, every: IntArray, worse: IntArray) -> ExplainingRows | None:
    """Explain the excluded labels among all labels there are."""
    counts, one = choices.excludes(every)
    excluded = counts > 0
    if not excluded.any():
        return None
    unknown = every[~excluded]
    thinned = np.random.default_rng(0).permutation(len(unknown))[: budgets.LIMIT_LABELS_COMPARED]
    points = Points.of(
        choices, rules, every[excluded], np.where(counts == 1, one, -1)[excluded], worse, unknown[thinned]
    )
    return explained(replace(points, complete=len(thinned) == len(unknown)), choices)


def _explained_near(choices: Choices, rules: RuleSet, steps: IntArray, worse: IntArray) -> ExplainingRows | None:
    """Explain the excluded labels near the examples, and those that deciding examples again brings up."""
    lower = choices.variables.lower
    rng = np.random.default_rng(0)
    known = _inequalities(rules, choices)
    most = max(budgets.LIMIT_MOVES_KEPT, budgets.LIMIT_LABELS_SEARCHED // len(choices))
    labels, examples = better_labels(choices, steps, most, rng, known)
    near = random_labels(choices, np.concatenate([choices.seen, worse]), steps, rules, budgets.LIMIT_LABELS_COMPARED)
    unknown = near[choices.excludes(near)[0] == 0]
    points = Points.of(choices, rules, labels, examples, worse, unknown)
    points = points.with_excluded(points.excluded[:0], points.claimed_by[:0])  # each once
    explanation = ExplainingRows.nothing(points)
    if len(points.excluded):
        explanation = explained(points, choices)
        if explanation.hopeless:
            return None
    searches = 1
    for turn in range(budgets.LIMIT_ROUNDS):
        rows = explanation.centred
        labels, examples = better_labels(
            choices, steps, budgets.LIMIT_COUNTEREXAMPLES, rng, np.concatenate([known, rows])
        )
        if len(labels) < FEW_LABELS:
            more, others = counterexamples(choices, rules, rows, turn)
            labels, examples = np.concatenate([labels, more]), np.concatenate([examples, others])
        size = len(points.excluded)
        points = points.with_excluded(labels - lower, examples)
        if len(points.excluded) == size:
            break
        explanation = explanation.with_points(points)
        if not len(explanation.wide):
            explanation = with_simple_rows(explanation, explanation.cost)
        if explanation.missed.sum() * log(len(points.excluded) + 1) > ROW_NATS * (points.width + 1):
            searches += 1  # these rows miss so many labels that one more row would pay off
            explanation = explained(points, choices)
        if explanation.hopeless or searches > budgets.LIMIT_SEARCHES:
            return None
    return explanation if len(explanation) else None


def _inequalities(rules: RuleSet, choices: Choices) -> FloatArray:
    """The known inequalities as rows `[a, b]` over labels that count from their lower bounds."""
    chosen = rules[~rules.equality]
    rows = np.column_stack([chosen.matrix, chosen.rhs - chosen.matrix @ choices.variables.lower])
    return rows.astype(np.float64)


def counterexamples(choices: Choices, rules: RuleSet, rows: FloatArray, turn: int) -> tuple[IntArray, IntArray]:
    """Decide some examples again under known rules and rows: labels that are worth more than the chosen ones."""
    from unwritten.programs import LoadedProgram  # HiGHS is loaded when it is first needed

    variables = choices.variables
    width = len(variables)
    box = (variables.lower.astype(np.float64), variables.upper.astype(np.float64))
    program = LoadedProgram(*box, integral=np.ones(width, bool))
    upper = rules.rhs.astype(np.float64)
    program.add(rules.matrix.astype(np.float64), lower=np.where(rules.equality, upper, -np.inf), upper=upper)
    program.add(rows[:, :-1], upper=rows[:, -1] + rows[:, :-1] @ variables.lower)
    order = np.random.default_rng(turn).permutation(len(choices))[: budgets.LIMIT_QUERIES]
    labels, examples = np.zeros((0, width), np.int64), []
    better = []
    for i in order:
        above = choices.thresholds[i] - SOLVER_ROOM * abs(choices.thresholds[i])
        values = program.solve(choices.weights[i], nodes=budgets.LIMIT_QUERY_NODES, above=above).values
        if values is not None:
            label = np.rint(values).astype(np.int64)
            if choices.weights[i] @ label > choices.thresholds[i]:
                better.append(label)
                examples.append(int(i))
    if better:
        labels = np.array(better)
    keep: BoolArray = rules.obeyed_by(labels) & ((labels >= variables.lower) & (labels <= variables.upper)).all(axis=1)
    return labels[keep], np.array(examples, np.int64)[keep]
