"""Blocks as numbers: a sum of digits is a short row over cells, and a long one over the 0/1 variables of their values.

A block is a choice of one of several columns. If each column stands for a number, the block is one integer, and labels
of hundreds of 0/1 columns become labels of a few integers. Their kernel is small, needs few examples, and its rows are
short. A row over the integers is also a row over the columns: Σ c·(number of the column)·y.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unwritten import linalg
from unwritten.data import IntArray, Variables, distinct
from unwritten.evidence import EvidenceScorer
from unwritten.mining.groups.block_families import BlockFamily, block_families
from unwritten.mining.miner import Context, Mined
from unwritten.rules import MINED, RuleSet
from unwritten.rules.exactly_one import exactly_one_rules, in_exactly_one_rule
from unwritten.tally.gram import gram_of_counted


def families_of(context: Context) -> list[BlockFamily]:
    """The families of blocks in the labels: columns of a table, layouts of columns, and mined groups.

    A layout may have blocks that were not stated as groups. They hold in all labels nevertheless.
    """
    tally, names = context.tally, context.variables.names
    if tally.symmetry is not None:
        return []
    width = tally.seen.shape[1]
    families = [BlockFamily.named(context.blocks, names)] if len(context.blocks) > 1 else []
    families += block_families(tally, names, in_exactly_one_rule(context.known)[:width])
    if not families:
        groups = context.mined.groups.matrix[exactly_one_rules(context.mined.groups), :width]
        blocks = _disjoint(groups)
        families = [BlockFamily.named(blocks, names)] if len(blocks) > 1 else []
    return families


def _disjoint(groups: IntArray) -> list[IntArray]:
    """Groups that share no column, taken in turn."""
    taken = np.zeros(groups.shape[1], bool)
    blocks = []
    for row in groups != 0:
        if not (taken & row).any():
            taken |= row
            blocks.append(np.flatnonzero(row))
    return blocks


@dataclass(frozen=True, eq=False)
class BlockValues:
    """Labels in which each block of a family is one integer, followed by the other columns.

    `matrix` turns labels into such labels, and rows over them into rows over the columns.
    """

    context: Context
    matrix: IntArray

    @classmethod
    def of(cls, context: Context, family: BlockFamily) -> BlockValues | None:
        """The labels of a context with the blocks of a family as numbers; None if no block varies.

        Constant blocks and columns are left out.
        """
        tally = context.tally
        width = tally.seen.shape[1]
        varying = (tally.seen != tally.seen[0]).any(axis=0)
        rest = np.setdiff1d(np.flatnonzero(varying), np.concatenate(family.blocks))
        numbered = [(b, v) for b, v in zip(family.blocks, family.numbers, strict=True) if varying[b].any()]
        if not numbered:
            return None
        matrix = np.zeros((width, len(numbered) + len(rest)), np.int64)
        for k, (block, values) in enumerate(numbered):
            matrix[block, k] = values
        matrix[rest, np.arange(len(numbered), matrix.shape[1])] = 1
        return cls(_on_values(context, matrix), matrix)

    def over_columns(self, rules: RuleSet, variables: Variables) -> RuleSet:
        """Rules over the integers as rules over the columns, with the same evidence."""
        rows = np.zeros((len(rules), len(variables) + 1), np.int64)
        rows[:, : len(self.matrix)] = linalg.product(rules.matrix, self.matrix.T)
        rows[:, -1] = -rules.rhs
        factor = np.maximum(1, np.gcd.reduce(rows, axis=1))
        wide = RuleSet.of_rows(variables, rows // factor[:, None], MINED, None)
        return replace(wide, evidence=rules.evidence)


def values_of_row(context: Context, blocks: Sequence[IntArray], row: IntArray) -> tuple[BlockValues, IntArray]:
    """The labels in which each block is the number that it adds to a row [a, −b] over these blocks, and that row."""
    matrix = np.zeros((context.tally.seen.shape[1], len(blocks)), np.int64)
    for k, block in enumerate(blocks):
        matrix[block, k] = row[block]
    used = np.flatnonzero((matrix != 0).any(axis=0))
    sum_of_blocks = np.append(np.ones(len(used), np.int64), row[-1])
    return BlockValues(_on_values(context, matrix[:, used]), matrix[:, used]), sum_of_blocks


def _on_values(context: Context, matrix: IntArray) -> Context:
    """The context of labels @ matrix, with nothing known or mined: its chance draws every block independently."""
    tally = context.tally
    seen, counts = distinct(linalg.product(tally.seen, matrix), tally.counts)
    if (tally.counts == 1).all():  # equal labels count as one decision, here too
        counts = np.ones_like(counts)
    gram = gram_of_counted(seen, counts)
    values = replace(tally, n=int(counts.sum()), gram=gram, seen=seen, counts=counts, most=None, thinned=0)
    variables = Variables.of(seen)
    return replace(
        context, tally=values, all_examples=values, labels=seen, known=RuleSet.empty(variables), blocks=(),
        grid_cells=None, scorer=EvidenceScorer(values, seen), mined=Mined.nothing(variables),
    )  # fmt: skip
