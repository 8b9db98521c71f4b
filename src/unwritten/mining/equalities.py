"""Equalities: the affine space of the labels (eq. 5), as short integer rows.

Lemma 1: every equality that all labels obey is implied by what is returned, for the kernel is computed exactly.
Lemma 2: an equality that is mined from M labels fails on a fresh one with probability below 1/(e·M).
"""

from __future__ import annotations

from warnings import warn

import numpy as np

from unwritten import linalg
from unwritten.data import IntArray
from unwritten.errors import RangeError, UnwrittenWarning
from unwritten.mining.cliques import exactly_one
from unwritten.tally.equal_columns import first_twins


def equalities(gram: IntArray, known: IntArray) -> IntArray:
    """Rows `[a, −b]` that, together with the `known` ones, span the kernel of [y, 1].

    Known rows are taken out first: each is solved for one of its variables (the last it can be, so that latent
    variables go before labels), and only the other columns are searched. Constant columns come out next, then
    exactly-one groups; what is left is reduced to short rows.
    """
    width = gram.shape[0]
    solved = linalg.pivot_columns(known, [*range(width - 2, -1, -1), width - 1])
    fixed = constants(gram)
    fixed = fixed[~fixed[:, solved].any(axis=1)]
    out = {*solved, *np.flatnonzero(fixed[:, :-1].any(axis=0)).tolist()}
    kept = np.array([j for j in range(width) if j not in out])
    basis = _readable_basis(gram[np.ix_(kept, kept)])
    mined = np.zeros((len(basis), width), np.int64)
    mined[:, kept] = basis
    return np.concatenate([fixed, mined])


def _readable_basis(gram: IntArray) -> IntArray:
    """A basis of the kernel made of the shortest rows at hand: exactly-one groups and lattice-reduced rows.

    Where the groups alone span the kernel there is nothing to reduce. That test is exact: a rank modulo a prime is
    never above the true one, and a nullity never below.
    """
    nullity = len(gram) - linalg.rank_modulo(gram)
    if nullity == 0:
        return np.zeros((0, len(gram)), np.int64)
    groups = linalg.canonical(exactly_one(gram))
    basis = linalg.independent(groups, exact=False)
    rows = groups[basis]
    if len(basis) < nullity:
        try:
            short = linalg.short_kernel(gram, norm_columns=len(gram) - 1)
        except RangeError:
            if not len(basis):
                raise
            warn(
                f"{nullity - len(basis)} equalities beyond the {len(basis)} exactly-one rules have no short form: they "
                "look like accidents of too few examples and are left out; give more examples than variables",
                UnwrittenWarning,
                stacklevel=5,  # the line that called mine()
            )
        else:
            rows = linalg.canonical(np.concatenate([short, groups]))
            rows = rows[linalg.independent(rows)]
    return linalg.canonical(linalg.pair_reduced(rows, norm_columns=len(gram) - 1))


def copies(gram: IntArray) -> IntArray:
    """Rows `[a, 0]` of the columns that equal one before them: Σ(y_i − y_j)² = 0, in exact integers."""
    varying = np.flatnonzero(~constants(gram)[:, :-1].any(axis=0))
    first = first_twins(gram, varying)
    again = np.flatnonzero(first < np.arange(len(varying)))
    first, again = varying[first[again]], varying[again]
    rows = np.zeros((len(again), len(gram)), np.int64)
    rows[np.arange(len(again)), first], rows[np.arange(len(again)), again] = 1, -1
    return rows


def constants(gram: IntArray) -> IntArray:
    """Rows `[a, −b]` of the columns with one value: those with n·Σy² = (Σy)², in exact integers."""
    n, sums, squares = int(gram[-1, -1]), gram[-1, :-1].tolist(), np.diag(gram)[:-1].tolist()
    value = {j: s // n for j, (s, q) in enumerate(zip(sums, squares, strict=True)) if n * q == s * s}
    rows = np.zeros((len(value), len(gram)), np.int64)
    for row, (j, constant) in zip(rows, value.items(), strict=True):
        row[j], row[-1] = 1, -constant
    return rows
