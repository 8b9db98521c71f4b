"""Covers: minimal sets of columns of which every label has at least one, too often for chance.

On spanning trees they are the stars: every node touches an edge.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence.chance import MARGIN, exceeds, log_choose


def covers(
    labels: IntArray,
    margin: float = MARGIN,
    budget: int = budgets.COVER_WORK,
    patience: int = budgets.COVER_PATIENCE,
    seed: int = 0,
) -> IntArray:
    """The covers found, as 0/1 rows (c × d), those with most evidence first.

    The search ends after `patience` starts in a row without a new cover, or after `budget` elementary steps.

    >>> covers(np.tile([[1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1]], (20, 1)))
    array([[1, 1, 0, 0],
           [0, 0, 1, 1]])
    """
    from unwritten.mining.cover_search import Search, climb

    n, width = labels.shape
    shares = labels.mean(axis=0) if n else np.zeros(width)
    free = np.flatnonzero((shares > 0) & (shares < 1))
    empty = np.zeros((0, width), np.int64)
    if len(free) < 2:
        return empty
    inner = labels[:, free]
    missing = missed_by_chance(inner)
    prices = np.array([log_choose(len(free), size) for size in range(len(free) + 1)])
    worth = np.flatnonzero(n * missing - prices >= margin)
    worth = worth[worth > 0]
    seen = np.unique(inner, axis=0)
    if len(worth) == 0 or not seen.any(axis=1).all():
        return empty
    largest = int(worth[-1])
    found = climb(Search.over(seen), rare_pairs(inner), largest, budgets.COVER_SWAPS, patience, budget, seed).astype(
        np.int64
    )
    sizes = found.sum(axis=1)
    # the smaller of two evidences: a random label of the same size, and columns that are independent
    independent = np.exp(found @ np.log1p(-shares[free]))
    evidence = n * np.minimum(missing[sizes], independent) - prices[sizes]
    rows = np.zeros((len(found), width), np.int64)
    rows[:, free] = found
    order = np.argsort(-evidence, kind="stable")
    kept: IntArray = rows[order[evidence[order] >= margin]]
    return kept


def standing(rows: IntArray, labels: IntArray, known: IntArray, margin: float = MARGIN) -> IntArray:
    """The covers that stand out even if it is known that labels hit the `known` sets, and the covers before them.

    Else a known set with a few columns exchanged would pass for another: what it has in common with the known one
    explains most labels, and only those that miss that part speak for the rest.
    """
    width = labels.shape[1]
    absent = np.log1p(-np.minimum(labels.mean(axis=0), 1 - 1e-12))
    hit = [set_ != 0 for set_ in known]
    kept = []
    for row in rows:
        members = row != 0
        price = log_choose(width, int(members.sum()))
        common = (members & other for other in hit)
        if all(_left(labels, members, part, absent) - price >= margin for part in common if part.any()):
            kept.append(row)
            hit.append(members)
    return np.array(kept, np.int64).reshape(-1, width)


def _left(labels: IntArray, members: BoolArray, part: BoolArray, absent: FloatArray) -> float:
    """How many of the labels without `part` chance would leave without the other members too."""
    return float((labels[:, part].sum(axis=1) == 0).sum() * np.exp(absent[members & ~part].sum()))


def missed_by_chance(labels: IntArray) -> FloatArray:
    """P(a random label of the same size misses a set of 0, 1, … d columns)."""
    width = labels.shape[1]
    totals, counts = np.unique(labels.sum(axis=1), return_counts=True)
    return np.array([1 - exceeds(width, size, 0, totals, counts) for size in range(width + 1)])


def rare_pairs(labels: IntArray) -> IntArray:
    """Pairs of columns, those first that are together least often for their shares."""
    together = (labels.T @ labels).astype(float)
    counts = np.diag(together)
    expected = np.outer(counts, counts) / len(labels)
    one, other = np.triu_indices(len(counts), 1)
    scores = ((together - expected) / np.sqrt(expected))[one, other]
    order = np.argsort(scores, kind="stable")[: budgets.COVER_STARTS]
    return np.column_stack([one[order], other[order]]).astype(np.int64)
