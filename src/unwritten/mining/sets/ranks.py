"""Rank rules Σ y_S ≤ r(S), where r(S) is the most ones that any label has in S, and chance would exceed it.

On spanning trees they are the subtour inequalities: at most |N| − 1 edges among the nodes N.
"""

from __future__ import annotations

from math import log

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.evidence.chance import exceeds, log_choose
from unwritten.mining.miner import Context, Mined
from unwritten.mining.sets.covers import rare_pairs
from unwritten.mining.sets.set_labels import SetLabels, sampled_sets, set_columns
from unwritten.native import kernels
from unwritten.options import MinerName

RANK_NATS = 6.0  # evidence that a rank rule needs at a confidence of 0.95
EXTRA_NATS = RANK_NATS - log(20)
"""Evidence that a rank rule needs beyond the margin of its confidence.

Sets of one size and rank are accepted as a class, so one accident brings in many false rules. On spanning trees of
seven nodes, 5 to 8 nats give next to no false rule."""

TESTED_SHARE = 0.2  # share of the examples that grown sets are tested on
RANKS = "ranks (sets of columns of which no row has more than some number)"
STOPPED = (
    f"the search for {RANKS} reached its limit of work, so some may be missing: mine fewer columns at a time to "
    "find them"
)
RANK_WITHOUT_RULE = 127  # rank of a set without a rule


class RankMiner:
    """Finds sets S of columns such that no label has more than r of them."""

    name: MinerName = "ranks"

    def supports(self, context: Context) -> bool:
        """True if there are 0/1 columns; other columns are left out."""
        return len(set_columns(context.tally)) > 1

    def run(self, context: Context) -> Mined:
        """Add the rank rules."""
        sets = SetLabels.of(context)
        before = context.mined.with_note(sets.too_wide(RANKS, context))
        if not 2 <= len(sets.columns) <= budgets.SET_COLUMNS:
            return before
        rows, most = rank_rules(sampled_sets(sets.tally), margin=context.margin + EXTRA_NATS)
        hold = (rows @ sets.tally.seen.T).max(axis=1, initial=0) <= most
        bordered = sets.over_all_columns(np.column_stack([rows, -most])[hold], context.tally.seen.shape[1])
        mined = before.with_rules(context.scored(bordered, equality=False))
        listed = len(sets.columns) <= budgets.RANK_COLUMNS_LISTED
        limit = budgets.RANK_RULES_LISTED if listed else budgets.RANK_RULES_GROWN
        return mined.with_note(STOPPED if len(rows) >= limit else None)


def rank_rules(
    labels: IntArray, margin: float = RANK_NATS, work: int | None = None, seed: int = 0
) -> tuple[IntArray, IntArray]:
    """Rows (r × d, 0/1) and their bounds, those with most evidence first; no row follows from another one.

    With at most `budgets.RANK_COLUMNS_LISTED` varying columns, all such rules are found; with more columns, only those
    that the growing of sets reaches.

    >>> rows, bounds = rank_rules(np.tile([[1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1]], (20, 1)))
    >>> rows.tolist(), bounds.tolist()
    ([[1, 1, 0, 0], [0, 0, 1, 1]], [1, 1])
    """
    shares = labels.mean(axis=0) if len(labels) else np.zeros(labels.shape[1])
    varying = np.flatnonzero((shares > 0) & (shares < 1))
    inner = labels[:, varying]
    if len(varying) < 2:
        return np.zeros((0, labels.shape[1]), np.int64), np.zeros(0, np.int64)
    if len(varying) <= budgets.RANK_COLUMNS_LISTED:
        sets, bounds = _listed(inner, margin)
    else:
        sets, bounds = _grown(inner, margin, budgets.RANK_WORK if work is None else work, seed)
    rows = np.zeros((len(sets), labels.shape[1]), np.int64)
    rows[:, varying] = sets
    return rows, bounds


def evidences(labels: IntArray) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """n·P(|S ∩ Y| > r) − ln C(d, |S|) for a random label Y of the same size: (d + 1) × (d + 1), by |S| and r.

    The entry is −∞ if the rule says nothing: r = |S|, or no label has more than r ones.
    """
    n, width = labels.shape
    totals, counts = np.unique(labels.sum(axis=1), return_counts=True)
    table = np.full((width + 1, width + 1), -np.inf)
    for size in range(2, width + 1):
        for rank in range(1, min(size, int(totals[-1]))):
            table[size, rank] = n * exceeds(width, size, rank, totals, counts) - log_choose(width, size)
    return table


def _listed(labels: IntArray, margin: float) -> tuple[IntArray, IntArray]:
    """List all sets, class by class: sets of one size and rank are accepted or rejected together.

    If m sets of a class are new (not implied so far), naming one of them costs only ln C(d, |S|) − ln m: by Markov's
    inequality, chance fills a class e^margin times fuller than expected with probability at most e^−margin.
    """
    width = labels.shape[1]
    rank, size = kernels.rank_table(np.unique(labels @ (1 << np.arange(width))), width)
    table = evidences(labels)
    sizes = np.bincount(size.astype(np.int64) * (width + 1) + rank, minlength=(width + 1) ** 2)
    full = table + np.log(np.maximum(sizes, 1)).reshape(table.shape)
    classes = [(int(s), int(r)) for s, r in np.argwhere((full >= margin) & (sizes.reshape(table.shape) > 0))]
    above, below = np.full(1 << width, RANK_WITHOUT_RULE, np.int8), np.full(1 << width, -1, np.int8)
    accepted = np.zeros(0, np.int64)
    for s, r in sorted(classes, key=lambda pair: -table[pair]):
        new = np.flatnonzero((size == s) & (rank == r) & (above > r) & (below < s - r))
        if len(new) and len(accepted) < budgets.RANK_RULES_LISTED and table[s, r] + np.log(len(new)) >= margin:
            above[new], below[new] = r, s - r
            kernels.spread(above, below)
            accepted = np.concatenate([accepted, new])
    bits = 1 << np.arange(width)
    inside = (accepted[:, None] & bits) != 0
    neighbours = accepted[:, None] ^ bits
    slack = (size[accepted] - rank[accepted])[:, None]
    implied = np.where(inside, below[neighbours] >= slack, above[neighbours] <= rank[accepted][:, None]).any(axis=1)
    return inside[~implied].astype(np.int64), rank[accepted[~implied]].astype(np.int64)


def _grown(labels: IntArray, margin: float, work: int, seed: int) -> tuple[IntArray, IntArray]:
    """Grow sets on 80 % of the examples; drop sets that the other examples break, and sets that another one implies."""
    n, width = labels.shape
    shuffled = np.random.default_rng(seed).permutation(n)
    held, rest = labels[shuffled[: round(n * TESTED_SHARE)]], labels[shuffled[round(n * TESTED_SHARE) :]]
    table = evidences(rest)
    good = table >= margin
    allowed = np.where(good.any(axis=1), width - good[:, ::-1].argmax(axis=1), 0)
    seen = np.unique(rest, axis=0)
    rows = kernels.grow_sets(seen != 0, rare_pairs(rest), allowed, budgets.RANK_RULES_GROWN, work)
    rows = np.unique(rows.astype(np.int64), axis=0)
    bounds = (rows @ seen.T).max(axis=1, initial=0)
    holds = (rows @ held.T).max(axis=1, initial=0) <= bounds
    rows, bounds = rows[holds], bounds[holds]
    sizes = rows.sum(axis=1)
    common = rows @ rows.T
    wider = (common == sizes[:, None]) & (bounds[None, :] <= bounds[:, None])  # T ⊇ S
    narrower = (common == sizes[None, :]) & (bounds[None, :] + sizes[:, None] - sizes[None, :] <= bounds[:, None])
    implied = ((wider | narrower) & ~np.eye(len(rows), dtype=bool)).any(axis=1)
    rows, bounds = rows[~implied], bounds[~implied]
    order = np.argsort(-table[rows.sum(axis=1), bounds], kind="stable")
    return rows[order], bounds[order]
