"""Following labels: labels that resemble the one before, such as a roster that is copied from the week before.

If each label resembles the one before it, n labels are less evidence than n independent ones. For a series with
correlation ρ between neighbours, a mean is as sure as that of n·(1 − ρ)/(1 + ρ) independent values.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray

SLIGHT = 0.05
"""A correlation of neighbours up to this is ignored."""
JUMPS = 0.6
"""Share of the columns that change between random labels; sorted rows change at least this share of them at once."""
CLEAR = 2.0
"""Standard errors by which neighbours must be more alike than chance allows."""


def example_weight(labels: IntArray) -> float:
    """What one label counts as evidence: 1 if labels do not follow one another, less if they do.

    Only the first `budgets.FOLLOWING_LABELS` labels are examined. Tables are often sorted, and sorted rows are as good
    as shuffled ones: neighbours that are alike because the rows are grouped by a column, or by the whole label, do not
    count.

    >>> rng = np.random.default_rng(0)
    >>> example_weight(rng.integers(0, 2, (500, 8)))
    1.0
    >>> walk = np.cumsum(rng.integers(-1, 2, (500, 8)), axis=0) > 0  # each row is nearly the row before it
    >>> example_weight(walk.astype(int)) < 0.5
    True
    """
    first = labels[: budgets.FOLLOWING_LABELS]
    if len(first) < 3:
        return 1.0
    varying = first[:, (first != first[:1]).any(axis=0)]
    runs = varying[_starts(varying)]
    if len(runs) < len(varying) and _jump_share(runs) >= JUMPS:
        varying = runs  # rows that are grouped by labels: where the label changes, it changes like a random one
    if len(varying) < 3 or not varying.shape[1]:
        return 1.0
    residual = _within_groups(varying)
    spread = (residual**2).sum(axis=0)
    moving = spread > 1e-9 * len(varying)
    if not moving.any():
        return 1.0
    likeness = (residual[1:, moving] * residual[:-1, moving]).sum(axis=0) / spread[moving]
    correlation = float(np.median(np.sort(likeness))) - CLEAR / np.sqrt(len(varying))
    return 1.0 if correlation <= SLIGHT else float(f"{(1 - correlation) / (1 + correlation):.3g}")


def _jump_share(runs: IntArray) -> float:
    """How many columns change where many do (upper quartile of the changes), compared with two random labels."""
    if len(runs) < 2:
        return 1.0
    changed = float(np.percentile((runs[1:] != runs[:-1]).sum(axis=1), 75))
    shares = [np.unique(column, return_counts=True)[1] / len(runs) for column in runs.T]
    return changed / max(1e-12, sum(1 - float((share**2).sum()) for share in shares))


def _within_groups(labels: IntArray) -> FloatArray:
    """The labels less their column means, taken within the groups of rows that sorting has made, if any."""
    steps = np.diff(labels, axis=0)
    breaks = _grouping_breaks(labels, steps)
    while len(labels) >= 3 * (breaks.sum() + 1):
        inside = steps[~breaks]
        sorted_within = (inside >= 0).all(axis=0) | (inside <= 0).all(axis=0)
        moves = (inside != 0).any(axis=0)
        keys = np.flatnonzero(sorted_within & moves)
        if not len(keys):
            break
        breaks = breaks | (steps[:, keys[0]] != 0)
    group = np.concatenate([[0], np.cumsum(breaks)])
    counts = np.bincount(group).astype(float)
    means = np.stack([np.bincount(group, column) / counts for column in labels.T.astype(float)], axis=1)
    return np.asarray(labels - means[group])


def _grouping_breaks(labels: IntArray, steps: IntArray) -> BoolArray:
    """Where the column changes that the rows are grouped by; of several such columns, the one that changes most."""
    changes = (steps != 0).sum(axis=0)
    best = np.zeros(len(steps), bool)
    for j in np.flatnonzero((changes > 0) & (3 * (changes + 1) <= len(labels))):
        if changes[j] > best.sum() and len(np.unique(labels[:, j])) == changes[j] + 1:
            best = steps[:, j] != 0
    return best


def _starts(labels: IntArray) -> IntArray:
    """The places at which a label differs from the one before it; the first place is always one."""
    changed = (labels[1:] != labels[:-1]).any(axis=1)
    return np.flatnonzero(np.concatenate([[True], changed]))
