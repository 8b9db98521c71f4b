"""The gate: rules that labels yet to come may well break are held back as doubtful.

What a miner finds stands out against chance. The gate estimates what share of the rules of one kind holds by luck alone
(`evidence.doubt`), and how likely a rule is *soft*: broken by a small share of labels yet to come.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, exp, log

import numpy as np

from unwritten.data import BoolArray, FloatArray
from unwritten.evidence.chance import log_choose
from unwritten.evidence.doubt import RARE_RATE, SLIP_RATE, SOFT_RATE, SoftKind, slip_odds, soft_odds
from unwritten.mining.expected_misses import Neighbours
from unwritten.mining.miner import Context, Mined, Miner
from unwritten.mining.missing_members import missing_member_odds
from unwritten.mining.near_rules import lucky_odds
from unwritten.mining.pairs.near_pairs import near_pairs
from unwritten.mining.unseen_values import unseen_odds
from unwritten.options import MiningOptions
from unwritten.rules import Evidence, RuleSet


def gated(context: Context, mined: Mined, miner: Miner) -> Mined:
    """What the miner mined, without the rules that are not sure enough; those are listed as doubtful.

    Parameters
    ----------
    context
        What the miner worked on, with the rules of the miners before it.
    mined
        What it returned.
    """
    if _is_exempt(context, mined, miner):
        return mined
    before, earlier = set(row_keys(context.mined.rules)), set(row_keys(context.mined.doubtful))
    new = np.array([key not in before for key in row_keys(mined.rules)], bool)
    if not new.any():
        return mined
    rules = _with_doubt(context, mined.rules[new], miner, mined.groups)
    if miner.name == "covers":
        rules = _beyond_known_rules(context, rules)
    keys = row_keys(rules)
    held_before = np.zeros(len(rules), bool)
    if miner.name != "bounds":  # a bound says less than the equality that is in doubt, and was weighed by itself
        held_before |= np.array([key in earlier for key in keys], bool) | _follows(context, rules)
    sure = _is_sure(rules, context.options.confidence) & (~held_before | _passed_together(rules))
    dropped = {keys[i] for i in np.flatnonzero(~sure)}
    return replace(
        mined,
        rules=mined.rules[~new] + rules[sure],
        groups=mined.groups[np.array([key not in dropped for key in row_keys(mined.groups)], bool)],
        doubtful=mined.doubtful + rules[~sure & ~held_before],
    )


def _follows(context: Context, rules: RuleSet) -> BoolArray:
    """Which inequalities follow from doubtful equalities and known rules together: they are half of what these say."""
    settled = context.known + context.mined.doubtful
    if rules.equality.all() or not context.mined.doubtful.equality.any():
        return np.zeros(len(rules), bool)
    return settled.implied(rules.bordered) & ~rules.equality


def _is_exempt(context: Context, mined: Mined, miner: Miner) -> bool:
    """True if the miner's rules are stated as they are.

    These are the paper's equalities, the covers of a matroid, rank rules, which are accepted in whole classes, and
    capacities, which are judged by left-out labels.
    """
    by_name = miner.name in ("ranks", "capacities")
    as_in_paper = miner.name == "equalities" and not context.options.automatic
    return by_name or as_in_paper or (miner.name == "covers" and mined.matroid is not None)


def _with_doubt(context: Context, rules: RuleSet, miner: Miner, groups: RuleSet) -> RuleSet:
    """The rules with the doubt about each of them, and how many more examples would settle it.

    Bounds are weighed by near-rules of their own; here they only get the doubt that a member is missing because no
    example has it.
    """
    if miner.name == "bounds":
        return _with_missing_members(context, rules)
    rare, soft, lucky = _rare_odds(context, rules), _soft_odds(context, rules), np.zeros(len(rules))
    undecided = _is_sure(rules.with_doubt(_share(rare + soft)), context.options.confidence)
    if undecided.any():
        lucky[undecided] = _lucky_odds(context, rules[undecided], rules[~undecided], miner, groups)
    slip = np.full(len(rules), _slip_odds(context))
    doubted = rules.with_doubt(_share(np.maximum(rare + soft + lucky, slip)))
    n = context.tally.weight * context.tally.n
    every = [1 / RARE_RATE, 1 / SOFT_RATE, max(n, 1 / SOFT_RATE), 1 / SLIP_RATE]
    scales = np.choose(np.argmax([rare, soft, lucky, slip], axis=0), every)
    return _with_needed(doubted, context.options, scales)


def _beyond_known_rules(context: Context, rules: RuleSet) -> RuleSet:
    """Covers that are sure so far; their evidence is lowered to what it is if only the rules so far hold."""
    neighbours = Neighbours(context.tally, context.stated + context.redundant)
    evidence = list(rules.evidence)
    for i in np.flatnonzero(_is_sure(rules, context.options.confidence)).tolist():
        own = evidence[i]
        if own is not None:
            share = neighbours.expected_misses(np.flatnonzero(rules.matrix[i])) / max(1, context.tally.n)
            evidence[i] = replace(own, chance=max(own.chance, float(f"{exp(-share):.12g}")))
    scales = np.full(len(rules), 1 / SOFT_RATE)
    return _with_needed(replace(rules, evidence=tuple(evidence)), context.options, scales)


def _with_missing_members(context: Context, rules: RuleSet) -> RuleSet:
    """The rules, with the doubt that members are missing added to the doubt that they have."""
    missing = missing_member_odds(context, rules)
    own = np.array([0.0 if e is None else e.doubt for e in rules.evidence])
    doubted = rules.with_doubt(np.where(missing > 0, _share(own / np.maximum(1 - own, 1e-300) + missing), own))
    return _with_needed(doubted, context.options, np.full(len(rules), 1 / RARE_RATE))


def _share(odds: FloatArray) -> FloatArray:
    """The probability that belongs to odds, which may be infinite."""
    finite = np.minimum(odds, 1e300)
    return np.asarray(finite / (1 + finite))


def _rare_odds(context: Context, rules: RuleSet) -> FloatArray:
    """The odds that a constant column only rarely has another value, or that a rule lacks a rare member."""
    constant = (rules.matrix != 0).sum(axis=1) == 1
    never = unseen_odds(context) if constant.any() else 0.0
    return np.where(constant, never, 0.0) + missing_member_odds(context, rules)


def _soft_odds(context: Context, rules: RuleSet) -> FloatArray:
    """The odds that each rule over several columns is only its softer version.

    Rules over two columns and rules over more are counted apart, because near-rules of one sort say little about the
    other. Equal columns of tables are not counted apart: the odds of rare exceptions cover them.
    """
    columns = np.minimum((rules.matrix != 0).sum(axis=1), 3)
    alike = np.bincount(columns, minlength=4)
    odds = np.zeros(len(rules))
    for i, e in enumerate(rules.evidence):
        size = int(columns[i])
        if e is not None and size > 1:
            kind: SoftKind = "equality" if rules.equality[i] else "pair" if size == 2 else "set"
            if size == 2 and rules.equality[i] and not rules.matrix[i].sum() and context.grid_cells is None:
                kind = "copy"
            odds[i] = soft_odds(kind, e.weight * e.examples, int(alike[size]))
    return odds


def _slip_odds(context: Context) -> float:
    """The odds that a rule of a table has rare exceptions: they bound how sure so many rows can make a rule.

    At the usual confidence, this alone holds no rule back.
    """
    if context.grid_cells is None:  # labels, not the rows of a table
        return 0.0
    return slip_odds(context.tally.weight * context.tally.n)


def _lucky_odds(context: Context, rules: RuleSet, held: RuleSet, miner: Miner, groups: RuleSet) -> FloatArray:
    """The odds that each rule is lucky, judged by the near-rules of its kind.

    There are few covers to compare with, often a single one. A cover was chosen from more candidates than a pair, so it
    is at least as likely to be lucky as a pair that stands out as much.
    """
    if miner.name == "pairs":
        near = near_pairs(context.tally, context.stated + context.redundant, context.margin)
        return near.odds(np.array([0.0 if e is None else e.expected for e in rules.evidence]))
    odds = lucky_odds(context, miner, rules, held, groups)
    return np.maximum(odds, _lucky_as_pairs(context, rules)) if miner.name == "covers" else odds


def _lucky_as_pairs(context: Context, rules: RuleSet) -> FloatArray:
    """The odds that pairs of literals are lucky which stand out against chance as much as each of these rules.

    Mined pairs are compared with as well, so they are not known here.
    """
    equalities = context.mined.rules[context.mined.rules.equality]
    near = near_pairs(context.tally, context.known + equalities + context.redundant, context.margin)
    price = log_choose(len(context.variables), 2)
    as_pairs = [0.0 if e is None else e.expected - max(0.0, e.price - price) for e in rules.evidence]
    return near.odds(np.array(as_pairs))


def _is_sure(rules: RuleSet, confidence: float) -> BoolArray:
    return np.array([e is None or e.confidence >= confidence for e in rules.evidence], bool)


def _passed_together(rules: RuleSet) -> BoolArray:
    """Which rules passed the joint test of all equalities."""
    return np.array([e is None or e.joint_confidence > 0 for e in rules.evidence], bool)


def _with_needed(rules: RuleSet, options: MiningOptions, scales: FloatArray) -> RuleSet:
    """The rules, and how many more examples without an exception would make those sure that are not.

    The odds against a rule fall by a factor e with each `scale` examples.
    """
    evidence = (
        None if e is None else replace(e, needed=_more_examples(e, options, float(scale)))
        for e, scale in zip(rules.evidence, scales, strict=True)
    )
    return replace(rules, evidence=tuple(evidence))


def _more_examples(evidence: Evidence, options: MiningOptions, scale: float) -> int:
    """How many more examples would do: for the price against chance, and for the odds against luck and softness."""
    n, goal = evidence.weight * evidence.examples, options.confidence
    if evidence.confidence >= goal:
        return 0
    against_chance = evidence.nats + evidence.price
    missing = n * max(0.0, options.margin - evidence.nats) / against_chance if against_chance > 0 else n
    doubt = min(evidence.doubt, 1 - 1 / (2 + n))
    if doubt > 1 - goal:
        missing = max(missing, scale * (log(doubt / (1 - doubt)) + log(goal / max(1 - goal, 1e-9))))
    return max(1, ceil(missing / evidence.weight))


def without_stated(mined: Mined) -> Mined:
    """The same, without doubtful rules of one miner that another one has stated."""
    stated = set(row_keys(mined.rules))
    doubtful = np.array([key not in stated for key in row_keys(mined.doubtful)], bool)
    return replace(mined, doubtful=mined.doubtful[doubtful])


def row_keys(rules: RuleSet) -> list[bytes]:
    """For each rule, bytes that are equal for equal rows."""
    rows = np.column_stack([rules.matrix, -rules.rhs, rules.equality]).astype(np.int64)
    return [row.tobytes() for row in rows]
