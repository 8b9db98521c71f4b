"""Equalities that stand out by their own evidence, if the examples do not settle the whole kernel.

The search goes from small kernels to large ones: blocks of columns as numbers, sets of a few blocks, then all columns.
Each needs fewer examples than the next, so an equality over few columns is found whatever the other columns do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray
from unwritten.errors import RangeError
from unwritten.mining.equalities.block_sets import rules_of_block_sets
from unwritten.mining.equalities.block_values import BlockValues
from unwritten.mining.equalities.kernel import constant_columns, kernel_rows
from unwritten.mining.equalities.sparse_rows import sparse_rows
from unwritten.mining.equalities.wide_kernel import TOO_FEW, missing_equalities, unmined_note
from unwritten.mining.groups.block_families import BlockFamily
from unwritten.mining.miner import Context, Mined
from unwritten.rules import RuleSet
from unwritten.rules.columns.one_hot_rows import with_fewest_entries

FEW_COLUMNS = 4  # columns up to which a row over different quantities may have any coefficients
LABELS_PER_COLUMN = 4  # with more labels, the Gram matrix is much smaller than the labels
TOO_WIDE = "the kernel of all columns was too wide to be searched whole"


def with_sums(context: Context, family: BlockFamily) -> Context:
    """The context with the equalities between blocks as numbers that have enough evidence."""
    values = BlockValues.of(context, family)
    if values is None:
        return context
    rows = _short_rows(values.context, values.context.stated)
    if rows is None:
        rows = sparse_rows(values.context.tally, np.arange(values.context.labels.shape[1]))
    if not family.alike:  # the numbers of a category may be mere codes: only plain sums and differences are kept
        rows = rows[_is_plain(rows[:, :-1])]
    return _with(context, values.over_columns(values.context.believed(rows), context.variables))


def believed_equalities(context: Context, families: Sequence[BlockFamily]) -> Mined:
    """Add the equalities with enough evidence of their own, and a note if other equalities hold.

    The sums of families whose blocks are alike have been added before.
    """
    for family in families:
        if not family.alike:
            context = with_sums(context, family)
        context = _with(context, rules_of_block_sets(context, family))
    tally = context.lifted_tally
    rows = _short_rows(context, context.stated)
    searched = rows is not None
    if rows is None:
        in_blocks = np.concatenate([np.zeros(0, np.int64), *(block for family in families for block in family.blocks)])
        others = np.setdiff1d(np.arange(len(tally.gram) - 1), in_blocks)
        rows = np.concatenate([constant_columns(tally.gram), sparse_rows(tally, others)])
    context = _with(context, context.believed(with_fewest_entries(rows, context.blocks)))
    missing = missing_equalities(tally, context.stated)
    if missing <= 0:
        return context.mined
    show_all = "or use rules=['equalities'] (--rules equalities) to see all that hold"
    if searched:
        return context.mined.with_note(unmined_note(missing, TOO_FEW, f"give more examples, {show_all}"))
    cure = f"give more examples than the {len(tally.gram) - 1} columns, or mine fewer columns at a time"
    return context.mined.with_note(unmined_note(missing, TOO_WIDE, cure))


def _short_rows(context: Context, stated: RuleSet) -> IntArray | None:
    """Short rows of the kernel beyond the stated rules; None if it is too wide to be searched, or has no short form."""
    gram, wide = context.lifted_tally.gram, context.labels.shape[1] > budgets.UNSETTLED_LATTICE_COLUMNS
    if wide and len(gram) - linalg.rank_modulo(gram) - linalg.rank_modulo(stated.rows) > budgets.UNSETTLED_ROWS:
        return None
    context.effort.spend(budgets.KERNEL_WORK * len(gram) ** 2)
    try:
        few = len(context.labels) <= LABELS_PER_COLUMN * len(gram)
        return kernel_rows(gram, stated.rows, whole=True, labels=context.labels if few else None)
    except RangeError:
        return None


def _is_plain(coefficients: IntArray) -> BoolArray:
    """Which rows are sums and differences, or have few columns."""
    return np.asarray((np.abs(coefficients) <= 1).all(axis=1) | ((coefficients != 0).sum(axis=1) <= FEW_COLUMNS))


def _with(context: Context, rules: RuleSet) -> Context:
    return replace(context, mined=context.mined.with_rules(context.not_implied(rules)))
