"""The miner of equalities: the kernel of [y, 1] beyond the groups, or the part of it that can be believed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import IntArray
from unwritten.errors import RangeError
from unwritten.evidence import break_bound
from unwritten.mining.equalities.kernel import constant_columns, equal_columns, kernel_rows
from unwritten.mining.equalities.wide_kernel import missing_equalities, rest_of_kernel
from unwritten.mining.groups.group_finder import find_groups
from unwritten.mining.miner import Context, Mined
from unwritten.options import MinerName
from unwritten.rules import RuleSet
from unwritten.rules.columns.one_hot_rows import with_fewest_entries


class EqualityMiner:
    """Finds equalities a·y = b.

    With `rules="auto"` it believes the whole kernel if the equalities of a random half of the examples hold on the
    other half, and otherwise only rows that stand out by themselves. By name it states the whole kernel, as the paper
    does (Outer+EQ), whatever its evidence.
    """

    name: MinerName = "equalities"

    def supports(self, context: Context) -> bool:
        """Always: every set of labels has a kernel, if only an empty one."""
        return True

    def run(self, context: Context) -> Mined:
        """The rules so far with the equalities that they leave."""
        wide = context.tally.wide and not context.has_latents
        if wide:
            return _wide(context)
        return _believed_part(context) if context.options.automatic else _whole_kernel(context)


def _whole_kernel(context: Context) -> Mined:
    """The kernel as the paper states it, in place of the groups, which it implies."""
    return replace(context.mined, rules=context.scored(kernel_rows(context.lifted_tally.gram, context.known.rows)))


def _believed_part(context: Context) -> Mined:
    """All of the kernel if it is settled, else the rows that stand out."""
    tally, confidence = context.lifted_tally, context.options.confidence
    context = _with(context, context.believed(equal_columns(tally.gram)))  # a basis of the kernel might miss these
    if tally.symmetry is None and break_bound(tally, context.labels, confidence) <= 1 - confidence:
        return _settled(context, kernel_rows(tally.gram, context.stated.rows))
    rows = constant_columns(tally.gram)
    if context.labels.shape[1] <= budgets.UNSETTLED_LATTICE_COLUMNS:
        with suppress(RangeError):
            rows = with_fewest_entries(kernel_rows(tally.gram, context.stated.rows), context.blocks)
    context = _with(context, context.believed(rows))
    missing = missing_equalities(tally, context.stated)
    if missing <= 0:
        return context.mined
    return context.mined.with_note(
        f"{missing} more equalities hold on all examples but could be accidents of so few: more examples would "
        "tell, and rules=['equalities'] (--rules equalities) shows them"
    )


def _wide(context: Context) -> Mined:
    """The same for wide labels: equal and constant columns (by name also groups), then the rest if it is small."""
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
    """The equalities so far with more rows of the kernel: either the whole kernel is believed, or none of it.

    If the groups are an arbitrary few of many, they are shortened by the other rows too.
    """
    mined = context.mined
    if not len(rows):
        return mined
    fixed = len(mined.rules) if mined.groups_complete else 0
    every = np.concatenate([mined.rules.rows, rows])
    if every.size <= budgets.SHORTENED_ENTRIES:
        every = linalg.pair_reduced(every, norm_columns=every.shape[1] - 1, fixed=fixed)
    added = context.scored(with_fewest_entries(linalg.canonical(every[fixed:]), context.blocks))
    if context.options.automatic:
        added = added.with_joint_confidence(context.options.confidence)
    return replace(mined, rules=mined.rules[:fixed] + added)


def _with(context: Context, rules: RuleSet) -> Context:
    return replace(context, mined=context.mined.with_rules(rules))
