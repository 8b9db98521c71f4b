"""Ones together: how often pairs of 0/1 columns would be 1 together if only other columns kept them from being 1.

Many pairs are never 1 together. Say that each of them excludes the other. Then a column is *free* in a label that has
none of the columns that it excludes: whether it is 1 there is its own choice. Let F labels have column b free, in S of
which it is 1, and let M more have column a, which alone of all columns keeps b from being free. If a did not exclude b,
the S ones would be spread over all F + M labels, and none of the M has one with probability C(F, S) / C(F + M, S). This
is Fisher's exact test. It sees more than n·P(a)·P(b), since it does not count labels in which b was impossible anyway.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray

MOST_NATS = 1e4


@dataclass(frozen=True, eq=False)
class OnesTogether:
    """For all pairs of columns, how many labels have both, and the nats by which a missing pair beats luck (d × d).

    For a pair that occurs, these are the nats that it would have if it never occurred.
    """

    together: IntArray
    nats: FloatArray

    @classmethod
    def of(cls, labels: IntArray, counts: IntArray, weight: float) -> OnesTogether:
        """Count 0/1 labels, each so many times; one label is worth `weight` examples."""
        ones = labels.astype(np.float64)  # floats multiply fast, and hold such counts exactly
        counted = ones * counts[:, None]
        together = counted.T @ ones
        absent = together == 0
        excluding = ones @ absent  # for each label and column, how many others exclude it
        free, free_but_for_one = (excluding == number for number in (0, 1))
        with_other = np.where(absent, counted.T @ free_but_for_one, counted.T @ free)
        all_free = counts @ free
        without = np.where(absent, all_free, all_free - with_other)
        chosen = np.broadcast_to((counted * free).sum(axis=0), without.shape)
        spread = _log_choose(without + with_other, chosen) - _log_choose(np.maximum(without, chosen), chosen)
        nats = np.where(chosen <= without, spread, MOST_NATS)
        both = np.minimum(nats, nats.T).clip(0, MOST_NATS) * weight
        return cls(np.rint(together).astype(np.int64), np.round(both, 9))


def _log_choose(n: FloatArray, k: FloatArray) -> FloatArray:
    from scipy.special import gammaln  # loaded when it is first needed

    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


def absent_pairs(counts: OnesTogether) -> tuple[IntArray, BoolArray]:
    """All pairs of columns (2 × p), and which of them no label has."""
    pairs = np.array(np.triu_indices(len(counts.together), 1), np.int64)
    return pairs, np.asarray(counts.together[pairs[0], pairs[1]] == 0)
