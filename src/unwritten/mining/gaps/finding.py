"""Finding: the values that differences never take and that are surely ruled out, and the edges of wide gaps."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence.doubt import NearRules, soft_odds
from unwritten.mining.gaps.belief import beliefs
from unwritten.mining.gaps.cover import Value
from unwritten.mining.gaps.differences import Differences, Holes, differences
from unwritten.mining.gaps.edges import Pair, WideRun, claimed_edges

SLOPES = (0, 1, -1)  # all different, and the two diagonals
LEAST_SIBLINGS = 10  # pairs that surely rule out a value before others are thought to do so as well
SIBLING_TRUST = 10  # how much less likely one of many siblings is an exception than if each were drawn alone


@dataclass(frozen=True)
class Ruled:
    """Why a value is ruled out: how often it was to be expected, its price in nats, and the doubt that is left."""

    expected: float
    price: float
    doubt: float


@dataclass(frozen=True)
class Needed:
    """The evidence that a value and the edge of a wide gap need, in nats, on top of what classes say."""

    value: float = 0.0
    edge: float = 0.0


@dataclass(frozen=True)
class FoundGaps:
    """Values that are ruled out, and for pairs of columns that are apart (low, high), with what each rests on."""

    values: dict[Value, Ruled] = field(default_factory=dict)
    wide: dict[Pair, tuple[int, int]] = field(default_factory=dict)

    def broken_values(self, labels: IntArray) -> list[Value]:
        """The values that some label has."""
        return [(i, j, v) for i, j, v in self.values if (labels[:, i] - labels[:, j] == v).any()]

    def broken_edges(self, labels: IntArray) -> list[Pair]:
        """The pairs that some label has nearer to each other."""
        apart = {pair: labels[:, pair[0]] - labels[:, pair[1]] for pair in self.wide}
        return [pair for pair, (low, high) in self.wide.items() if ((apart[pair] > low) & (apart[pair] < high)).any()]


def find_gaps(labels: IntArray, counts: IntArray, weight: float, confidence: float, needed: Needed) -> FoundGaps:
    """Find the gaps between the columns of distinct labels (n × d); an example counts as `weight` of one."""
    found = differences(labels, counts, SLOPES)
    trials = weight * float(counts.sum())
    ruled: dict[Value, Ruled] = {}
    for holes, strengths, seen, families in _classes(found):
        _rule_out(ruled, holes, weight * strengths, weight * seen, families, trials, confidence, needed.value)
    for slope in SLOPES:
        _complete(ruled, slope, found)
    runs = _wide_runs(found.holes[found.holes.exceptions == 0], ruled, weight)
    edge = -log(1 - confidence) + log(max(1, 2 * len(runs))) + needed.edge
    return FoundGaps(ruled, claimed_edges(runs, edge))


def _classes(found: Differences) -> list[tuple[Holes, FloatArray, FloatArray, int]]:
    """The classes of values that are judged together: holes, how often expected, the same of seen values, families."""
    holes = found.holes
    apart = holes.second - holes.first
    classes = [(holes, holes.expected, found.seen, 1)]
    for slope in SLOPES:
        along = holes[holes.value == slope * apart]
        strengths = along.expected
        if slope == 0:  # the whole run around 0 speaks for it
            strengths = _run_totals(holes, along)
        classes.append((along, strengths, found.seen_along[slope], 1 if slope == 0 else len(SLOPES)))
    return classes


def _run_totals(holes: Holes, along: Holes) -> FloatArray:
    """How many examples were to be expected in the whole run of each hole."""
    never = holes[holes.exceptions == 0]
    keys = zip(never.first.tolist(), never.second.tolist(), never.start.tolist(), never.expected.tolist(), strict=True)
    totals: dict[tuple[int, int, int], float] = {}
    for first, second, start, expected in keys:
        totals[first, second, start] = totals.get((first, second, start), 0.0) + expected
    own = zip(along.first.tolist(), along.second.tolist(), along.start.tolist(), along.expected.tolist(), strict=True)
    return np.array([totals.get((first, second, start), expected) for first, second, start, expected in own])


def _rule_out(
    ruled: dict[Value, Ruled],
    holes: Holes,
    strengths: FloatArray,
    seen: FloatArray,
    families: int,
    trials: float,
    confidence: float,
    needed: float,
) -> None:
    """Add the values of one class that are ruled out; a value of several classes is in the one that doubts it least."""
    never: BoolArray = holes.exceptions == 0
    if not never.any():
        return
    expected = strengths[never]
    judged = beliefs(expected, seen, families)
    sure = judged.sure(confidence) & (expected >= needed)
    near = NearRules.of(expected, strengths[~never], holes.exceptions[~never].astype(float))
    doubt = judged.odds + near.odds(expected) + soft_odds("pair", trials, int(sure.sum()))
    doubt = doubt / (1 + doubt)
    chosen = np.flatnonzero(sure & (doubt <= 1 - confidence))
    places = np.flatnonzero(never)[chosen]
    for k, place in zip(chosen.tolist(), places.tolist(), strict=True):
        value = (int(holes.first[place]), int(holes.second[place]), int(holes.value[place]))
        reason = Ruled(float(expected[k]), max(0.0, float(judged.price[k])), float(doubt[k]))
        if value not in ruled or reason.doubt < ruled[value].doubt:
            ruled[value] = reason


def _complete(ruled: dict[Value, Ruled], slope: int, found: Differences) -> None:
    """Rule out the value of a slope for all pairs, if no pair has it and at least half of them surely rule it out.

    The others are rarely that far apart, so they say little by themselves.
    """
    never = {(first, second, slope * (second - first)): chance for first, second, chance in found.never_along[slope]}
    sure = [ruled[value] for value in never if value in ruled]
    if len(sure) < LEAST_SIBLINGS or 2 * len(sure) < len(never) or len(found.seen_along[slope]):
        return
    doubt = max(1 / (1 + len(sure)) / SIBLING_TRUST, *(reason.doubt for reason in sure))
    for value, chance in never.items():
        ruled.setdefault(value, Ruled(chance, 0.0, doubt))


def _wide_runs(never: Holes, ruled: dict[Value, Ruled], weight: float) -> dict[Pair, WideRun]:
    """The runs of several values around 0, which is ruled out."""
    central = never[(never.value == 0) & (never.width > 1)]
    rows = zip(
        *(getattr(central, name).tolist() for name in ("first", "second", "start", "end", "left", "right")), strict=True
    )
    return {
        (first, second): WideRun(start, end, weight * left, weight * right)
        for first, second, start, end, left, right in rows
        if (first, second, 0) in ruled
    }
