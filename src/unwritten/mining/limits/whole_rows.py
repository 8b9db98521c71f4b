"""The simplest integer rows that separate the same labels as rows of floats."""

from __future__ import annotations

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.mining.limits.points import Points

SIMPLE = 30  # largest coefficient of a row that is taken as it is
FINER = 4  # coefficients that are not simple get this many times the precision they need
FINEST = 1 << 16


def whole_rows(points: Points, rows: FloatArray) -> IntArray:
    """Integer rows `[a, b]` that keep every seen label, and exclude what the given rows exclude together.

    A row that integers cannot express within the limits is left out; so is one that excludes nothing alone.
    """
    excludes = (points.values(points.tightest(rows)) > 0).T
    integer_rows: list[IntArray] = []
    for k in range(len(rows)):
        others = np.zeros(len(points.excluded), bool)
        for row in integer_rows:
            others |= points.beyond(row[None])[0]
        others |= excludes[:, k + 1 :].any(axis=1)
        need = points.excluded[excludes[:, k] & ~others]
        whole = whole_row(rows[k], points.kept, need) if len(need) else None
        if whole is not None:
            integer_rows.append(whole)
    return np.array(integer_rows, np.int64).reshape(len(integer_rows), points.width + 1)


def whole_row(row: FloatArray, seen: IntArray, need: IntArray) -> IntArray | None:
    """The integer row with the smallest coefficients near a row of floats that keeps `seen` and excludes `need`."""
    simplest = _first(row, seen, need, _scales(1, FINEST))
    if simplest is None or np.abs(simplest[:-1]).max() <= SIMPLE:
        return simplest
    finer = _first(row, seen, need, _scales(FINER * int(np.abs(simplest[:-1]).max()), FINER * FINEST))
    return simplest if finer is None else finer


def _first(row: FloatArray, seen: IntArray, need: IntArray, scales: list[int]) -> IntArray | None:
    unit = row[:-1] / np.abs(row[:-1]).max(initial=1e-300)
    keep, leave = seen.astype(np.float64), need.astype(np.float64)  # floats hold all sums, and multiply faster
    for scale in scales:
        whole = np.rint(unit * scale).astype(np.int64)
        divisor = int(np.gcd.reduce(whole))
        if not divisor:
            continue
        whole //= divisor
        top, bottom = int((keep @ whole).max()), int((leave @ whole).min())
        if top < bottom:
            return np.append(whole, top + (bottom - 1 - top) // 2)
    return None


def _scales(first: int, last: int) -> list[int]:
    """Scales from the first to the last: each of the small ones, then in steps of a fifth."""
    scales = [first]
    while scales[-1] < last:
        scales.append(max(scales[-1] + 1, scales[-1] * 6 // 5 if scales[-1] > SIMPLE else 0))
    return scales
