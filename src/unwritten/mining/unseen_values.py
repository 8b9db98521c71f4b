"""Unseen values: how likely a column that never changes has a rare value that no example shows.

The columns that do change show how rare values are in these labels. If c examples have the rarest value of a column, as
many other examples show it nowhere with a probability of about 2^−c (c is itself a matter of luck). So Σ 2^−c columns
like these are expected among the constant ones. Besides, a constant column may be as rare as `evidence.doubt` fears;
the more columns change, and are not that rare, the less likely this is. Also, "always 0" may be a soft rule, as any
other, which one label in a hundred breaks.
"""

from __future__ import annotations

import numpy as np

from unwritten.evidence.doubt import never_odds, soft_odds
from unwritten.mining.miner import Context


def unseen_odds(context: Context) -> float:
    """The odds that the value which a constant column never has is rare rather than ruled out."""
    tally = context.tally
    trials = tally.weight * tally.n
    always, soft = never_odds(trials), soft_odds("set", trials, 1)
    seen, counts = tally.seen, tally.weight * tally.counts
    rarest = np.array([_rarest(column, counts) for column in seen.T if (column != column[0]).any()])
    constants = max(1, seen.shape[1] - len(rarest))
    return float(min(always, always / (1 + len(rarest)) + np.exp2(-rarest).sum() / constants + soft))


def _rarest(column: np.ndarray, counts: np.ndarray) -> float:
    """How many examples have the rarest value of a column."""
    _, places = np.unique(column, return_inverse=True)
    return float(np.bincount(places.ravel(), counts).min())
