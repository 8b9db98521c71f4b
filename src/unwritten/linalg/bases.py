"""Readable bases: short rows without a common factor, in a canonical order and with canonical signs."""

from __future__ import annotations

from typing import Any

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.linalg.exact import Integers, product, to_flint, to_int64, to_numpy
from unwritten.linalg.modular import independent, outside_span


def short_basis(rows: Integers, norm_columns: int | None = None) -> IntArray:
    """Return a lattice-reduced basis of the space that the rows span, in canonical form.

    Lengths are measured on the first `norm_columns` columns (all by default), on which the rows must be independent.
    The lattice reduction (LLL) runs on the Gram matrix of the rows, which is far smaller than the rows themselves.
    """
    if len(rows) == 0:
        return np.zeros(rows.shape, np.int64)
    part = to_flint(rows[:, :norm_columns])
    _, transform = (part * part.transpose()).lll(transform=True, rep="gram")
    return canonical(product(to_numpy(transform), rows))


def pair_reduced(rows: IntArray, norm_columns: int, fixed: int = 0) -> IntArray:
    """Subtract multiples of single rows from other rows for as long as a row gets shorter; the space stays the same.

    Two exactly-one rows that differ in a few columns become one of them and their short difference. Lengths are
    measured on the first `norm_columns` columns, and the first `fixed` rows are not changed.
    """
    rows = rows.copy()
    part = rows[:, :norm_columns]
    gram = product(part, part.T).astype(np.float64)
    gain = _gain(gram, np.diag(gram))
    np.fill_diagonal(gain, 0.0)
    gain[:fixed] = 0.0
    for _ in range(10 * len(rows)):
        i, j = divmod(int(gain.argmax()), len(rows))
        if gain[i, j] <= 0:
            break
        times = round(gram[i, j] / gram[j, j])
        rows[i] = to_int64(rows[i].astype(object) - times * rows[j].astype(object))
        gram[i] = gram[:, i] = product(part, part[i][:, None])[:, 0]
        gain[i] = _gain(gram[i], np.diag(gram))
        gain[fixed:, i] = _gain(gram[fixed:, i], gram[i, i])
        gain[i, i] = 0.0
    return rows


def canonical(rows: IntArray) -> IntArray:
    """Return the rows without common factors, with mostly positive entries, those with fewest entries first."""
    factor = np.gcd.reduce(rows, axis=1)
    rows = rows // np.maximum(factor, 1)[:, None]
    body = rows[:, :-1]
    balance = (body > 0).sum(axis=1) - (body < 0).sum(axis=1)
    first = np.sign(rows[np.arange(len(rows)), (rows != 0).argmax(axis=1)])
    sign = np.where(balance != 0, np.sign(balance), np.where(rows[:, -1] != 0, -np.sign(rows[:, -1]), first))
    return _ordered(rows * sign[:, None])


def _gain(inner: FloatArray, norms: Any) -> FloatArray:
    """Return by how much the squared length of a row falls if the nearest multiple of another row is subtracted.

    Nothing is gained from a row of length 0, such as "0 = 1", the difference of two rows that contradict each other.
    """
    times = np.rint(inner / np.maximum(norms, 1))
    return np.asarray(times * (2 * inner - times * norms))


def shortest_independent(rows: IntArray) -> IntArray:
    """Return those rows in canonical form that are no combination of the ones before them, found modulo a prime.

    Rows that fewer entries span already are dropped before the others are put in order: mostly nearly all are.
    """
    sizes = (rows[:, :-1] != 0).sum(axis=1)
    chosen = rows[:0]
    for size in np.unique(sizes):
        part = rows[sizes == size]
        if len(part) and len(chosen):
            outside = outside_span(part, chosen)
            part = part if outside is None else part[outside]
        both = np.concatenate([chosen, canonical(part)])
        chosen = both[independent(both, exact=False)]
    return chosen


def _ordered(rows: IntArray) -> IntArray:
    """Return the rows by the number of their entries, the largest entry, the columns and the values, in this order."""
    supports = rows[:, :-1] != 0
    sizes, tops = supports.sum(axis=1), np.abs(rows).max(axis=1, initial=0)
    ordered = [rows[:0]]
    for size in np.unique(sizes):
        part = np.flatnonzero(sizes == size)
        columns = np.nonzero(supports[part])[1].reshape(len(part), size)
        values = np.take_along_axis(rows[part], columns, axis=1)
        keys = np.column_stack([tops[part], columns, values, rows[part, -1]])
        ordered.append(rows[part[np.lexsort(keys.T[::-1])]])
    return np.concatenate(ordered)
