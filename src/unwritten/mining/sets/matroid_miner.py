"""The miner of matroids."""

from __future__ import annotations

from dataclasses import replace

from unwritten import budgets
from unwritten.mining.miner import Context, Mined
from unwritten.mining.sets.matroid_fit import fit_matroid
from unwritten.mining.sets.set_labels import are_sets, sampled_sets
from unwritten.options import MinerName


class MatroidMiner:
    """Finds the matroid whose bases the labels are. The cover miner then states its cocircuits as rules."""

    name: MinerName = "matroid"

    def supports(self, context: Context) -> bool:
        """True if labels are sets of one size, bounded by 0 and 1, and their size is the only equality mined.

        If bounds allow other values than 0 and 1, no linear rows could say what a basis is.
        """
        tally = context.all_examples
        if not are_sets(tally) or not context.examples.variables.binary.all():
            return False
        sizes = tally.seen.sum(axis=1)
        return bool((sizes == sizes[0]).all()) and (not context.options.automatic or context.mined.rules.rank == 1)

    def run(self, context: Context) -> Mined:
        """Add the matroid if the examples support one; the rules stay the same."""
        tally, examples = context.all_examples, context.examples
        if examples.weights is None or tally.symmetry is not None:
            matroid = fit_matroid(sampled_sets(tally), margin=context.margin)
        else:
            first = slice(None, budgets.SET_EXAMPLES)
            matroid = fit_matroid(
                examples.labels[first], examples.weights[first], examples.sense, margin=context.margin
            )
        return replace(context.mined, matroid=matroid)
