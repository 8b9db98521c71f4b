"""The plan: which miners run, and in which order.

The miners that need fewest examples run first: exactly-one groups, the equalities that the groups do not imply, pairs,
matroids, covers, rank rules, gaps, bounds, counts of values, capacities. Each miner sees what the miners before it have
found. Then habits are told from rules, and at last limits explain why nothing better was chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unwritten.data import BoolArray, Examples, IntArray
from unwritten.errors import DataError
from unwritten.evidence import EvidenceScorer, chance
from unwritten.mining.bounds.bound_miner import BoundMiner
from unwritten.mining.capacities.capacity_miner import CapacityMiner
from unwritten.mining.equalities.equality_miner import EqualityMiner
from unwritten.mining.gaps import GapMiner
from unwritten.mining.gate import gated, without_stated
from unwritten.mining.groups.group_miner import GroupMiner
from unwritten.mining.habits.splitting import without_habits
from unwritten.mining.limits.limit_miner import NO_LIMITS, LimitMiner
from unwritten.mining.miner import Context, Mined, Miner
from unwritten.mining.pairs.pair_miner import PairMiner
from unwritten.mining.sets.covers import CoverMiner
from unwritten.mining.sets.matroid_fit import MatroidMiner
from unwritten.mining.sets.ranks import RankMiner
from unwritten.mining.siblings import with_completed_patterns
from unwritten.mining.values.value_miner import ValueMiner
from unwritten.options import MiningOptions
from unwritten.rules import RuleSet
from unwritten.tally import Tally


def _mined_from_values(tally: Tally, known: RuleSet, examples: Examples, options: MiningOptions) -> RuleSet:
    """The rules that miners of 0/1 columns find in labels with one column for each value."""
    return run_miners(tally, tally.seen, known, examples, options)[0].rules


TABLE: tuple[Miner, ...] = (
    GroupMiner(),
    EqualityMiner(),
    PairMiner(),
    MatroidMiner(),
    CoverMiner(),
    RankMiner(),
    GapMiner(),
    BoundMiner(),
    ValueMiner(_mined_from_values),
    CapacityMiner(),
)

LAST = LimitMiner()
"""The miner that needs optimal labels and the rules without habits; it weighs its rules by held-out labels itself."""


def run_miners(
    tally: Tally,
    labels: IntArray,
    known: RuleSet,
    examples: Examples,
    options: MiningOptions,
    *,
    blocks: Sequence[IntArray] = (),
    grid_cells: BoolArray | None = None,
    optimal: bool = False,
) -> tuple[Mined, RuleSet]:
    """Run the miners that the options name; return what they mined, and the mined groups that follow from other rules.

    The parameters have the meaning of the fields of `Context`. `optimal` says that every label is the best of all seen
    ones for its weights: only then does rules="auto" tell habits from rules.
    """
    nothing = Mined.nothing(known.variables)
    if not options.miners:
        return nothing, nothing.rules
    if tally.n < 2:
        cut = "" if examples.weights is None else ", or rules=[] to use only the cut of its weights"
        raise DataError(f"one example cannot show a rule: give at least two{cut}")
    as_evidence = counted_as_evidence(tally, options)
    scorer = EvidenceScorer(as_evidence, labels)
    context = Context(
        as_evidence, tally, labels, known, examples, options, scorer, tuple(blocks), grid_cells, mined=nothing
    )
    for miner in TABLE:
        # a matroid is stated through its covers, so they are mined even if nobody named them
        wanted = miner.name in options.miners or (miner.name == "covers" and context.mined.matroid is not None)
        if wanted and miner.supports(context):
            context = replace(context, mined=gated(context, miner.run(context), miner))
    if options.automatic and examples.weights is None and not context.has_latents:
        context = replace(context, mined=with_completed_patterns(context, context.mined))
    context = replace(context, mined=without_stated(context.mined))
    mined, redundant = context.mined, context.redundant
    if optimal and options.automatic and options.noise_rate == 0 and not tally.wide:
        mined, redundant = without_habits(context)
    if LAST.name in options.miners:
        context = replace(context, mined=replace(mined, groups=redundant))  # without groups that are habits
        if optimal and not tally.wide and LAST.supports(context):
            mined = LAST.run(context)
        elif not options.automatic or (optimal and LAST.too_wide(context)):
            mined = mined.with_note(NO_LIMITS)
    return mined, redundant


def counted_as_evidence(tally: Tally, options: MiningOptions) -> Tally:
    """The tally with every label counted once, unless nearly all possible labels have been seen (Good–Turing).

    Equal examples are often one decision copied. Such copies are not evidence about labels that are yet to come.
    """
    if not options.automatic or tally.symmetry is not None:
        return tally
    return tally if chance.unseen(tally.counts) <= 1 - options.confidence else tally.each_once()
