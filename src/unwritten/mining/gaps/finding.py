"""Finding: the values that differences never take and that are surely ruled out, and the edges of wide gaps."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import log

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence.doubt import NearRules, soft_odds
from unwritten.evidence.tails import tail_nats
from unwritten.mining.gaps.cover import Value
from unwritten.mining.gaps.differences import Differences, differences
from unwritten.mining.gaps.edges import Order, Pair, Times
from unwritten.mining.gaps.holes import Holes, WideRun
from unwritten.mining.gaps.luck import beliefs

SLOPES = (0, 1, -1)  # all different, and the two diagonals
LEAST_SIBLINGS = 10  # least pairs that surely rule out a value before other pairs are believed to do so, too
SIBLING_TRUST = 10  # factor by which many siblings make it less likely that one of them is an exception


@dataclass(frozen=True)
class Ruled:
    """Why a value is ruled out: how often it was to be expected, its price in nats, and the doubt that is left.

    A value that is not `narrow` is one of several in a row, and is said only together with siblings.
    """

    expected: float
    price: float
    doubt: float
    narrow: bool = False


@dataclass(frozen=True)
class Needed:
    """The evidence that a value and the edge of a wide gap need, in nats, on top of what classes say."""

    value: float = 0.0
    edge: float = 0.0


@dataclass(frozen=True)
class FoundGaps:
    """Values that are ruled out, and (low, high) of pairs of which one is before the other, with reasons."""

    values: dict[Value, Ruled] = field(default_factory=dict)
    wide: dict[Pair, tuple[int, int]] = field(default_factory=dict)
    wide_reasons: dict[Pair, Ruled] = field(default_factory=dict)

    def broken_values(self, labels: IntArray) -> list[Value]:
        """The values that some label has."""
        return [(i, j, v) for i, j, v in self.values if (labels[:, i] - labels[:, j] == v).any()]

    def broken_edges(self, labels: IntArray) -> list[Pair]:
        """The pairs that some label has nearer to each other."""
        apart = {pair: labels[:, pair[0]] - labels[:, pair[1]] for pair in self.wide}
        return [pair for pair, (low, high) in self.wide.items() if ((apart[pair] > low) & (apart[pair] < high)).any()]


@dataclass(frozen=True)
class GapJudge:
    """How sure a gap must be, after so many examples."""

    trials: float
    confidence: float
    needed: Needed

    def ruled_out(
        self, strengths: FloatArray, exceptions: IntArray, seen: FloatArray, families: int = 1
    ) -> list[Ruled | None]:
        """Judge one class of values: the reason for each that is ruled out, None for the others.

        Parameters
        ----------
        strengths
            How often each value was to be expected.
        exceptions
            How many examples have it.
        seen
            How often other values of the class were to be expected, which examples do have.
        families
            The number of classes that were tried.
        """
        never: BoolArray = exceptions == 0
        expected = strengths[never]
        judged = beliefs(expected, seen, families)
        sure = judged.sure(self.confidence) & (expected >= self.needed.value)
        near = NearRules.of(expected, strengths[~never], exceptions[~never].astype(float))
        odds = judged.odds + near.odds(expected) + soft_odds("pair", self.trials, int(sure.sum()))
        doubt = odds / (1 + odds)
        reasons: list[Ruled | None] = [None] * len(strengths)
        for k, place in enumerate(np.flatnonzero(never).tolist()):
            if sure[k] and doubt[k] <= 1 - self.confidence:
                reasons[place] = Ruled(float(expected[k]), max(0.0, float(judged.price[k])), float(doubt[k]))
        return reasons


def find_gaps(labels: IntArray, trials: float, weight: float, confidence: float, needed: Needed) -> FoundGaps:
    """Find the gaps between the columns of distinct labels (n × d).

    A label counts as `weight` of one, and `trials` examples had the chance to break a soft version of a gap.
    """
    counted = differences(labels, SLOPES)
    judge = GapJudge(trials, confidence, needed)
    values: dict[Value, Ruled] = {}
    for holes, seen, families in _classes(counted):
        reasons = judge.ruled_out(weight * holes.expected, holes.exceptions, weight * seen, families)
        _add_surer(values, holes, reasons)
    for slope in SLOPES:
        _complete(values, slope, counted)
    wide, reasons_wide = _wide(counted, judge, weight)
    return FoundGaps(values, wide, reasons_wide)


def _classes(counted: Differences) -> list[tuple[Holes, FloatArray, int]]:
    """The classes of values that are judged together: holes, how often seen values were expected, families."""
    holes = counted.holes
    classes = [(holes, counted.seen, 1)]
    for slope in SLOPES:
        along = holes[holes.value == slope * (holes.second - holes.first)]
        classes.append((along, counted.seen_along[slope], 1 if slope == 0 else len(SLOPES)))
    return classes


def _add_surer(values: dict[Value, Ruled], holes: Holes, reasons: list[Ruled | None]) -> None:
    """Add the values that are ruled out, unless another class rules them out with less doubt."""
    rows = zip(
        holes.first.tolist(), holes.second.tolist(), holes.value.tolist(), holes.narrow.tolist(), reasons, strict=True
    )
    for first, second, value, narrow, reason in rows:
        known = values.get((first, second, value))
        if reason is not None and (known is None or reason.doubt < known.doubt):
            values[first, second, value] = replace(reason, narrow=narrow)


def _complete(values: dict[Value, Ruled], slope: int, counted: Differences) -> None:
    """Rule out the value of a slope for all pairs, if no pair has it and at least half of them surely rule it out.

    The others are rarely that far apart, so they say little by themselves.
    """
    never = {(first, second, slope * (second - first)): chance for first, second, chance in counted.never_along[slope]}
    sure = [values[value] for value in never if value in values]
    if len(sure) < LEAST_SIBLINGS or 2 * len(sure) < len(never) or len(counted.seen_along[slope]):
        return
    doubt = max(1 / (1 + len(sure)) / SIBLING_TRUST, *(reason.doubt for reason in sure))
    for value, chance in never.items():
        values.setdefault(value, Ruled(chance, 0.0, doubt))


def _wide(
    counted: Differences, judge: GapJudge, weight: float
) -> tuple[dict[Pair, tuple[int, int]], dict[Pair, Ruled]]:
    """The pairs of which one is surely before the other, by how much at least, and why."""
    runs = counted.wide | counted.in_order
    cliffs = _cliffs(runs, log(max(1, 2 * counted.pairs)) - log(1 - judge.confidence), weight)
    sure = _apart(counted.wide, cliffs, counted, judge, weight)
    if sure:  # some pair has both orders; otherwise orders say everything that gaps would
        sure |= _apart(counted.in_order, cliffs, counted, judge, weight)
    edge = -log(1 - judge.confidence) + log(max(1, 2 * len(sure))) + judge.needed.edge
    claimed = Times({pair: runs[pair] for pair in sorted(sure)}, cliffs, edge / weight).gaps()
    return claimed, {pair: sure[pair] for pair in claimed}


def _cliffs(runs: dict[Pair, WideRun], least: float, weight: float) -> set[Order]:
    """The orders of tasks whose counts are surely high up to the edge of the run: the earlier task and the later."""
    counts = weight * np.array([[run.left.nearest, run.right.nearest] for run in runs.values()], float).reshape(-1, 3)
    is_cliff = (tail_nats(counts, least) >= least).reshape(-1, 2).tolist()
    cliffs = set()
    for (first, second), (left, right) in zip(runs, is_cliff, strict=True):
        cliffs |= {(first, second)} if left else set()
        cliffs |= {(second, first)} if right else set()
    return cliffs


def _apart(
    runs: dict[Pair, WideRun], cliffs: set[Order], counted: Differences, judge: GapJudge, weight: float
) -> dict[Pair, Ruled]:
    """The pairs whose runs are surely no luck and end at a cliff, and why."""
    strengths = np.array([weight * run.expected for run in runs.values()])
    seen = np.full(len(counted.seen_along[0]), np.inf)  # a run around 0 could be of any width, so all pairs are rivals
    reasons = judge.ruled_out(strengths, np.zeros(len(runs), np.int64), seen)
    return {
        (i, j): reason
        for (i, j), reason in zip(runs, reasons, strict=True)
        if reason and ((i, j) in cliffs or (j, i) in cliffs)
    }
