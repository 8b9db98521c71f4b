"""Equalities between few columns, in labels whose whole kernel is too wide or has no short form.

A column that is a sum of a few others is found by matching pursuit: take the column that explains most of what is left,
fit again, and stop if nothing is left. Floats only propose sets of columns; the kernel of a set is exact.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.errors import RangeError
from unwritten.mining.equalities.kernel import kernel_rows
from unwritten.tally import Tally

NOTHING_LEFT = 1e-9  # share of a column's variance below which a fit is taken to be exact
COLUMNS_PER_EXAMPLE = 1 / 3  # columns in an equality per example: with more, a fit may be an accident


def sparse_rows(tally: Tally, targets: IntArray) -> IntArray:
    """Rows `[a, −b]` of the equalities that matching pursuit finds, each over at most `budgets.PURSUED_COLUMNS`.

    `targets` are the columns that are to be explained by others; each equality is found from any of its columns.

    >>> numbers = np.random.default_rng(0).integers(0, 1000, (20, 40))
    >>> numbers[:, 7] = numbers[:, 2] + numbers[:, 5]
    >>> np.flatnonzero(sparse_rows(Tally.of(numbers), np.arange(40))[0])
    array([2, 5, 7])
    """
    n, width = len(tally.seen), len(tally.gram)
    most = min(budgets.PURSUED_COLUMNS, int(n * COLUMNS_PER_EXAMPLE))
    scaled, varying = _standardised(tally.seen)
    explained = np.flatnonzero(np.isin(varying, targets))
    explained = explained[: budgets.PURSUIT_WORK // max(1, most * scaled.size)]
    parts = [np.zeros((0, width), np.int64)]
    for members in sorted(_pursued(scaled, explained, most), key=lambda s: (len(s), s)):
        places = np.append(varying[list(members)], width - 1)
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


def _pursued(scaled: FloatArray, targets: IntArray, most: int) -> set[tuple[int, ...]]:
    """For each target that at most `most` other columns explain wholly, these columns and the target.

    All targets are pursued at once: `left` is what remains of each, and `basis` are directions at right angles that
    span the columns chosen for it.
    """
    sets: set[tuple[int, ...]] = set()
    left, used = scaled[:, targets].T.copy(), np.zeros((len(targets), scaled.shape[1]), bool)
    used[np.arange(len(targets)), targets] = True
    chosen = np.zeros((len(targets), 0), np.int64)
    basis = np.zeros((len(targets), 0, len(scaled)))
    while len(targets) and chosen.shape[1] < most:
        # rounded, so that the last bits of a product do not decide between equal columns
        best = np.where(used, -1.0, np.round(np.abs(left @ scaled), 9)).argmax(axis=1)
        used[np.arange(len(targets)), best] = True
        direction = scaled[:, best].T
        for _ in range(2):  # twice, because of rounding
            direction = direction - np.einsum("tk,tkn->tn", np.einsum("tkn,tn->tk", basis, direction), basis)
        length = np.sqrt((direction * direction).sum(axis=1))
        independent = length > NOTHING_LEFT
        direction[independent] /= length[independent, None]
        direction[~independent] = 0.0
        left = left - (left * direction).sum(axis=1)[:, None] * direction
        chosen = np.column_stack([chosen, best])
        basis = np.concatenate([basis, direction[:, None]], axis=1)
        done = (left * left).sum(axis=1) <= NOTHING_LEFT
        sets |= {tuple(sorted((int(t), *map(int, c)))) for t, c in zip(targets[done], chosen[done], strict=True)}
        targets, left, used, chosen, basis = (part[~done] for part in (targets, left, used, chosen, basis))
    return sets
