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
    tally, none = context.tally, RuleSet.empty(context.variables)
    found = none
    for chosen in _sets(len(family.blocks)):
        blocks = [family.blocks[k] for k in chosen]
        places = np.append(np.concatenate(blocks), len(tally.gram) - 1)
        if len(places) * EXAMPLES_PER_COLUMN > tally.n:
            continue
        stated = np.concatenate([context.stated.rows, found.rows])[:, [*places[:-1], -1]]
        inside = np.concatenate([context.stated.rows, found.rows])
        outside = np.ones(inside.shape[1], bool)
        outside[places[:-1]] = outside[-1] = False
        stated = stated[~inside[:, outside].any(axis=1)]
        gram = tally.gram[np.ix_(places, places)]
        if len(gram) - linalg.rank_modulo(gram) <= linalg.rank_modulo(stated):
            continue
        found = found + _believed(context, blocks, places, _rows(gram, stated), len(family.blocks))
    return found


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


def _believed(context: Context, blocks: list[IntArray], places: IntArray, rows: IntArray, family: int) -> RuleSet:
    """The rows over some blocks that have enough evidence, as rules over all columns."""
    wide = np.zeros((len(rows), len(context.variables) + 1), np.int64)
    wide[:, places[:-1]], wide[:, -1] = rows[:, :-1], rows[:, -1]
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
