"""Repeats: whether equal examples are decisions that were taken anew, or copies.

A copy says nothing new, so equal labels count once. If few labels are possible, though, the same one is chosen again
and again, and each choice is evidence. Pseudo-labels tell the two apart: if the examples are equal no more often than
those are, nothing was copied.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np

from unwritten.data import IntArray
from unwritten.mining.independent_sums import IndependentSums
from unwritten.mining.miner import Context
from unwritten.mining.pseudo_labels import Law

PSEUDO_LABELS = 4_000
ROUNDS = 12  # rounds of fitting the law, with two sweeps each: then pseudo-labels hardly depend on where they began
DEVIATIONS = 2.0  # standard deviations of luck by which examples may be equal more often than expected


def are_drawn_anew(context: Context, rows: IntArray) -> bool:
    """True if equal examples are as many as the rules and these rows `[a, b]` let expect.

    Every column must be able to change by itself, which is so if only pairs of columns exclude each other.
    """
    counts = context.all_examples.counts
    n = int(counts.sum())
    everything = replace(context, tally=context.all_examples)
    law = Law.of(everything, IndependentSums.of(everything))
    if not law.units or n < 2:
        return False
    _, drawn = replace(law, most=PSEUDO_LABELS).fitted(rows, ROUNDS)
    _, repeated = np.unique(drawn, axis=0, return_counts=True)
    expected = _equal_pairs(repeated) / _equal_pairs(np.array([len(drawn)])) * _equal_pairs(np.array([n]))
    return _equal_pairs(counts) <= expected + DEVIATIONS * sqrt(expected)


def _equal_pairs(counts: IntArray) -> float:
    """Pairs of equal labels, if there are so many of each."""
    return float((counts * (counts - 1)).sum()) / 2
