"""The miner of gaps: not equal, all different, |x − y| ≠ c, and one before the other.

What is found on one half of the labels is tested on the other half. If a value that was ruled out does occur there,
then as much evidence as it had is not enough.
"""

from __future__ import annotations

from dataclasses import replace
from math import log, log1p

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.mining.gaps.cover import Covered, Value, cover
from unwritten.mining.gaps.edges import Pair
from unwritten.mining.gaps.finding import FoundGaps, Needed, Ruled, find_gaps
from unwritten.mining.miner import Context, Mined
from unwritten.mining.near_columns import near_columns
from unwritten.options import MinerName
from unwritten.rules import MINED, Evidence
from unwritten.rules.gaps import Gap

TOO_MANY = (
    "the differences of integer columns were too many to look for gaps such as x ≠ y: mine fewer columns or examples "
    "at a time to find them"
)
LEAST_VALUES = 3  # of a column; what pairs of 0/1 columns never do is the business of pairs
LEAST_HALF = 20  # labels in a half that can test what was found on the other one
BEYOND = 2.5  # evidence of all labels, per evidence of a half that was not enough


class GapMiner:
    """Finds values that the difference of two integer columns never takes."""

    name: MinerName = "gaps"

    def supports(self, context: Context) -> bool:
        """True if there are two integer columns; with weights only if a user asks, since optimal labels shun values."""
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
        found = confirmed_gaps(labels, trials, weight, context.options.confidence)
        names = [context.variables.names[j] for j in columns.tolist()]
        return replace(context.mined, gaps=_Writer(found, names, len(labels), weight).gaps())


def _columns(context: Context) -> IntArray:
    """The columns with at least three values, which are not too far apart."""
    seen = context.tally.seen
    spans = seen.max(axis=0).astype(np.int64) - seen.min(axis=0)
    wide_enough = np.flatnonzero((spans + 1 >= LEAST_VALUES) & (spans <= budgets.GAP_SPAN))
    columns = wide_enough[[len(np.unique(seen[:, j])) >= LEAST_VALUES for j in wide_enough.tolist()]]
    return columns[near_columns(seen[:, columns].astype(np.int64), budgets.GAP_SPAN)]  # others never meet


def confirmed_gaps(labels: IntArray, trials: float, weight: float, confidence: float) -> FoundGaps:
    """Find gaps between the columns of distinct labels, with more evidence than was refuted in either half."""
    found = find_gaps(labels, trials, weight, confidence, Needed())
    if not found.values and not found.wide:
        return found
    needed = _needed(labels, trials, weight, confidence)
    return found if needed == Needed() else find_gaps(labels, trials, weight, confidence, needed)


def _needed(labels: IntArray, trials: float, weight: float, confidence: float) -> Needed:
    """How much evidence was not enough: that of gaps of one half of the labels which the other half breaks."""
    if len(labels) < 2 * LEAST_HALF:
        return Needed()
    in_first = np.zeros(len(labels), bool)
    in_first[np.random.default_rng(0).permutation(len(labels))[: len(labels) // 2]] = True
    value = edge = 0.0
    for half in (in_first, ~in_first):
        found = find_gaps(labels[half], trials / 2, weight, confidence, Needed())
        strengths = [found.values[broken].expected for broken in found.broken_values(labels[~half])]
        value = max([value, *(BEYOND * strength for strength in strengths)])
        edge = max(edge, -log(1 - confidence) if found.broken_edges(labels[~half]) else 0.0)
    return Needed(value, edge)


class _Writer:
    """Turns values that are ruled out into as few gaps as it can."""

    def __init__(self, found: FoundGaps, names: list[str], n: int, weight: float) -> None:
        self._found, self._names, self._n, self._weight = found, names, n, weight
        narrow = [value for value, reason in found.values.items() if reason.narrow]
        within = [(i, j, v) for (i, j), sides in found.wide.items() for v in range(sides[0] + 1, sides[1])]
        self._covered = cover(narrow, [*found.values, *within])

    def gaps(self) -> tuple[Gap, ...]:
        """Sets first, then pairs that are apart, then single values."""
        said = self._in_sets(self._covered)
        wide = {
            pair: sides
            for pair, sides in self._found.wide.items()
            if not said.issuperset((*pair, v) for v in range(sides[0] + 1, sides[1]))
        }
        gaps = [self._set(slope, clique) for slope, clique in self._covered.cliques]
        gaps += [self._apart(pair, *sides) for pair, sides in wide.items()]
        for pair, values in self._covered.rest.items():
            low, high = wide.get(pair, (0, 0))
            gaps += self._single_values(pair, [v for v in values if not low < v < high])
        return tuple(gaps)

    def _in_sets(self, covered: Covered) -> set[Value]:
        """The values that the sets say."""
        return {(a, b, slope * (b - a)) for slope, clique in covered.cliques for a in clique for b in clique if a < b}

    def _set(self, slope: int, clique: tuple[int, ...]) -> Gap:
        gap = Gap.all_different([self._names[c] for c in clique], tuple(slope * c for c in clique))
        pairs = [(a, b, slope * (b - a)) for k, a in enumerate(clique) for b in clique[k + 1 :]]
        return self._with_evidence(gap, pairs)

    def _apart(self, pair: Pair, low: int, high: int) -> Gap:
        gap = Gap.either_or(self._names[pair[0]], self._names[pair[1]], low, high)
        return self._with_reasons(gap, [self._found.wide_reasons[pair]])

    def _single_values(self, pair: Pair, values: list[int]) -> list[Gap]:
        """Not equal, and distances; a value that stands alone and is not 0 is more likely luck than a rule."""
        first, second = (self._names[c] for c in pair)
        gaps = []
        if 0 in values:
            gaps.append(self._with_evidence(Gap.not_equal(first, second), [(*pair, 0)]))
        for value in values:
            if value > 0 and -value in values:
                gap = Gap.distance(first, second, value)
                gaps.append(self._with_evidence(gap, [(*pair, value), (*pair, -value)]))
        return gaps

    def _with_evidence(self, gap: Gap, values: list[Value]) -> Gap:
        """The gap with what speaks for the values that it rules out; some may be part of a wide gap."""
        wide = self._found.wide_reasons
        return self._with_reasons(gap, [self._found.values.get(value) or wide[value[:2]] for value in values])

    def _with_reasons(self, gap: Gap, reasons: list[Ruled]) -> Gap:
        """The gap with how many examples would break it by chance; what is least sure of it counts for the doubt."""
        trials = self._weight * self._n
        share = sum(log1p(-min(reason.expected / trials, 1 - 1e-9)) for reason in reasons)
        evidence = Evidence(
            self._n,
            chance=_rounded(float(np.exp(share))),
            price=_rounded(max(reason.price for reason in reasons)),
            doubt=_rounded(max(reason.doubt for reason in reasons)),
            weight=self._weight,
        )
        return replace(gap, origin=MINED, evidence=evidence)


def _rounded(value: float) -> float:
    """Round to twelve digits, because logarithms and exponentials differ in their last bit between CPUs."""
    return float(f"{value:.12g}")
