"""Equalities between two or three blocks of columns, in which every column may have its own coefficient.

Examples that are too few for all columns may be enough for the columns of a few blocks. A rank shows whether a set of
blocks has an equality of its own; only then its kernel is made short.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import comb, log

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import IntArray, distinct
from unwritten.effort import Effort
from unwritten.errors import RangeError
from unwritten.evidence.chance import log_choose
from unwritten.mining.equalities.block_values import values_of_row
from unwritten.mining.equalities.kernel import kernel_rows
from unwritten.mining.groups.block_families import BlockFamily
from unwritten.mining.miner import Context
from unwritten.rules import MINED, RuleSet

EXAMPLES_PER_COLUMN = 2  # with fewer examples per column of a set of blocks, most equalities are accidents


def rules_of_block_sets(context: Context, family: BlockFamily) -> RuleSet:
    """The believed equalities between two or three blocks; chance draws each block independently."""
    tally = context.tally
    counts = tally.gram[-1, :-1]
    blocks = [block[(counts[block] > 0) & (counts[block] < tally.n)] for block in family.blocks]
    blocks = [block for block in blocks if len(block) > 1]
    known = np.concatenate([context.stated.rows, _exactly_one(blocks, context)])
    known[:, np.flatnonzero(counts == 0)] = 0  # a column that is always 0 adds nothing to a row
    rules, tried = RuleSet.empty(context.variables), known
    for chosen in _sets(len(blocks)):
        members = np.concatenate([blocks[k] for k in chosen])
        if (len(members) + 1) * EXAMPLES_PER_COLUMN > tally.n:
            continue
        places = np.append(members, len(tally.gram) - 1)
        gram = tally.gram[np.ix_(places, places)]
        context.effort.spend(gram.size * len(gram))
        nullity = len(gram) - linalg.rank_modulo(gram)
        if nullity > linalg.rank_modulo(_inside(tried, members)):  # else the rows of its pairs span its kernel
            stated = _inside(known, members)
            missing = nullity - linalg.rank_modulo(stated)
            make = partial(_rows, gram, stated, context.effort)
            rows = context.kernels.rows(members, gram, stated, missing, make)
            new = _believed(context, [blocks[k] for k in chosen], rows, len(blocks))
            rules, known = rules + new, np.concatenate([known, new.rows])
            tried = np.concatenate([tried, _over_all(rows, members, tried.shape[1])])
    return rules


def _exactly_one(blocks: list[IntArray], context: Context) -> IntArray:
    """The rows "exactly one" of the blocks, which hold whether they are stated or not."""
    rows = np.zeros((len(blocks), len(context.variables) + 1), np.int64)
    for row, block in zip(rows, blocks, strict=True):
        row[block], row[-1] = 1, -1
    return rows


def _inside(rows: IntArray, members: IntArray) -> IntArray:
    """The rows that are about these columns only, restricted to them."""
    outside = np.ones(rows.shape[1], bool)
    outside[members] = outside[-1] = False
    return rows[~rows[:, outside].any(axis=1)][:, [*members, -1]]


def _over_all(rows: IntArray, members: IntArray, width: int) -> IntArray:
    """Rows about some columns as rows over all columns."""
    wide = np.zeros((len(rows), width), np.int64)
    wide[:, [*members, -1]] = rows
    return wide


def _sets(blocks: int) -> Iterator[tuple[int, ...]]:
    """All pairs of blocks, then all triples, as far as the budget goes."""
    left = budgets.BLOCK_SETS
    for size in (2, 3):
        left -= comb(blocks, size)
        if left < 0:
            return
        yield from combinations(range(blocks), size)


def _rows(gram: IntArray, stated: IntArray, effort: Effort) -> IntArray:
    """Rows that span the kernel of `gram` with the stated ones; none if it has no short form."""
    effort.spend(budgets.KERNEL_WORK * len(gram) ** 2)
    try:
        return kernel_rows(gram, stated, whole=True)
    except RangeError:
        return stated[:0]


def _believed(context: Context, blocks: list[IntArray], rows: IntArray, family: int) -> RuleSet:
    """The rows over some blocks that have enough evidence, as rules over all columns."""
    members = np.concatenate(blocks)
    part, places = _on_members(context, members), np.split(np.arange(len(members)), np.cumsum([*map(len, blocks)])[:-1])
    rules = RuleSet.empty(context.variables)
    for row in rows:
        values, rule = values_of_row(part, places, row)
        coefficients = row[:-1][row[:-1] != 0]
        price = log_choose(family, len(blocks)) + len(coefficients) * log(2 * int(np.abs(coefficients).max()) + 1)
        scored = values.context.scored(rule[None]).evidence
        evidence = tuple(None if e is None else replace(e, price=e.price + price) for e in scored)
        if all(e is not None and e.nats >= context.margin for e in evidence):
            wide = np.zeros((1, len(context.variables) + 1), np.int64)
            wide[0, members], wide[0, -1] = row[:-1], row[-1]
            rules = rules + replace(RuleSet.of_rows(context.variables, wide, MINED, None), evidence=evidence)
    return rules


def _on_members(context: Context, members: IntArray) -> Context:
    """The context of some columns; labels that are equal there are one, and as many examples as before."""
    tally = context.tally
    seen, counts = distinct(tally.seen[:, members], tally.counts)
    if (tally.counts == 1).all():  # equal labels count as one decision, here too
        counts = np.ones_like(counts)
    return replace(context, tally=replace(tally, seen=seen, counts=counts))
