"""Labels as sets of columns: whether they can be read as sets, and a sample to search on."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import IntArray
from unwritten.tally import Tally


def are_sets(tally: Tally) -> bool:
    """True if all labels are 0/1 and have at most `budgets.SET_COLUMNS` columns."""
    return tally.seen.shape[1] <= budgets.SET_COLUMNS and bool(((tally.seen == 0) | (tally.seen == 1)).all())


def sampled_sets(tally: Tally) -> IntArray:
    """At most `budgets.SET_EXAMPLES` random labels, repeated as often as they were seen, in random order."""
    counts, rng = np.maximum(1, tally.counts), np.random.default_rng(0)  # images under symmetries have count 0
    total = int(counts.sum())
    if total <= budgets.LISTED_EXAMPLES:
        chosen = rng.permutation(np.repeat(np.arange(len(counts)), counts))[: budgets.SET_EXAMPLES]
    else:
        places = rng.choice(total, budgets.SET_EXAMPLES, replace=False)
        chosen = np.searchsorted(np.cumsum(counts), places, side="right")
    return np.asarray(tally.seen[chosen], np.int64)


def examples_for_matroids(width: int) -> int:
    """How many weighted examples to keep for the matroid miner if the rest stay on disk or on a cluster.

    Matroids are not searched for above `budgets.SET_COLUMNS` columns; one example is kept because there must be one.
    """
    return budgets.SET_EXAMPLES if width <= budgets.SET_COLUMNS else 1
