"""Covers: minimal sets of columns such that every label has at least one of them, which chance does not explain.

On spanning trees the covers are the stars of the nodes: every node touches an edge of the tree.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence.chance import MARGIN, exceeds, log_choose
from unwritten.mining.miner import Context, Mined
from unwritten.mining.pairs.clauses import Clauses
from unwritten.mining.sets.set_labels import SetLabels, sampled_sets, set_columns
from unwritten.native import kernels
from unwritten.options import MinerName
from unwritten.rules.exactly_one import exactly_one_rules

COVERS = "covers (sets of columns of which every row has at least one)"
STOPPED = (
    f"the search for {COVERS} reached its limit of work, so some may be missing: mine fewer columns at a time "
    "to find them"
)


class CoverMiner:
    """Finds minimal sets of columns such that every label has at least one of them."""

    name: MinerName = "covers"

    def supports(self, context: Context) -> bool:
        """True if there are 0/1 columns; other columns are left out."""
        return len(set_columns(context.tally)) > 1

    def run(self, context: Context) -> Mined:
        """Add the covers that the rules so far do not imply.

        If the labels are the bases of a matroid, its cocircuits are added as covers, and covers that some basis misses
        are dropped as accidents.
        """
        sets, matroid = SetLabels.of(context), context.mined.matroid
        before = context.mined.with_note(sets.too_wide(COVERS, context))
        if not 2 <= len(sets.columns) <= budgets.SET_COLUMNS:
            return before
        known = context.stated + context.redundant
        width, labels = context.tally.seen.shape[1], sampled_sets(sets.tally)
        candidates, complete = search_covers(labels, margin=context.margin)
        rows = candidates[(candidates @ sets.tally.seen.T).min(axis=1, initial=1) > 0]
        groups = known.matrix[exactly_one_rules(known), :width][:, sets.columns]
        rows = surprising_covers(rows, labels, groups, context.margin)
        if matroid is None:
            clauses = Clauses.of(known, width)
            implied = [clauses.refutes((2 * sets.columns[row != 0] + 1).tolist()) for row in rows]
            rows = rows[~np.array(implied, bool)]
        else:
            rows = np.unique(np.concatenate([rows, matroid.cocircuits]), axis=0)[::-1]
            rows = rows[[matroid.rank_of(np.flatnonzero(row == 0)) < matroid.rank for row in rows]]
        bordered = sets.over_all_columns(np.column_stack([-rows, np.ones(len(rows), np.int64)]), width)
        mined = before.with_rules(context.scored(bordered, equality=False))
        return mined if complete else mined.with_note(STOPPED)


def covers(labels: IntArray, margin: float = MARGIN, patience: int | None = None, seed: int = 0) -> IntArray:
    """The covers of `search_covers`.

    >>> covers(np.tile([[1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1]], (20, 1)))
    array([[1, 1, 0, 0],
           [0, 0, 1, 1]])
    """
    return search_covers(labels, margin=margin, patience=patience, seed=seed)[0]


def search_covers(
    labels: IntArray,
    margin: float = MARGIN,
    work: int | None = None,
    patience: int | None = None,
    seed: int = 0,
) -> tuple[IntArray, bool]:
    """Covers as 0/1 rows (c × d), those with most evidence first; and False if there were more than are kept.

    A search from a pair of columns swaps one member at a time and lets the weight of labels that stay unhit grow (row
    weighting, the local search that does best on set covering). It starts from each pair that no cover found so far
    contains. The searches end after `patience` of them in a row without a new cover, or after `work` elementary steps
    (`budgets.COVER_PATIENCE` and `budgets.COVER_WORK` by default).
    """
    n, width = labels.shape
    shares = labels.mean(axis=0) if n else np.zeros(width)
    varying = np.flatnonzero((shares > 0) & (shares < 1))
    none = np.zeros((0, width), np.int64)
    if len(varying) < 2:
        return none, True
    inner = labels[:, varying]
    missed = missed_by_chance(inner)
    prices = np.array([log_choose(len(varying), size) for size in range(len(varying) + 1)])
    sizes = np.flatnonzero(n * missed - prices >= margin)
    sizes = sizes[sizes > 0]
    seen = np.unique(inner, axis=0)
    if len(sizes) == 0 or not seen.any(axis=1).all():
        return none, True
    found_covers = kernels.find_covers(
        seen != 0,
        rare_pairs(inner),
        largest=int(sizes[-1]),
        swaps=budgets.COVER_SWAPS,
        patience=budgets.COVER_PATIENCE if patience is None else patience,
        most=budgets.COVERS_FOUND,
        work=budgets.COVER_WORK if work is None else work,
        seed=seed,
    ).astype(np.int64)
    rows = np.zeros((len(found_covers), width), np.int64)
    rows[:, varying] = found_covers
    evidence = _cover_evidence(found_covers, n, shares[varying], missed, prices)
    order = np.argsort(-evidence, kind="stable")
    believed: IntArray = rows[order[evidence[order] >= margin]]
    return believed, len(found_covers) < budgets.COVERS_FOUND


def _cover_evidence(covers: IntArray, n: int, shares: FloatArray, missed: FloatArray, prices: FloatArray) -> FloatArray:
    """The evidence of each cover in nats, less its price.

    It is the smaller of the evidence against random labels of the same size and against independent columns, rounded so
    that the order of covers is the same on every CPU.
    """
    sizes = covers.sum(axis=1)
    independent = np.exp((covers * np.log1p(-shares)).sum(axis=1))
    evidence: FloatArray = np.round(n * np.minimum(missed[sizes], independent) - prices[sizes], 9)
    return evidence


def surprising_covers(rows: IntArray, labels: IntArray, known: IntArray, margin: float = MARGIN) -> IntArray:
    """The covers that have enough evidence even if labels are known to hit the `known` sets and the covers before them.

    Without this test, a known set with a few columns exchanged would pass for another cover: the part it shares with
    the known set explains most labels, and only labels that miss that part are evidence for the rest.
    """
    width = labels.shape[1]
    log_absent = np.log1p(-np.minimum(labels.mean(axis=0), 1 - 1e-12))
    known_sets = [known_set != 0 for known_set in known]
    chosen = []
    for row in rows:
        members = row != 0
        price = log_choose(width, int(members.sum()))
        overlaps = [members & known_set for known_set in known_sets]
        evidence = [_evidence_beyond(labels, members, shared, log_absent) for shared in overlaps if shared.any()]
        if all(nats - price >= margin for nats in evidence):
            chosen.append(row)
            known_sets.append(members)
    return np.array(chosen, np.int64).reshape(-1, width)


def _evidence_beyond(labels: IntArray, members: BoolArray, shared: BoolArray, log_absent: FloatArray) -> float:
    """The expected number of labels that miss the shared part and, by chance, the other members too."""
    return float((labels[:, shared].sum(axis=1) == 0).sum() * np.exp(log_absent[members & ~shared].sum()))


def missed_by_chance(labels: IntArray) -> FloatArray:
    """For each size from 0 to d: the probability that a random label with as many ones misses a set of that size."""
    width = labels.shape[1]
    totals, counts = np.unique(labels.sum(axis=1), return_counts=True)
    return np.array([1 - exceeds(width, size, 0, totals, counts) for size in range(width + 1)])


def rare_pairs(labels: IntArray) -> IntArray:
    """Pairs of columns, sorted by how much less often than expected both are 1; at most `budgets.COVER_STARTS`."""
    together = (labels.T @ labels).astype(float)
    counts = np.diag(together)
    expected = np.outer(counts, counts) / len(labels)
    one, other = np.triu_indices(len(counts), 1)
    never = np.full(expected.shape, np.inf)  # pairs with a column that is 0 in every label come last
    scores = np.divide(together - expected, np.sqrt(expected), out=never, where=expected > 0)[one, other]
    order = np.argsort(scores, kind="stable")[: budgets.COVER_STARTS]
    return np.column_stack([one[order], other[order]]).astype(np.int64)
