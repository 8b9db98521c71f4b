"""How often labels that rows were not fitted to break them: seen labels are left out in turn, and rows fitted again."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.several_rows import refined


def broken_shares(points: Points, rows: FloatArray, labels: IntArray) -> tuple[FloatArray, int]:
    """For each row, the share of left-out labels that break it, and how many labels were left out in all.

    `labels` are those of the examples, counted from the lower bounds. What an example alone claims is left out with
    its label.
    """
    seen, place = np.unique(np.concatenate([points.seen, labels]), axis=0, return_inverse=True)
    place = place.ravel()
    fold_of = np.random.default_rng(0).permutation(len(seen)) % budgets.LIMIT_FOLDS
    of_seen, of_example = fold_of[place[: len(points.seen)]], fold_of[place[len(points.seen) :]]
    claimed = np.where(points.claimed_by >= 0, of_example[points.claimed_by], -1)
    broken = np.zeros(len(rows))
    for fold in range(budgets.LIMIT_FOLDS):
        held_out = of_seen == fold
        rest = points.without(held_out, claimed == fold)
        if len(rest.seen) and len(rest.excluded):
            fitted = rest.centred(refined(rest, rows))
            broken += (points.bordered_seen[held_out] @ fitted.T > 0).sum(axis=0)
        else:
            broken += held_out.sum()
    return broken / len(points.seen), len(points.seen)
