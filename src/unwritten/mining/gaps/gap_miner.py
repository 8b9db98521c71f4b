"""The miner of gaps: not equal, all different, |x − y| ≠ c, one before the other, and differences that all differ.

What is found on one half of the labels is tested on the other half. If a value that was ruled out does occur there,
then as much evidence as it had is not enough.
"""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.mining.gaps.finding import FoundGaps, GapJudge, Needed, find_gaps
from unwritten.mining.gaps.gap_writer import GapWriter, with_reasons
from unwritten.mining.gaps.rulers import ruler, ruler_lines, ruler_sums
from unwritten.mining.miner import Context, Mined
from unwritten.mining.near_columns import near_columns
from unwritten.options import MinerName
from unwritten.rules import Gap, Gaps

TOO_MANY = (
    "the differences of integer columns were too many to look for gaps such as x ≠ y: mine fewer columns or examples "
    "at a time to find them"
)
LEAST_VALUES = 3  # least values of a column; 0/1 columns are left to the miner of pairs
LEAST_HALF = 20  # least labels in a half for it to test what the other half shows
BEYOND = 2.5  # a gap needs this many times the evidence that was not enough in a half


class GapMiner:
    """Finds values that differences of integer columns never take."""

    name: MinerName = "gaps"

    def supports(self, context: Context) -> bool:
        """True if there are two integer columns.

        With weights only if a user asks: optimal labels avoid values without any rule.
        """
        if context.options.automatic and context.examples.weights is not None:
            return False
        return len(_columns(context)) > 1

    def run(self, context: Context) -> Mined:
        """Add the gaps."""
        columns, tally = _columns(context), context.tally
        pairs = len(columns) * (len(columns) - 1) // 2
        if pairs > budgets.GAP_PAIRS or pairs * len(tally.seen) > budgets.GAP_DIFFERENCES:
            return context.mined.with_note(TOO_MANY)
        labels = tally.seen[:, columns].astype(np.int64)
        weight = tally.weight if tally.symmetry is None else tally.weight * tally.symmetry.n / tally.n
        trials = weight * float(tally.counts.sum())
        ruled_out = confirmed_gaps(labels, trials, weight, context.options.confidence)
        names = [context.variables.names[j] for j in columns.tolist()]
        rulers = _rulers(context, GapJudge(trials, context.options.confidence, Needed()), weight)
        gaps = GapWriter(ruled_out, names, len(labels), weight).gaps()
        said = Gaps(context.examples.variables, rulers)
        return replace(context.mined, gaps=(*rulers, *(gap for gap in gaps if not said.imply(gap))))


def _rulers(context: Context, judge: GapJudge, weight: float) -> tuple[Gap, ...]:
    """The lines of columns whose differences all differ."""
    seen, names = context.tally.seen, context.variables.names
    lines = ruler_lines(context.examples.variables.layout, seen)
    if sum(ruler_sums(len(line)) for line in lines) * len(seen) > budgets.GAP_DIFFERENCES:
        return ()
    gaps = []
    for line in lines:
        reasons = ruler(seen[:, line], judge, weight, len(lines))
        if reasons is not None:
            gap = Gap.all_differences([names[j] for j in line])
            gaps.append(with_reasons(gap, reasons, len(seen), weight))
    return tuple(gaps)


def _columns(context: Context) -> IntArray:
    """The columns with at least three values, which are not too far apart."""
    seen = context.tally.seen
    spans = seen.max(axis=0).astype(np.int64) - seen.min(axis=0)
    wide_enough = np.flatnonzero((spans + 1 >= LEAST_VALUES) & (spans <= budgets.GAP_SPAN))
    columns = wide_enough[[len(np.unique(seen[:, j])) >= LEAST_VALUES for j in wide_enough.tolist()]]
    return columns[near_columns(seen[:, columns].astype(np.int64), budgets.GAP_SPAN)]  # others never meet


def confirmed_gaps(labels: IntArray, trials: float, weight: float, confidence: float) -> FoundGaps:
    """Find gaps between the columns of distinct labels, with more evidence than was refuted in either half."""
    gaps = find_gaps(labels, trials, weight, confidence, Needed())
    if not gaps.values and not gaps.wide:
        return gaps
    needed = _needed(labels, trials, weight, confidence)
    return gaps if needed == Needed() else find_gaps(labels, trials, weight, confidence, needed)


def _needed(labels: IntArray, trials: float, weight: float, confidence: float) -> Needed:
    """The evidence that was not enough: that of gaps which one half of the labels shows and the other half breaks."""
    if len(labels) < 2 * LEAST_HALF:
        return Needed()
    in_first = np.zeros(len(labels), bool)
    in_first[np.random.default_rng(0).permutation(len(labels))[: len(labels) // 2]] = True
    value = edge = 0.0
    for half in (in_first, ~in_first):
        gaps = find_gaps(labels[half], trials / 2, weight, confidence, Needed())
        strengths = [gaps.values[broken].expected for broken in gaps.broken_values(labels[~half])]
        value = max([value, *(BEYOND * strength for strength in strengths)])
        edge = max(edge, -log(1 - confidence) if gaps.broken_edges(labels[~half]) else 0.0)
    return Needed(value, edge)
