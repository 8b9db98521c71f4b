"""Equalities between few columns, in labels whose whole kernel is too wide or has no short form.

A column that is a sum of a few others is found by matching pursuit: take the column that explains most of what is left,
fit again, and stop if nothing is left. Floats only propose sets of columns; the kernel of a set is exact.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.errors import RangeError
from unwritten.mining.equalities.kernel import kernel_rows
from unwritten.tally import Tally

NOTHING_LEFT = 1e-9  # share of a column's variance below which a fit is taken to be exact
COLUMNS_PER_EXAMPLE = 1 / 3  # columns in an equality per example: with more, a fit may be an accident


def sparse_rows(tally: Tally) -> IntArray:
    """Rows `[a, −b]` of the equalities that matching pursuit finds, each over at most `budgets.PURSUED_COLUMNS`.

    >>> numbers = np.random.default_rng(0).integers(0, 1000, (20, 40))
    >>> numbers[:, 7] = numbers[:, 2] + numbers[:, 5]
    >>> np.flatnonzero(sparse_rows(Tally.of(numbers))[0])
    array([2, 5, 7])
    """
    n, width = len(tally.seen), len(tally.gram)
    most = min(budgets.PURSUED_COLUMNS, int(n * COLUMNS_PER_EXAMPLE))
    scaled, varying = _standardised(tally.seen)
    targets = varying[: budgets.PURSUIT_WORK // max(1, most * scaled.size)]
    sets = {tuple(_pursued(scaled, j, most)) for j in range(len(targets))} - {()}
    parts = [np.zeros((0, width), np.int64)]
    for found in sorted(sets, key=lambda s: (len(s), s)):
        places = np.append(varying[list(found)], width - 1)
        try:
            rows = kernel_rows(tally.gram[np.ix_(places, places)], np.zeros((0, len(places)), np.int64), whole=True)
        except RangeError:  # a fit that only looked exact
            continue
        wide = np.zeros((len(rows), width), np.int64)
        wide[:, places] = rows
        parts.append(wide)
    return np.concatenate(parts)


def _standardised(labels: IntArray) -> tuple[FloatArray, IntArray]:
    """The varying columns with mean 0 and length 1, and their places."""
    varying = np.flatnonzero((labels != labels[0]).any(axis=0))
    centred = labels[:, varying] - labels[:, varying].mean(axis=0)
    return centred / np.sqrt((centred * centred).sum(axis=0)), varying


def _pursued(scaled: FloatArray, target: int, most: int) -> list[int]:
    """The target and the columns that explain it wholly, in ascending order; empty if more than `most` are needed."""
    used: BoolArray = np.zeros(scaled.shape[1], bool)
    used[target] = True
    chosen: list[int] = []
    left = scaled[:, target]
    while len(chosen) < most:
        # rounded, so that the last bits of a product do not decide between equal columns
        gain = np.round(np.abs(left @ scaled), 9)
        gain[used] = -1.0
        best = int(gain.argmax())
        if gain[best] <= 0:
            break
        used[best] = True
        chosen.append(best)
        fit, *_ = np.linalg.lstsq(scaled[:, chosen], scaled[:, target], rcond=None)
        left = scaled[:, target] - scaled[:, chosen] @ fit
        if float(left @ left) <= NOTHING_LEFT:
            return sorted([target, *(c for c, f in zip(chosen, fit, strict=True) if abs(f) > NOTHING_LEFT)])
    return []
