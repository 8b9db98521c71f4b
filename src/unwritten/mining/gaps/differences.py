"""Differences: what the labels say about the differences of all pairs of columns."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.mining.gaps.difference_counts import ColumnCounts
from unwritten.mining.gaps.holes import Holes, WideRun


@dataclass(frozen=True, eq=False)
class Differences:
    """What is known of the differences of all pairs of columns.

    `holes` are values that never or hardly ever occur. `seen` says how often each value that does occur was to be
    expected by the values beside it, and `seen_along` the same for the values s·(second − first) of each slope s.
    `never_along` has (first, second, how often by chance) of every pair that never has the value of a slope, though its
    columns could. `wide` are the runs of several values around 0 that never occur, and `in_order` those of pairs that
    always have the same order. `pairs` is the number of all pairs.
    """

    holes: Holes
    seen: FloatArray
    seen_along: dict[int, FloatArray]
    never_along: dict[int, list[tuple[int, int, float]]]
    wide: dict[tuple[int, int], WideRun]
    in_order: dict[tuple[int, int], WideRun]
    pairs: int


def differences(labels: IntArray, slopes: tuple[int, ...]) -> Differences:
    """Look at the differences of all pairs of columns of distinct labels (n × d).

    `slopes` are the numbers s for which s·(second − first) is looked at.
    """
    holes: list[Holes] = []
    seen: list[FloatArray] = [np.zeros(0)]
    seen_along: dict[int, list[float]] = defaultdict(list)
    never_along: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
    wide: dict[tuple[int, int], WideRun] = {}
    in_order: dict[tuple[int, int], WideRun] = {}
    columns = ColumnCounts(labels.astype(np.int64))
    for first in range(labels.shape[1] - 1):
        later = columns.against_later(first)
        seen.append(later.seen())
        for slope in slopes:
            seen_along[slope] += later.seen_along(slope)
            never_along[slope] += later.never_along(slope)
        for pair in later.pairs_with_holes():
            holes += pair.holes()
            run = pair.wide_run()
            if run is not None:
                wide[first, pair.second] = run
        for pair in later.pairs_in_order():
            run = pair.one_order()
            if run is not None:
                in_order[first, pair.second] = run
    return Differences(
        Holes.joined(holes),
        np.concatenate(seen),
        {slope: np.array(seen_along[slope]) for slope in slopes},
        {slope: never_along[slope] for slope in slopes},
        wide,
        in_order,
        labels.shape[1] * (labels.shape[1] - 1) // 2,
    )
