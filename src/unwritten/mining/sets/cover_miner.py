"""The miner of covers: "at least one of S"."""

from __future__ import annotations

import numpy as np

from unwritten.mining.miner import Context, Mined
from unwritten.mining.pairs.clauses import Clauses
from unwritten.mining.sets.covers import covers, surprising_covers
from unwritten.mining.sets.set_labels import are_sets, sampled_sets
from unwritten.options import MinerName
from unwritten.rules.exactly_one import exactly_one_rules


class CoverMiner:
    """Finds minimal sets of columns such that every label has at least one of them."""

    name: MinerName = "covers"

    def supports(self, context: Context) -> bool:
        """True if labels are 0/1 with at most `budgets.SET_COLUMNS` columns."""
        return are_sets(context.tally)

    def run(self, context: Context) -> Mined:
        """Add the covers that the rules so far do not imply.

        If the labels are the bases of a matroid, its cocircuits are added as covers, and covers that some basis misses
        are dropped as accidents.
        """
        tally, matroid = context.tally, context.mined.matroid
        known = context.stated + context.redundant
        width, labels = tally.seen.shape[1], sampled_sets(tally)
        rows = covers(labels, margin=context.margin)
        rows = rows[(rows @ tally.seen.T).min(axis=1, initial=1) > 0]
        rows = surprising_covers(rows, labels, known.matrix[exactly_one_rules(known), :width], context.margin)
        if matroid is None:
            clauses = Clauses.of(known, width)
            implied = [clauses.refutes((2 * np.flatnonzero(row) + 1).tolist()) for row in rows]
            rows = rows[~np.array(implied, bool)]
        else:
            rows = np.unique(np.concatenate([rows, matroid.cocircuits]), axis=0)[::-1]
            rows = rows[[matroid.rank_of(np.flatnonzero(row == 0)) < matroid.rank for row in rows]]
        bordered = np.column_stack([-rows, np.ones(len(rows), np.int64)])
        return context.mined.with_rules(context.scored(bordered, equality=False))
