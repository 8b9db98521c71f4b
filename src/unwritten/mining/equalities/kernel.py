"""The kernel of [y, 1] as short integer rows (eq. 5).

Lemma 1: every equality that all labels obey follows from the returned rows, because the kernel is computed exactly.
Lemma 2: an equality mined from M labels fails on a fresh one with probability below 1/(e·M).
"""

from __future__ import annotations

import numpy as np

from unwritten import linalg
from unwritten.data import IntArray
from unwritten.errors import RangeError
from unwritten.mining.groups.cliques import exactly_one_groups
from unwritten.tally.equal_columns import first_equal_columns
from unwritten.warn import warn_user


def kernel_rows(gram: IntArray, known: IntArray, *, whole: bool = False, labels: IntArray | None = None) -> IntArray:
    """Rows `[a, −b]` that, together with the `known` ones, span the kernel of [y, 1].

    If some rows have no short form, a warning says so; if the `whole` kernel is wanted, a RangeError does. The labels,
    if given, make the search for short rows faster.

    Known rows are taken out first: each is solved for one of its variables (the last possible one, so that latent
    variables go before labels), and only the other columns are searched. Constant columns come next, then exactly-one
    groups; the rest is reduced to short rows.
    """
    width = gram.shape[0]
    solved = linalg.pivot_columns(known, [*range(width - 2, -1, -1), width - 1])
    constants = constant_columns(gram)
    constants = constants[~constants[:, solved].any(axis=1)]
    done = {*solved, *np.flatnonzero(constants[:, :-1].any(axis=0)).tolist()}
    remaining = np.array([j for j in range(width) if j not in done])
    small = None if labels is None else np.column_stack([labels, np.ones(len(labels), np.int64)])[:, remaining]
    basis = _readable_basis(gram[np.ix_(remaining, remaining)], whole, small)
    rows = np.zeros((len(basis), width), np.int64)
    rows[:, remaining] = basis
    return np.concatenate([constants, rows])


def _readable_basis(gram: IntArray, whole: bool, small: IntArray | None) -> IntArray:
    """A basis of the kernel, chosen from the exactly-one groups and the lattice-reduced rows, shortest first.

    If the groups alone span the kernel, no other row is needed. That test is exact: a rank modulo a prime is never
    above the true one, and a nullity never below.
    """
    nullity = len(gram) - linalg.rank_modulo(gram)
    if nullity == 0:
        return np.zeros((0, len(gram)), np.int64)
    rows = linalg.shortest_independent(exactly_one_groups(gram))
    groups = len(rows)
    if groups < nullity:
        try:
            short = linalg.short_kernel(gram, norm_columns=len(gram) - 1, small=small)
        except RangeError:
            if whole or not groups:
                raise
            warn_user(
                f"{nullity - groups} equalities beyond the {groups} exactly-one rules were left "
                "out, because they have no short form and look like accidents of too few examples: give more examples "
                "than variables"
            )
        else:
            rows = linalg.canonical(np.concatenate([short, rows]))
            rows = rows[linalg.independent(rows)]
    return linalg.canonical(linalg.pair_reduced(rows, norm_columns=len(gram) - 1))


def equal_columns(gram: IntArray) -> IntArray:
    """Rows y_i − y_j = 0, one for each column that equals an earlier one: Σ(y_i − y_j)² = 0, in exact integers."""
    varying = np.flatnonzero(~constant_columns(gram)[:, :-1].any(axis=0))
    first = first_equal_columns(gram, varying)
    copies = np.flatnonzero(first < np.arange(len(varying)))
    originals, copies = varying[first[copies]], varying[copies]
    rows = np.zeros((len(copies), len(gram)), np.int64)
    rows[np.arange(len(copies)), originals], rows[np.arange(len(copies)), copies] = 1, -1
    return rows


def constant_columns(gram: IntArray) -> IntArray:
    """Rows y_j − c = 0, one for each column with a single value: n·Σy² = (Σy)², in exact integers."""
    n, sums, squares = int(gram[-1, -1]), gram[-1, :-1].tolist(), np.diag(gram)[:-1].tolist()
    value = {j: s // n for j, (s, q) in enumerate(zip(sums, squares, strict=True)) if n * q == s * s}
    rows = np.zeros((len(value), len(gram)), np.int64)
    for row, (j, constant) in zip(rows, value.items(), strict=True):
        row[j], row[-1] = 1, -constant
    return rows
