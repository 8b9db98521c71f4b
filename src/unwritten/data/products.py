"""Products of float weights and integer labels that have the same bits on every machine.

BLAS adds the terms of a product in an order that depends on the processor, on the number of threads and on the shape of
the block, and each order rounds differently. A value that is saved, or compared with `==`, therefore comes from here:
its terms are added from the first column to the last, one rounded multiplication and one rounded addition at a time,
which IEEE 754 defines to the last bit. A sum that is zero is always +0.0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets
from unwritten.data.arrays import BoolArray, FloatArray, IntArray
from unwritten.data.distinct import distinct
from unwritten.native import kernels

# Sizes of blocks. They keep a block in the processor's cache and cannot change a result.
SUM_ENTRIES = 1 << 16
TILE_ROWS = 1024
TILE_LABELS = 256
TILE_PAIRS = 4096
SEGMENT = 8

EPSILON = float(np.finfo(np.float64).eps)


def row_values(weights: FloatArray, labels: NDArray[Any]) -> FloatArray:
    """w_i · y_i for every row of `weights` (n × d) and the same row of `labels` (n × d).

    Examples
    --------
    >>> row_values(np.array([[0.5, 2.0], [1.0, -1.0]]), np.array([[1, 1], [0, 3]]))
    array([ 2.5, -3. ])
    """
    return _by_blocks(weights.shape, lambda rows: kernels.row_values(_floats(weights[rows]), _integers(labels[rows])))


def values_of_label(weights: FloatArray, rows: IntArray, label: IntArray) -> FloatArray:
    """w_i · y for the given rows i of `weights` (n × d) and one label y (d), without copying all these rows."""
    one = _integers(label[None])
    shape = len(rows), weights.shape[1]
    return _by_blocks(shape, lambda part: kernels.row_values(_floats(weights[rows[part]]), one))


def reach_values(weights: FloatArray, reach: IntArray) -> FloatArray:
    """|w_i| · reach: the largest absolute value of w_i · y over the labels with |y| ≤ reach."""
    return _by_blocks(weights.shape, lambda rows: kernels.reach_values(_floats(weights[rows]), _integers(reach)))


def box_values(weights: FloatArray, lower: IntArray, upper: IntArray) -> FloatArray:
    """The largest value of w_i · y over the labels with lower ≤ y ≤ upper."""
    low, high = _integers(lower), _integers(upper)
    return _by_blocks(weights.shape, lambda rows: kernels.box_values(_floats(weights[rows]), low, high))


def highest_values(weights: FloatArray, labels: IntArray, floor: FloatArray | None = None) -> FloatArray:
    """max_j w_i · y_j over all labels (m × d), for every row of `weights` (n × d); −∞ if there are no labels.

    With a `floor` (n), rows whose maximum is lower are given their floor instead, which saves work.

    The result is the largest of the sums that `row_values` gives, but only a few of these sums are computed. A matrix
    product finds the labels that can be the best of their row. Let S_i = Σ_c |w_ic| max_j |y_jc| and ε = 2⁻⁵². In
    whatever order d terms are added, with or without fused operations, the sum is within about d ε S_i / 2 of the true
    one. So the matrix product and the fixed-order sum of one label differ by at most about d ε S_i, and the label with
    the largest fixed-order sum has an entry in the matrix product at most about 2 d ε S_i below the largest entry of
    its row. All labels within 4 d ε S_i are compared by their fixed-order sums. They always include the best one, and
    further labels cannot raise a maximum: hence the result does not depend on how the matrix product rounds. (Products
    with integers do not lose bits to underflow, and `budgets.LARGEST_WEIGHT` excludes overflow.)
    """
    floor = np.full(len(weights), -np.inf) if floor is None else floor
    if not len(labels):
        return floor
    used = weights.any(axis=0) & labels.any(axis=0)
    if not used.any():
        return np.maximum(floor, 0.0)
    if not used.all():  # the other columns add only zeros, and without them many labels may be equal
        weights, labels = weights[:, used], distinct(labels[:, used], np.ones(len(labels), np.int64))[0]
    points = np.concatenate([labels, np.repeat(labels[-1:], -len(labels) % SEGMENT, axis=0)]).astype(np.float64)
    entries = np.ascontiguousarray(points.T).reshape(points.shape[1], -1, SEGMENT)
    sizes = reach_values(weights, np.abs(points).max(axis=0))
    highest = np.zeros(len(weights))
    step = max(1, min(TILE_ROWS, budgets.CUT_BLOCK_ENTRIES * SEGMENT // len(points)))
    for start in range(0, len(weights), step):
        rows = slice(start, start + step)
        columns = np.ascontiguousarray(weights[rows].T)
        highest[rows] = _highest(columns, _segment_tops(points, columns), entries, sizes[rows], floor[rows])
    return highest


def _segment_tops(points: FloatArray, columns: FloatArray) -> FloatArray:
    """The largest value within each segment of points (rows), for each column of weights, as BLAS rounds it."""
    tops = np.empty((len(points) // SEGMENT, columns.shape[1]))
    buffer = np.empty((min(TILE_LABELS, len(points)), columns.shape[1]))
    for start in range(0, len(points), TILE_LABELS):
        tile = points[start : start + TILE_LABELS]
        values = np.matmul(tile, columns, out=buffer[: len(tile)]).reshape(-1, SEGMENT, columns.shape[1])
        np.max(values, axis=1, out=tops[start // SEGMENT :][: len(values)])
    return tops


def _highest(
    columns: FloatArray, tops: FloatArray, entries: FloatArray, sizes: FloatArray, floor: FloatArray
) -> FloatArray:
    """The highest values of a block of weights, given as `columns` (d × n), from the tops of their segments.

    `entries` are those of the labels (d × segments × SEGMENT), `sizes` the S of `highest_values`.
    """
    highest: FloatArray = tops.max(axis=0)
    room = 4 * len(columns) * EPSILON * sizes
    in_doubt = (highest + room > floor) & ~_sums_exactly(columns, sizes)
    segments, rows = np.nonzero(tops >= np.where(in_doubt, highest - room, np.inf))
    highest[in_doubt] = -np.inf
    for start in range(0, len(rows), TILE_PAIRS):
        part = slice(start, start + TILE_PAIRS)
        np.maximum.at(highest, rows[part], _fixed_order_tops(columns, entries, segments[part], rows[part]))
    return np.maximum(highest + 0.0, floor)


def _fixed_order_tops(columns: FloatArray, entries: FloatArray, segments: IntArray, rows: IntArray) -> FloatArray:
    """The largest fixed-order sum within each of the given segments, for the column of weights at the same place."""
    sums, terms = np.zeros((2, len(rows), SEGMENT))
    for weights, entry in zip(columns, entries, strict=True):
        np.take(entry, segments, axis=0, out=terms, mode="clip")  # a mode other than "raise" needs no copy
        np.multiply(terms, weights[rows, None], out=terms)
        np.add(sums, terms, out=sums)
    return np.asarray(sums.max(axis=1))


def _sums_exactly(columns: FloatArray, sizes: FloatArray) -> BoolArray:
    """Which columns of weights have sums without rounding, in any order: whole numbers, and most floats of 32 bits.

    All weights of such a column are multiples of one power of two g, and no sum of its terms exceeds 2⁵² g.
    """
    scaled = np.ldexp(columns, 52 - np.frexp(sizes)[1])
    return np.asarray((scaled == np.rint(scaled)).all(axis=0))


def _by_blocks(shape: tuple[int, ...], sums: Callable[[slice], FloatArray]) -> FloatArray:
    """Join the sums of blocks of rows: weights and labels of other types or on disk are converted block by block."""
    step = max(1, SUM_ENTRIES // max(1, shape[1]))
    blocks = [sums(slice(start, start + step)) for start in range(0, shape[0], step)]
    return blocks[0] if len(blocks) == 1 else np.concatenate([np.zeros(0), *blocks])


def _floats(rows: NDArray[Any]) -> FloatArray:
    return np.ascontiguousarray(rows, np.float64)


def _integers(rows: NDArray[Any]) -> IntArray:
    return np.ascontiguousarray(rows, np.int64)
