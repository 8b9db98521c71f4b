"""Tell the mined rules that the weights prove to be required from the habits that optimality can explain.

With weights, every label is the best of all feasible ones. What the best labels always do need not be a rule: the best
independent sets are maximal, the cheapest covers have no spare member. This file takes the mined rules apart, judges
the parts (`verdict.py`), and puts together what is required, and what is a habit.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, Examples, FloatArray, IntArray, maximised
from unwritten.mining.habits.moves import Moves
from unwritten.mining.habits.one_sided import OneSided, Pair, pairs_of
from unwritten.mining.habits.verdict import HabitJudge
from unwritten.mining.miner import Context, Mined
from unwritten.mining.pairs.pair_miner import believed_pairs, clauses_of, pair_rows_of
from unwritten.rules import HABIT, RuleSet


def without_habits(context: Context) -> tuple[Mined, RuleSet]:
    """What was mined, with its habits set apart, and the groups that follow from its rules.

    Every label must be optimal for its weights. A matroid needs no judgement: it was tested with the weights.
    """
    mined, redundant = context.mined, context.redundant
    judged = mined.rules + redundant
    weights = context.examples.weights
    if weights is None or mined.matroid is not None or context.has_latents or not len(judged):
        return mined, redundant
    rows, stays = _judged(context, judged, weights)
    sides = [[bool(stays[side].all()) for side in of_rule] for of_rule in rows.sides]
    if all(all(each) for each in sides):
        return mined, redundant
    whole = np.array([all(each) for each in sides], bool)
    is_group = np.arange(len(judged)) >= len(mined.rules)
    required = judged[whole & ~is_group]
    halves, habits = _halves(context, judged, sides)
    follow = required.implied(judged.bordered) & whole & is_group
    required = required + judged[whole & is_group & ~follow] + halves
    pairs = [pair for pair, row in rows.pairs.items() if stays[row]]
    stated = context.known + required
    required = required + context.scored(pair_rows_of(pairs, stated), equality=False)
    habits = _not_following(habits, context.known + required)
    habits = replace(habits, origins=(HABIT,) * len(habits))
    return replace(mined, rules=required, habits=habits), judged[follow]


def _judged(context: Context, judged: RuleSet, given: FloatArray) -> tuple[OneSided, BoolArray]:
    """The one-sided rows of the rules, and which of them are required or cannot be judged."""
    pairs, rivals = [], None
    if len(context.variables) <= budgets.HABIT_PAIR_COLUMNS:
        pairs = believed_pairs(context.tally, context.margin)
        rivals = _unseen_pairs(context.tally.seen)
    rows = OneSided.of(context.known, judged, pairs, rivals, context.blocks)
    examples, weights = _sampled(context.examples, given, int(np.count_nonzero(rows.matrix)) + len(rows))
    moves = Moves.of(examples, weights, rows, context.blocks)
    return rows, HabitJudge(rows, moves, context.margin).kept()


def _sampled(examples: Examples, given: FloatArray, entries: int) -> tuple[Examples, FloatArray]:
    """As many examples as the budget allows, each pair of label and weights once; weights to be maximised."""
    most = max(1, budgets.HABIT_ENTRIES // max(1, entries))
    n = len(examples)
    chosen = np.arange(n) if n <= most else np.arange(most) * n // most
    labels, weights = examples.labels[chosen], np.asarray(given[chosen])
    first: dict[tuple[bytes, bytes], int] = {}
    for i, (label, own_weights) in enumerate(zip(labels, weights, strict=True)):
        first.setdefault((label.tobytes(), own_weights.tobytes()), i)
    places = np.fromiter(first.values(), np.int64)
    signed = maximised(weights[places], examples.sense)
    return replace(examples, labels=labels[places], weights=signed), signed


def _unseen_pairs(seen: IntArray) -> list[Pair]:
    """The pairs of literals that no seen label has."""
    binary = np.flatnonzero((seen.min(axis=0) >= 0) & (seen.max(axis=0) <= 1))
    values = seen[:, binary].astype(np.float64)
    literals = np.stack([values, 1 - values], axis=2).reshape(len(seen), -1)
    first, second = np.nonzero(np.triu(literals.T @ literals == 0, 1))
    names = np.stack([2 * binary, 2 * binary + 1], axis=1).ravel()
    different = names[first] >> 1 != names[second] >> 1
    return list(zip(names[first[different]].tolist(), names[second[different]].tolist(), strict=True))


def _halves(context: Context, judged: RuleSet, sides: list[list[bool]]) -> tuple[RuleSet, RuleSet]:
    """The required sides of equalities of which the other side is not required, and all habits.

    A side that the bounds imply is neither.
    """
    variables = judged.variables
    required: list[IntArray] = []
    habits = RuleSet.empty(variables)
    for k, side in enumerate(sides):
        if all(side):
            continue
        row = np.append(judged.matrix[k], -judged.rhs[k])
        if any(side):
            place = side.index(True)
            one, other = (row, -row) if place == 0 else (-row, row)
            if _largest(one[:-1], variables.lower, variables.upper) <= -one[-1]:
                habits = habits + judged[k : k + 1]
                continue
            required.append(one)
            habits = habits + context.scored(other[None], equality=False)
        else:
            habits = habits + judged[k : k + 1]
    rows = np.array(required, np.int64).reshape(len(required), len(variables) + 1)
    return context.scored(rows, equality=False), habits


def _not_following(habits: RuleSet, rules: RuleSet) -> RuleSet:
    """The habits without pairs of literals that the rules exclude anyway."""
    clauses = clauses_of(rules)
    own = [pairs_of(row, bound, habits) for row, bound in zip(habits.matrix, habits.rhs.tolist(), strict=True)]
    follows = [
        pairs is not None and not equality and all(clauses.excludes(*pair) for pair in pairs)
        for pairs, equality in zip(own, habits.equality.tolist(), strict=True)
    ]
    return habits[~np.array(follows, bool)]


def _largest(row: IntArray, lower: IntArray, upper: IntArray) -> int:
    return int(np.where(row > 0, row * upper, row * lower).sum())
