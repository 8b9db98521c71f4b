"""Equalities between two or three blocks of columns, in which every column may have its own coefficient.

Examples that are too few for all columns may be enough for the columns of a few blocks. A rank shows whether a set of
blocks has an equality of its own; only then its kernel is made short.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb, log

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import IntArray
from unwritten.errors import RangeError
from unwritten.evidence.chance import log_choose
from unwritten.mining.equalities.block_values import values_of_row
from unwritten.mining.equalities.kernel import kernel_rows
from unwritten.mining.groups.block_families import BlockFamily
from unwritten.mining.miner import Context
from unwritten.rules import RuleSet

EXAMPLES_PER_COLUMN = 2  # with fewer examples per column of a set of blocks, most equalities are accidents


def rules_of_block_sets(context: Context, family: BlockFamily) -> RuleSet:
    """The believed equalities between two or three blocks; chance draws each block independently."""
    tally = context.tally
    counts = tally.gram[-1, :-1]
    blocks = [block[(counts[block] > 0) & (counts[block] < tally.n)] for block in family.blocks]
    blocks = [block for block in blocks if len(block) > 1]
    known = np.concatenate([context.stated.rows, _exactly_one(blocks, context)])
    known[:, np.flatnonzero(counts == 0)] = 0  # a column that is always 0 adds nothing to a row
    found = RuleSet.empty(context.variables)
    for chosen in _sets(len(blocks)):
        members = np.concatenate([blocks[k] for k in chosen])
        if (len(members) + 1) * EXAMPLES_PER_COLUMN > tally.n:
            continue
        places = np.append(members, len(tally.gram) - 1)
        stated = _inside(known, members)
        gram = tally.gram[np.ix_(places, places)]
        if len(gram) - linalg.rank_modulo(gram) > linalg.rank_modulo(stated):
            new = _believed(context, [blocks[k] for k in chosen], members, _rows(gram, stated), len(blocks))
            found, known = found + new, np.concatenate([known, new.rows])
    return found


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


def _sets(blocks: int) -> Iterator[tuple[int, ...]]:
    """All pairs of blocks, then all triples, as far as the budget goes."""
    left = budgets.BLOCK_SETS
    for size in (2, 3):
        left -= comb(blocks, size)
        if left < 0:
            return
        yield from combinations(range(blocks), size)


def _rows(gram: IntArray, stated: IntArray) -> IntArray:
    try:
        return kernel_rows(gram, stated, whole=True)
    except RangeError:
        return np.zeros((0, len(gram)), np.int64)


def _believed(context: Context, blocks: list[IntArray], members: IntArray, rows: IntArray, family: int) -> RuleSet:
    """The rows over some blocks that have enough evidence, as rules over all columns."""
    wide = np.zeros((len(rows), len(context.variables) + 1), np.int64)
    wide[:, members], wide[:, -1] = rows[:, :-1], rows[:, -1]
    rules = RuleSet.empty(context.variables)
    for row in wide:
        values, rule = values_of_row(context, blocks, row)
        scored = values.context.scored(rule[None])
        coefficients = row[:-1][row[:-1] != 0]
        price = log_choose(family, len(blocks)) + len(coefficients) * log(2 * int(np.abs(coefficients).max()) + 1)
        evidence = tuple(None if e is None else replace(e, price=e.price + price) for e in scored.evidence)
        if all(e is not None and e.nats >= context.margin for e in evidence):
            rules = rules + replace(values.over_columns(scored, context.variables), evidence=evidence)
    return rules
