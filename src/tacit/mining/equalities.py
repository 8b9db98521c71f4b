"""Equalities: the affine space of the labels (eq. 5), as short integer rows.

Lemma 1: every equality that all labels obey is implied by what is returned, for the kernel is computed exactly.
Lemma 2: an equality that is mined from M labels fails on a fresh one with probability below 1/(e·M).
"""

from __future__ import annotations

from warnings import warn

import numpy as np

from tacit import linalg
from tacit.data import IntArray
from tacit.errors import RangeError, TacitWarning
from tacit.mining.cliques import exactly_one


def equalities(gram: IntArray, known: IntArray) -> IntArray:
    """Rows `[a, −b]` that, together with the `known` ones, span the kernel of [y, 1].

    Known rows are taken out first: each is solved for one of its variables (the last it can be, so that latent
    variables go before labels), and only the other columns are searched. Constant columns come out next, then
    exactly-one groups; what is left is reduced to short rows.
    """
    width = gram.shape[0]
    solved = linalg.pivot_columns(known, [*range(width - 2, -1, -1), width - 1])
    fixed, found = _constant_columns(gram)
    fixed = [j for j in fixed if j not in set(solved)]
    out = {*solved, *fixed}
    kept = np.array([j for j in range(width) if j not in out])
    basis = _readable_basis(gram[np.ix_(kept, kept)])
    mined = np.zeros((len(fixed) + len(basis), width), np.int64)
    for i, j in enumerate(fixed):
        mined[i, j], mined[i, -1] = 1, -found[j]
    mined[len(fixed) :, kept] = basis
    return mined


def _readable_basis(gram: IntArray) -> IntArray:
    """A basis of the kernel made of the shortest rows at hand: exactly-one groups and lattice-reduced rows.

    Where the groups alone span the kernel there is nothing to reduce. That test is exact: a rank modulo a prime is
    never above the true one, and a nullity never below.
    """
    groups = linalg.canonical(exactly_one(gram))
    basis = linalg.independent(groups, exact=False)
    nullity = len(gram) - linalg.rank_modulo(gram)
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
                TacitWarning,
                stacklevel=5,  # the line that called mine()
            )
        else:
            rows = linalg.canonical(np.concatenate([short, groups]))
            rows = rows[linalg.independent(rows)]
    return linalg.canonical(linalg.pair_reduced(rows, norm_columns=len(gram) - 1))


def _constant_columns(gram: IntArray) -> tuple[list[int], dict[int, int]]:
    """The columns with one value: those with n·Σy² = (Σy)², in exact integers."""
    n, sums, squares = int(gram[-1, -1]), gram[-1, :-1].tolist(), np.diag(gram)[:-1].tolist()
    value = {j: s // n for j, (s, q) in enumerate(zip(sums, squares, strict=True)) if n * q == s * s}
    return list(value), value
