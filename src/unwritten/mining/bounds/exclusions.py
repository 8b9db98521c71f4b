"""Pairs of 0/1 columns that are never 1 together, or never 0, believed as a class.

One pair that no example has may be luck: it is believed by itself only if it beats the luckiest of all pairs. Where
many pairs never occur, and few of the pairs with as much evidence do occur, nearly none of the missing ones is luck.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, log

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence.doubt import WEIGHTS, NearRules, soft_odds
from unwritten.mining.bounds.ones_together import OnesTogether, absent_pairs
from unwritten.mining.bounds.repeats import are_drawn_anew
from unwritten.mining.miner import Context, Mined
from unwritten.mining.pairs.pair_miner import pair_rows_of
from unwritten.rules import MINED, Evidence, RuleSet

LEVELS = np.arange(3.0, 14.0, 0.25)  # thresholds in nats that are tried: all pairs above one may be believed together
LUCKY = 0.5
"""Pairs that are missing by luck, of all that are believed together, as a share of 1 − confidence."""
FEWEST = 8  # least pairs that are believed as a class; fewer are judged one by one


def with_exclusions(context: Context) -> Mined:
    """What was mined before, with the pairs that are believed as a class, joined to "at most one of" where they can be.

    Pairs that were found one by one are stated in the same sets.
    """
    mined = context.mined
    for value in (1, 0):
        mined = _with_pairs(replace(context, mined=mined), value)
    return mined


@dataclass(frozen=True, eq=False)
class _Believed:
    """Pairs of columns (2 × p), the nats of all pairs (d × d), and what counts against each of the believed ones."""

    pairs: IntArray
    nats: FloatArray
    doubt: FloatArray
    lucky: float


def _with_pairs(context: Context, value: int) -> Mined:
    """The same for pairs that never have both this value."""
    columns = _free_columns(context)
    too_much = len(context.tally.seen) * len(columns) ** 2 > budgets.EXCLUSION_WORK
    if len(columns) < 2 or too_much:
        return context.mined
    labels = (context.tally.seen[:, columns] == value).astype(np.int64)
    exclusions = _believed(context, OnesTogether.of(labels, np.ones(len(labels), np.int64), context.tally.weight))
    if _may_be_drawn_anew(context):
        exclusions = _with_repeats(context, columns, value, labels, exclusions)
    return context.mined if exclusions is None else _stated(context, columns, value, exclusions)


def _free_columns(context: Context) -> IntArray:
    """The 0/1 columns that vary and are in no equality."""
    seen = context.tally.seen
    width = seen.shape[1]
    tied = (context.stated.matrix[context.stated.equality, :width] != 0).any(axis=0)
    return np.flatnonzero(context.variables.binary[:width] & (seen.min(axis=0) < seen.max(axis=0)) & ~tied)


def _may_be_drawn_anew(context: Context) -> bool:
    """True if some examples are equal, and each column can change by itself, so that others can be drawn."""
    repeated = len(context.tally.seen) < context.all_examples.n and context.tally.weight == 1
    return repeated and not context.stated.equality.any()


def _with_repeats(
    context: Context, columns: IntArray, value: int, labels: IntArray, exclusions: _Believed | None
) -> _Believed | None:
    """What is believed if equal examples count each time, where they are no copies."""
    counts = OnesTogether.of(labels, context.all_examples.counts, 1.0)
    more = _believed(context, counts)
    if more is None or (exclusions is not None and more.pairs.shape[1] <= exclusions.pairs.shape[1]):
        return exclusions
    pairs, absent = absent_pairs(counts)
    return more if are_drawn_anew(context, _pair_rows(columns[pairs[:, absent]], value, context)) else exclusions


def _pair_rows(pairs: IntArray, value: int, context: Context) -> IntArray:
    """Rows `[a, b]` which say that two columns never have both this value: one row for each first column of pairs.

    If k columns exclude column j, then k·y_j plus their sum is at most k. That says the same as k rows of two columns.
    """
    width = context.tally.seen.shape[1]
    excluded = np.zeros((width, width), np.int64)
    excluded[tuple(pairs)] = 1
    several = excluded.sum(axis=1)
    ones: IntArray = np.column_stack([excluded + np.diag(several), several])[several > 0]
    if value:
        return ones
    zeros: IntArray = -ones  # the same of 1 − y
    zeros[:, -1] = ones[:, -1] - ones[:, :-1].sum(axis=1)
    return zeros


def _believed(context: Context, counts: OnesTogether) -> _Believed | None:
    """The pairs that are believed together: only one model in dozens has a lucky one among them.

    A pair with `nats` is missing by luck with probability e^−nats, so for one that occurs, 1 / (e^nats − 1) others are
    missing. If columns are correlated, more are: then pairs that one to three examples have stand out as well.
    """
    pairs, absent = absent_pairs(counts)
    nats, together = counts.nats[pairs[0], pairs[1]], counts.together[pairs[0], pairs[1]]
    luck = np.where(absent, 0.0, 1 / np.expm1(nats.clip(0.1, 500)))
    most = LUCKY * (1 - context.options.confidence)
    fitting = (level for level in LEVELS.tolist() if luck[nats >= level].sum() <= most)
    level = next(fitting, None)
    if level is None:
        return None
    near = ~absent & (together <= len(WEIGHTS))
    chosen = np.flatnonzero(absent & (nats >= level))
    odds = NearRules.of(nats[absent], nats[near], together[near].astype(float)).odds(nats[chosen])
    odds += soft_odds("pair", context.tally.weight * context.tally.n, len(chosen))
    doubt = odds / (1 + odds)
    sure = doubt <= 1 - context.options.confidence
    if sure.sum() < FEWEST:
        return None
    return _Believed(pairs[:, chosen[sure]], counts.nats, doubt[sure], float(luck[nats >= level].sum()))


def _stated(context: Context, columns: IntArray, value: int, exclusions: _Believed) -> Mined:
    """The pairs as rules, in sets as large as they make; what they say again is taken out."""
    mined, first = context.mined, columns[exclusions.pairs[0]]
    keys = {pair: k for k, pair in enumerate(zip(first.tolist(), columns[exclusions.pairs[1]].tolist(), strict=True))}
    repeated = _said_by(mined.rules, keys, value)
    others = mined.rules[~repeated]
    order = np.argsort(-exclusions.nats[exclusions.pairs[0], exclusions.pairs[1]], kind="stable")
    literals = 2 * columns[exclusions.pairs[:, order].T] + (1 - value)
    pairs = [(first, second) for first, second in literals.tolist()]
    rows = _largest(pair_rows_of(pairs, context.known + others + context.redundant))
    place = np.zeros(len(context.variables), np.int64)
    place[columns] = np.arange(len(columns))
    rules = RuleSet.of_rows(context.variables, rows, MINED, None, equality=False)
    price, joint = log(len(columns) * (len(columns) - 1) / 2), 1 - exclusions.lucky / len(order)
    evidence = []
    for row in rules.matrix:
        members = np.flatnonzero(row)
        nats = min(float(exclusions.nats[place[a], place[b]]) for a, b in combinations(members.tolist(), 2))
        doubt = max(float(exclusions.doubt[keys[pair]]) for pair in combinations(members.tolist(), 2) if pair in keys)
        evidence.append(_evidence(context, nats, price, joint, doubt))
    rules = replace(rules, evidence=tuple(evidence))
    return replace(mined, rules=others + rules, doubtful=mined.doubtful[~_said_by(mined.doubtful, keys, value)])


def _largest(rows: IntArray) -> IntArray:
    """The rows whose columns are not all in another row."""
    member = (rows[:, :-1] != 0).astype(np.int64)
    inside = member @ member.T == member.sum(axis=1)[:, None]
    return np.asarray(rows[inside.sum(axis=1) == 1])


def _evidence(context: Context, nats: float, price: float, joint: float, doubt: float) -> Evidence:
    n, weight = context.tally.n, context.tally.weight
    chance, paid, joined, doubted = (float(f"{x:.12g}") for x in (exp(-nats / (weight * n)), price, joint, doubt))
    return Evidence(n, 0, chance, paid, joint_confidence=joined, doubt=doubted, weight=weight)


def _said_by(rules: RuleSet, pairs: dict[tuple[int, int], int], value: int) -> BoolArray:
    """Which mined rules say no more than these pairs of columns, which never have both this value."""
    return np.array(
        [
            origin == MINED and not equality and _is_said(row, rhs, pairs, value)
            for row, rhs, equality, origin in zip(
                rules.matrix, rules.rhs.tolist(), rules.equality.tolist(), rules.origins, strict=True
            )
        ],
        bool,
    )


def _is_said(row: IntArray, rhs: int, pairs: dict[tuple[int, int], int], value: int) -> bool:
    """True if a·y ≤ b says that at most one of its columns has this value, and the pairs say it too."""
    members = np.flatnonzero(row)
    if rhs != (1 if value else 1 - len(members)) or (row[members] != 2 * value - 1).any():
        return False
    return all(pair in pairs for pair in combinations(members.tolist(), 2))
