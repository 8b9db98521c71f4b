"""Half-spaces `weights · y ≤ limits`, tested block by block wherever their weights are.

The weights are an array, a file that is mapped into memory, or rows in the partitions of a cluster. Rows in a cluster
have a method `map_blocks`, which runs a function on each partition where it is; indexing them, or making an array of
them, fetches rows.

Whether a label satisfies a row is decided by a sum of floats, which is rounded. That is safe: the limits hold a
tolerance of 2⁻³⁰ of the largest value that the row can take (`data.tolerance`), and a sum of d terms is wrong by at
most d · 2⁻⁵³ of that value: 2⁻⁴⁵ for 256 columns. A label that attains the value of a cut is therefore always inside,
and one that exceeds it by a real difference is always outside.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data.arrays import BoolArray, FloatArray, IntArray
from unwritten.data.label_entries import Entries, entries_of
from unwritten.data.products import values_of_label
from unwritten.native import kernels


def map_blocks(weights: FloatArray, run: Callable[..., Any], *aligned: FloatArray, width: int = 1) -> list[Any]:
    """Call `run(rows, …)` for each block of rows, with the same rows of the `aligned` arrays.

    `width` is the number of floats that `run` holds for each row; blocks are made small enough for the budget.
    """
    if not isinstance(weights, np.ndarray):
        results: list[Any] = weights.map_blocks(run, *aligned)
        return results
    step = max(1, budgets.CUT_BLOCK_ENTRIES // max(1, width))
    parts = [slice(start, start + step) for start in range(0, len(weights), step)]
    return [run(weights[part], *(array[part] for array in aligned)) for part in parts]


def number_per_row(weights: FloatArray, run: Callable[..., FloatArray], width: int = 1) -> FloatArray:
    """Join the results of `run(rows)`, which returns one number per row, over all blocks of rows."""
    return np.concatenate([np.zeros(0), *map_blocks(weights, run, width=width)])


def broken_rows(label: IntArray, weights: FloatArray, limits: FloatArray) -> IntArray:
    """The places of the rows that one label breaks, those with the largest excess first."""
    blocks = map_blocks(weights, partial(_excess, label=label), limits)
    starts = np.cumsum([0, *(size for size, _, _ in blocks)])[:-1]
    shifted = [places + start for (_, places, _), start in zip(blocks, starts, strict=True)]
    excess = np.concatenate([np.zeros(0), *(excess for _, _, excess in blocks)])
    return np.concatenate([np.zeros(0, np.int64), *shifted])[np.argsort(-excess, kind="stable")]


def within(labels: IntArray, weights: FloatArray, limits: FloatArray) -> BoolArray:
    """Which labels satisfy every row."""
    entries = entries_of(labels)
    if isinstance(weights, np.ndarray):
        return _within(weights, limits, entries)
    blocks = map_blocks(weights, partial(_within, entries=entries), limits)
    return np.logical_and.reduce(blocks, initial=True)


def in_memory(weights: FloatArray) -> bool:
    """True if a small set of rows can be read without scanning a file or asking a cluster."""
    return isinstance(weights, np.ndarray) and not isinstance(weights, np.memmap)


def _excess(weights: FloatArray, limits: FloatArray, label: IntArray) -> tuple[int, IntArray, FloatArray]:
    """The number of rows in a block, the places of the broken ones, and their excess in fixed-order sums."""
    places = np.flatnonzero(weights @ label.astype(np.float64) > limits)
    values = values_of_label(weights, places, label)
    return len(limits), places, values - limits[places]


def _within(weights: FloatArray, limits: FloatArray, entries: Entries) -> BoolArray:
    return kernels.labels_within(entries, np.ascontiguousarray(weights), np.ascontiguousarray(limits)).astype(bool)
