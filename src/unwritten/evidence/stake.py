"""At stake: the examples that differ from the others in the columns of a rule, and how much evidence they can give.

If all but k of n examples agree in these columns, a rule about them only says in which k examples they differ. There
are C(n, k) ways to choose these, so the examples cannot give more than ln C(n, k) nats of evidence for the rule.
"""

from __future__ import annotations

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.evidence.chance import log_choose
from unwritten.tally import Tally


def most_nats(tally: Tally, labels: IntArray, rows: IntArray) -> FloatArray:
    """The most nats that the examples can give each row as evidence; `labels` are the distinct labels of the tally."""
    n = int(tally.counts.sum())
    return np.array([log_choose(n, at_stake(tally.counts, labels[:, np.flatnonzero(row)])) for row in rows], float)


def at_stake(counts: IntArray, values: IntArray) -> int:
    """How many examples differ from the commonest row of `values`, of which each has its count.

    >>> at_stake(np.array([5, 1, 2]), np.array([[0, 0], [1, 1], [0, 0]]))
    1
    """
    _, places = np.unique(values, axis=0, return_inverse=True)
    return int(counts.sum() - np.bincount(places.ravel(), weights=counts).max())
