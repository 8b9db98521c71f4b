"""The miner of rank rules: "at most r of S"."""

from __future__ import annotations

from math import log

import numpy as np

from unwritten.mining.miner import Context, Mined
from unwritten.mining.sets.ranks import rank_rules
from unwritten.mining.sets.set_labels import are_sets, sampled_sets
from unwritten.options import MinerName

EXTRA_NATS = 6.0 - log(20)
"""Evidence that a rank rule needs beyond the margin: 6 nats in all at a confidence of 0.95.

Sets of one size and rank are accepted as a class, so one accident brings in many false rules. On spanning trees of
seven nodes, 5 to 8 nats give next to no false rule."""


class RankMiner:
    """Finds sets S of columns such that no label has more than r of them."""

    name: MinerName = "ranks"

    def supports(self, context: Context) -> bool:
        """True if labels are 0/1 with at most `budgets.SET_COLUMNS` columns."""
        return are_sets(context.tally)

    def run(self, context: Context) -> Mined:
        """Add the rank rules."""
        rows, most = rank_rules(sampled_sets(context.tally), margin=context.margin + EXTRA_NATS)
        hold = (rows @ context.tally.seen.T).max(axis=1, initial=0) <= most
        bordered = np.column_stack([rows, -most])[hold]
        return context.mined.with_rules(context.scored(bordered, equality=False))
