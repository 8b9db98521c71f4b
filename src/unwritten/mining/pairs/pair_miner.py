"""The miner of pair rules."""

from __future__ import annotations

from unwritten.mining.miner import Context, Mined
from unwritten.mining.pairs.pair_finder import pair_rows
from unwritten.options import MinerName


class PairMiner:
    """Finds pairs of literals that are never both true: exclusions, implications, "one of two"."""

    name: MinerName = "pairs"

    def supports(self, context: Context) -> bool:
        """Always true: labels without 0/1 columns have no pairs."""
        return True

    def run(self, context: Context) -> Mined:
        """Add the pairs that the rules so far do not imply."""
        rows = pair_rows(context.tally, context.stated + context.redundant, context.margin)
        return context.mined.with_rules(context.scored(rows, equality=False))
