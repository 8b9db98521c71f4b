"""Near-rules: rules that a miner finds without one fold of the labels, and that one to three examples break.

Each fold of the distinct labels is left out in turn. What a miner then finds, and the left-out labels break, would have
been a rule had these labels come later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import FloatArray, IntArray
from unwritten.evidence.doubt import WEIGHTS, NearRules
from unwritten.evidence.scorer import EvidenceScorer
from unwritten.mining.groups.alike import GroupsAlike
from unwritten.mining.groups.block_families import BlockFamily, follows_numbers
from unwritten.mining.groups.laid_out import laid_out_blocks
from unwritten.mining.miner import Context, Miner
from unwritten.rules import MINED, RuleSet
from unwritten.rules.exactly_one import in_exactly_one_rule

SAME_RULE = 0.9  # cosine from which a rule found without a fold is a version of a rule found with it


def lucky_odds(context: Context, miner: Miner, rules: RuleSet, held: RuleSet, groups: RuleSet) -> FloatArray:
    """For each rule that a miner found, the odds that it is lucky, judged by the near-rules of its kind.

    `held` are the other rules that the miner found, which are held back for other reasons; no example breaks them
    either. `groups` are all exactly-one groups so far: those that share members with the other groups in the same way
    are a kind of their own, and less likely to be lucky. The search ends as soon as every rule is in doubt. With
    symmetries, and with very many labels or columns, no near-rules are searched for.
    """
    odds = np.zeros(len(rules))
    too_many = context.tally.wide or len(context.labels) > budgets.NEAR_RULE_LABELS
    if context.tally.symmetry is not None or too_many:
        return odds
    equality = bool(rules.equality.all())
    width = context.tally.seen.shape[1]
    families = laid_out_blocks(context, in_exactly_one_rule(context.known)[:width]).families
    near_rules: dict[bytes, IntArray] = {}
    failures = np.zeros(len(rules))
    kinds = GroupsAlike(groups.bordered if equality else groups.bordered[:0])
    as_groups = kinds.odds(rules.bordered, rules.bordered[:0])
    enough = (1 - context.options.confidence) / max(context.options.confidence, 1e-9)
    for fold in _without_folds(context):
        context.effort.spend(fold.labels.size)
        rows = miner.run(fold).rules.bordered
        failures += _failures(context, rules, rows, equality)
        fresh = {row.tobytes(): row for row in _broken_by_few(context, rows, equality)}.keys() - near_rules.keys()
        if fresh:
            near_rules |= {key: np.frombuffer(key, np.int64) for key in sorted(fresh)}
            few = np.array(list(near_rules.values()))
            near = _shortened(context, rules + held, few, equality)
            odds = _odds(rules, _scored(context, near, equality), families)
            as_groups = kinds.odds(rules.bordered, few)
            if (np.minimum(odds, as_groups) > enough).all():
                break
    return np.minimum(odds + failures * np.mean(failures > 0), as_groups)


def _without_folds(context: Context) -> Iterator[Context]:
    """The context without one fold of the distinct labels at a time."""
    labels = len(context.labels)
    few = labels < budgets.FEW_LABELS
    folds = budgets.FOLDS_OF_FEW_LABELS if few else budgets.FOLDS_OF_MANY_LABELS
    fold = np.random.default_rng(0).permutation(labels) % folds
    for k in range(folds):
        in_others = fold != k
        if in_others.sum() > 1:
            tally, inner = context.tally.only(in_others), context.labels[in_others]
            yield replace(context, tally=tally, labels=inner, scorer=EvidenceScorer(tally, inner))


def _exceptions(context: Context, rows: IntArray, equality: bool, counts: IntArray) -> IntArray:
    """For each row, the number of examples that break it, if each label counts as often as this."""
    activity = context.labels @ rows[:, :-1].T + rows[:, -1]
    return np.asarray(counts @ (activity != 0 if equality else activity > 0))


def _broken_by_few(context: Context, rows: IntArray, equality: bool) -> IntArray:
    """The rows that few examples break."""
    broken = _exceptions(context, rows, equality, context.tally.counts)
    return np.asarray(rows[(broken > 0) & (broken <= len(WEIGHTS) / context.tally.weight)])


def _failures(context: Context, rules: RuleSet, rows: IntArray, equality: bool) -> FloatArray:
    """For each rule, how many of the left-out examples break what was found in its place without them.

    Columns count by how much they vary: a rule that differs in rare columns alone is taken for the same rule, adapted
    to its exceptions. Only labels that were seen once count, since a fold of the examples would not lack the others
    (Good and Turing).
    """
    failures = np.zeros(len(rules))
    if not len(rows):
        return failures
    n, sums = context.tally.n, context.tally.counts @ context.labels
    varying = np.sqrt(np.maximum(context.tally.counts @ context.labels**2 / n - (sums / n) ** 2, 0))
    ours, theirs = (
        part / np.maximum(np.linalg.norm(part, axis=1, keepdims=True), 1e-12)
        for part in (rules.matrix * varying, rows[:, :-1] * varying)
    )
    alike = np.abs(ours @ theirs.T) if equality else ours @ theirs.T
    best = alike.argmax(axis=1)
    same = alike[np.arange(len(rules)), best] > SAME_RULE
    once = (context.all_examples.counts == 1).astype(np.int64)
    failures[same] = context.tally.weight * _exceptions(context, rows, equality, once)[best[same]]
    return failures


def _shortened(context: Context, rules: RuleSet, near: IntArray, equality: bool) -> IntArray:
    """Near-equalities without the part that the rules say already.

    A near-rule that is a known rule plus one rare column has only the evidence that it has about that column.
    """
    if not equality:
        return near
    fixed = np.concatenate([context.stated.rows, rules.rows])
    fixed = fixed[linalg.independent(fixed, exact=False)]
    both = np.concatenate([fixed, near])
    both = both[linalg.independent(both, exact=False)]
    rows = linalg.pair_reduced(both, norm_columns=both.shape[1] - 1, fixed=len(fixed))
    return _broken_by_few(context, linalg.canonical(rows[len(fixed) :]), equality)


def _scored(context: Context, near: IntArray, equality: bool) -> RuleSet:
    rules = RuleSet.of_rows(context.variables, near, MINED, None, equality=equality)
    return context.scorer.scored(rules, context.tally.counts @ rules.violations(context.labels))


def _odds(rules: RuleSet, near: RuleSet, families: Sequence[BlockFamily]) -> FloatArray:
    """The odds that each rule is lucky; constants, rows about numbers and all others are judged each by their kind."""
    odds, strengths = np.zeros(len(rules)), _strengths(rules)
    our_kinds, near_kinds = _kinds(rules, families), _kinds(near, families)
    for kind in np.unique(our_kinds):
        ours, theirs = our_kinds == kind, near[near_kinds == kind]
        exceptions = np.array([0.0 if e is None else e.weight * e.violations for e in theirs.evidence])
        judged = NearRules.of(strengths[ours], _strengths(theirs), exceptions)
        odds[ours] = judged.odds(strengths[ours])
    return odds


def _strengths(rules: RuleSet) -> FloatArray:
    """The evidence of rules against chance in nats, as if no example broke them."""
    return np.array([0.0 if e is None else replace(e, violations=0).nats for e in rules.evidence])


def _kinds(rules: RuleSet, families: Sequence[BlockFamily]) -> IntArray:
    """What a rule is judged with: 0 constants, 1 rows about the numbers that cells hold, 2 all others."""
    constant = (rules.matrix != 0).sum(axis=1) == 1
    return np.where(constant, 0, np.where(follows_numbers(rules.matrix, families), 1, 2))
