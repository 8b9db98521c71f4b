"""Rows found again without some of the labels: how often left-out labels break them, and whether rows change.

Seen labels are left out in turn, with what their examples alone claim.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.limits.explaining_rows import points_left
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.several_rows import refined
from unwritten.mining.limits.simple_rows import simplest_row
from unwritten.mining.limits.whole_rows import whole_rows


@dataclass(frozen=True, eq=False)
class LeftOutTrial:
    """For each row, the share of left-out labels that break it, and whether a wide row came back with other numbers."""

    broken: FloatArray
    changed: BoolArray


def left_out_trial(points: Points, simple: IntArray, wide: IntArray, labels: IntArray) -> LeftOutTrial:
    """Leave labels out in turn, and find the rows again: first the simple ones, then the wide ones.

    `labels` are those of the examples, counted from the lower bounds.
    """
    seen, place = np.unique(np.concatenate([points.seen, labels]), axis=0, return_inverse=True)
    place = place.ravel()
    fold_of = np.random.default_rng(0).permutation(len(seen)) % budgets.LIMIT_FOLDS
    of_seen, of_example = fold_of[place[: len(points.seen)]], fold_of[place[len(points.seen) :]]
    claimed = np.where(points.claimed_by >= 0, of_example[points.claimed_by], -1)
    broken, changed = np.zeros(len(simple) + len(wide)), np.zeros(len(simple) + len(wide), bool)
    for fold in range(budgets.LIMIT_FOLDS):
        held_out = of_seen == fold
        rest = points.without(held_out, claimed == fold)
        if not len(rest.seen) or not len(rest.excluded):
            broken += held_out.sum()
            changed[len(simple) :] = True
            continue
        broken[: len(simple)] += _broken_simple(rest, simple, wide, points.seen[held_out])
        left = points_left(rest, simple)
        if len(wide) and len(left.excluded):
            again = refined(left, wide.astype(np.float64))
            fitted = left.centred(again)
            broken[len(simple) :] += (points.seen[held_out] @ fitted[:, :-1].T > fitted[:, -1]).sum(axis=0)
            changed[len(simple) :] |= ~_among(wide, whole_rows(left, again))
    return LeftOutTrial(broken / len(points.seen), changed)


def _among(rows: IntArray, others: IntArray) -> BoolArray:
    """Which rows have the coefficients of one of the others; right-hand sides lie anywhere between the labels."""
    coefficients = {row[:-1].tobytes() for row in others}
    return np.array([row[:-1].tobytes() in coefficients for row in rows], bool)


def _broken_simple(points: Points, simple: IntArray, wide: IntArray, held_out: IntArray) -> IntArray:
    """How many of the labels that were left out break each simple row, once it is found again without them."""
    every = np.concatenate([simple, wide])
    excludes = points.beyond(every).T
    alone = excludes & (excludes.sum(axis=1) == 1)[:, None]
    return np.array([_broken_by_simplest(points, alone[:, k], held_out) for k in range(len(simple))], np.int64)


def _broken_by_simplest(points: Points, only: BoolArray, held_out: IntArray) -> int:
    """How many left-out labels break the simplest row for the first label that only one row excludes."""
    row = simplest_row(points, points.excluded[only.argmax()]) if only.any() else None
    return 0 if row is None else int((held_out @ row[:-1] > row[-1]).sum())
