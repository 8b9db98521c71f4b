"""The miner of equalities: the kernel of [y, 1] beyond the groups, or the part of it that has enough evidence."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import FloatArray, IntArray
from unwritten.errors import RangeError
from unwritten.evidence import break_bound
from unwritten.evidence.stake import most_nats
from unwritten.mining.equalities.block_values import families_of
from unwritten.mining.equalities.kernel import constant_columns, equal_columns, kernel_rows
from unwritten.mining.equalities.unsettled import believed_equalities, with_sums
from unwritten.mining.equalities.wide_kernel import rest_of_kernel
from unwritten.mining.groups.group_miner import find_groups
from unwritten.mining.miner import Context, Mined
from unwritten.options import MinerName
from unwritten.rules import RuleSet
from unwritten.rules.columns.one_hot_rows import with_fewest_entries


class EqualityMiner:
    """Finds equalities a·y = b.

    With `rules="auto"` it states the whole kernel if the equalities of a random half of the examples hold on the
    other half, and otherwise only the rows that have enough evidence of their own. If the user names it, it states the
    whole kernel without weighing evidence, as the paper does (Outer+EQ).
    """

    name: MinerName = "equalities"

    def supports(self, context: Context) -> bool:
        """Always true: every set of labels has a kernel, which may be empty."""
        return True

    def run(self, context: Context) -> Mined:
        """Add the equalities that the rules so far do not imply."""
        wide = context.tally.wide and not context.has_latents
        if wide:
            return _wide(context)
        return _believed_part(context) if context.options.automatic else _whole_kernel(context)


def _whole_kernel(context: Context) -> Mined:
    """State the whole kernel as the paper does; it replaces the groups, because it implies them."""
    return replace(context.mined, rules=context.scored(kernel_rows(context.lifted_tally.gram, context.known.rows)))


def _believed_part(context: Context) -> Mined:
    """State the whole kernel if few future labels would break it; else only its rows with enough evidence."""
    tally, confidence = context.lifted_tally, context.options.confidence
    families = families_of(context)
    for family in families:
        if family.alike:  # readers understand sums of cells better than the rows of a kernel
            context = with_sums(context, family)
    context = _with(context, context.believed(equal_columns(tally.gram)))  # a basis of the kernel might miss these
    if tally.symmetry is None and break_bound(tally, context.labels, confidence) <= 1 - confidence:
        try:
            return _settled(context, kernel_rows(tally.gram, context.stated.rows, whole=True))
        except RangeError:  # no short form: parts of the kernel are searched, and a note says what is left
            pass
    return believed_equalities(context, families)


def _wide(context: Context) -> Mined:
    """Mine wide labels: equal and constant columns first, then the rest of the kernel if it is small.

    If the user named this miner, groups are searched for as well.
    """
    tally, options = context.tally, context.options
    if options.automatic:
        context = _with(context, context.believed(equal_columns(tally.gram)))
        context = _with(context, context.believed(constant_columns(tally.gram)))
    else:
        groups = find_groups(tally, np.zeros(tally.seen.shape[1], bool), margin=-inf).rows
        rows = [constant_columns(tally.gram), equal_columns(tally.gram), linalg.canonical(groups)]
        bare = replace(context, mined=replace(context.mined, rules=context.mined.rules[:0]))
        context = _with(bare, bare.not_implied(bare.scored(np.concatenate(rows))))
    rest, note = rest_of_kernel(tally, context.stated, options.confidence if options.automatic else None)
    return _settled(context, rest).with_note(note)


def _settled(context: Context, rows: IntArray) -> Mined:
    """Add the given rows of the kernel, and shorten the rows by each other.

    Groups stay unchanged if all of them were found. If the search was cut short, they are shortened too.
    """
    mined = context.mined
    if not len(rows):
        return mined
    fixed = len(mined.rules) if mined.groups_complete else 0
    equalities = np.concatenate([mined.rules.rows, rows])
    if equalities.size <= budgets.SHORTENED_ENTRIES:
        equalities = linalg.pair_reduced(equalities, norm_columns=equalities.shape[1] - 1, fixed=fixed)
    added = context.scored(with_fewest_entries(linalg.canonical(equalities[fixed:]), context.blocks))
    if context.options.automatic:
        added = added.with_joint_confidence(_joint_confidence(context, added))
    return replace(mined, rules=mined.rules[:fixed] + added)


def _joint_confidence(context: Context, rules: RuleSet) -> FloatArray:
    """The confidence that the joint test lends to each rule.

    The joint test shows that labels rarely break the equalities. It is no evidence for a rule about values that only
    one or two examples have: if these came together by chance, the rule is rarely broken, too.
    """
    confidence = np.full(len(rules), context.options.confidence)
    if context.tally.symmetry is not None or context.tally.wide:
        return confidence
    own = np.array([np.inf if e is None else e.nats for e in rules.evidence])
    weak = np.flatnonzero((own < context.margin) & ((rules.matrix != 0).sum(axis=1) > 1))
    prices = np.array([0.0 if e is None else e.price for e in rules.evidence])[weak]
    nats = most_nats(context.tally, context.labels, rules.matrix[weak])
    confidence[weak[nats - prices < context.margin]] = 0.0
    return confidence


def _with(context: Context, rules: RuleSet) -> Context:
    return replace(context, mined=context.mined.with_rules(rules))
