"""The plan: which miners run, and in which order.

The miners that need fewest examples run first: exactly-one groups, the equalities that the groups do not imply, pairs,
matroids, covers, rank rules, gaps, bounds, counts of values, capacities. Each miner sees what the miners before it have
found. Then habits are told from rules, and at last limits explain why nothing better was chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from unwritten import budgets
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

T = TypeVar("T")


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
    ones for its weights; only then does rules="auto" separate habits from rules.
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
        as_evidence, tally, labels, known, examples, options, scorer, tuple(blocks), grid_cells,
        mined=nothing, effort=options.effort,
    )  # fmt: skip
    for miner in TABLE:
        # a matroid is stated through its covers, so they are mined even if nobody named them
        wanted = miner.name in options.miners or (miner.name == "covers" and context.mined.matroid is not None)
        if wanted and miner.supports(context):
            context = replace(context, mined=_mined_by(miner, context))
    if options.automatic and examples.weights is None and not context.has_latents:
        context = replace(context, mined=_attempted(context, "siblings", _with_siblings, context.mined))
    context = replace(context, mined=without_stated(context.mined))
    mined, redundant = context.mined, context.redundant
    if optimal and options.automatic and options.noise_rate == 0 and not tally.wide:
        unjudged = replace(mined, rules=nothing.rules, habits=mined.rules), redundant[:0]
        mined, redundant = _attempted(context, "what tells habits from rules", without_habits, unjudged)
    if LAST.name in options.miners:
        context = replace(context, mined=replace(mined, groups=redundant))  # without groups that are habits
        if optimal and not tally.wide and LAST.supports(context):
            mined = _attempted(context, LAST.name, LAST.run, context.mined)
        elif not options.automatic or (optimal and LAST.too_wide(context)):
            mined = mined.with_note(NO_LIMITS)
    return mined, redundant


def _mined_by(miner: Miner, context: Context) -> Mined:
    """What was mined before, and what the miner adds and the gate lets pass, if the effort suffices for both."""
    return _attempted(context, miner.name, lambda part: gated(part, miner.run(part), miner), context.mined)


def _with_siblings(context: Context) -> Mined:
    return with_completed_patterns(context, context.mined)


def _attempted(context: Context, name: str, step: Callable[[Context], T], otherwise: T) -> T:
    """What a step makes of the context within the work of one miner; `otherwise` if that or the time is not enough."""
    work = budgets.MINER_WORK
    return context.effort.within(work, name, lambda effort: step(replace(context, effort=effort)), otherwise)


def counted_as_evidence(tally: Tally, options: MiningOptions) -> Tally:
    """The tally with every label counted once, unless nearly all possible labels have been seen (Good–Turing).

    Equal examples are often one decision copied. Such copies are not evidence about labels that are yet to come.
    """
    if not options.automatic or tally.symmetry is not None:
        return tally
    return tally if chance.unseen(tally.counts) <= 1 - options.confidence else tally.each_once()
