"""How often labels that rows were not fitted to break them: seen labels are left out in turn, and rows fitted again."""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.limits.explanation import points_left
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.several_rows import refined
from unwritten.mining.limits.simple_rows import simplest_row


def broken_shares(points: Points, simple: IntArray, wide: IntArray, labels: IntArray) -> tuple[FloatArray, int]:
    """For each row, first the simple ones, the share of left-out labels that break it, and how many were left out.

    `labels` are those of the examples, counted from the lower bounds. What an example alone claims is left out with
    its label.
    """
    seen, place = np.unique(np.concatenate([points.seen, labels]), axis=0, return_inverse=True)
    place = place.ravel()
    fold_of = np.random.default_rng(0).permutation(len(seen)) % budgets.LIMIT_FOLDS
    of_seen, of_example = fold_of[place[: len(points.seen)]], fold_of[place[len(points.seen) :]]
    claimed = np.where(points.claimed_by >= 0, of_example[points.claimed_by], -1)
    broken = np.zeros(len(simple) + len(wide))
    for fold in range(budgets.LIMIT_FOLDS):
        held_out = of_seen == fold
        rest = points.without(held_out, claimed == fold)
        if len(rest.seen) and len(rest.excluded):
            broken += _broken_again(rest, simple, wide, points.seen[held_out])
        else:
            broken += held_out.sum()
    return broken / len(points.seen), len(points.seen)


def _broken_again(points: Points, simple: IntArray, wide: IntArray, held_out: IntArray) -> FloatArray:
    """How many of the labels that were left out break each row, once it is found again without them."""
    every = np.concatenate([simple, wide])
    excludes = points.excluded @ every[:, :-1].T > every[:, -1]
    alone = excludes & (excludes.sum(axis=1) == 1)[:, None]
    counts = [_broken_by_simplest(points, alone[:, k], held_out) for k in range(len(simple))]
    left = points_left(points, simple)
    if len(wide) and len(left.excluded):
        fitted = left.centred(refined(left, wide.astype(np.float64)))
        counts += list((held_out @ fitted[:, :-1].T > fitted[:, -1]).sum(axis=0))
    else:
        counts += [0] * len(wide)
    return np.array(counts, np.float64)


def _broken_by_simplest(points: Points, only: BoolArray, held_out: IntArray) -> int:
    """How many left-out labels break the simplest row for the first label that only one row excludes."""
    row = simplest_row(points, points.excluded[only.argmax()]) if only.any() else None
    return 0 if row is None else int((held_out @ row[:-1] > row[-1]).sum())
