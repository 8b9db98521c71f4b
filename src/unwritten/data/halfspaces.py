"""Half-spaces `weights · y ≤ limits`, some rows at a time, wherever they are.

Weights are an array, a file that is mapped into memory, or rows that are far away, in the partitions of a cluster. Far
rows run functions where they are (`over_rows`); whoever asks for a few of them, or for all as an array, is given these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data.arrays import BoolArray, FloatArray, IntArray


def over_rows(weights: FloatArray, run: Callable[..., Any], *beside: FloatArray, width: int = 1) -> list[Any]:
    """`run(rows, …)` of some rows at a time and what is beside them; `width` results of each row are held at once."""
    if not isinstance(weights, np.ndarray):
        found: list[Any] = weights.over_rows(run, *beside)
        return found
    step = max(1, budgets.CUT_BLOCK_ENTRIES // max(1, width))
    parts = [slice(start, start + step) for start in range(0, len(weights), step)]
    return [run(weights[part], *(array[part] for array in beside)) for part in parts]


def by_row(weights: FloatArray, run: Callable[..., FloatArray], width: int = 1) -> FloatArray:
    """One number for each row."""
    return np.concatenate([np.zeros(0), *over_rows(weights, run, width=width)])


def values_at(weights: FloatArray, label: IntArray) -> FloatArray:
    """weights · label."""
    point = label.astype(np.float64)
    return weights @ point if isinstance(weights, np.ndarray) else by_row(weights, partial(_product, point=point))


def within(labels: IntArray, weights: FloatArray, limits: FloatArray) -> BoolArray:
    """Which labels satisfy every row."""
    if isinstance(weights, np.ndarray):
        return _within(weights, limits, labels)
    return np.logical_and.reduce(over_rows(weights, partial(_within, labels=labels), limits), initial=True)


def in_memory(weights: FloatArray) -> bool:
    """Whether any few rows are at hand at once."""
    return isinstance(weights, np.ndarray) and not isinstance(weights, np.memmap)


def _product(weights: FloatArray, point: FloatArray) -> FloatArray:
    return np.asarray(weights @ point)


def _within(weights: FloatArray, limits: FloatArray, labels: IntArray) -> BoolArray:
    """In stages: a few rows reject most labels, the others see only the rest."""
    alive = np.ones(len(labels), bool)
    start, stage = 0, budgets.CUT_STAGE_ROWS
    while start < len(limits) and alive.any():
        rows = slice(start, start + stage)
        alive[alive] = _satisfying(labels[alive], weights[rows], limits[rows])
        start, stage = start + stage, 4 * stage
    return alive


def _satisfying(labels: IntArray, weights: FloatArray, limits: FloatArray) -> BoolArray:
    kept = np.ones(len(labels), bool)
    step = max(1, budgets.CUT_BLOCK_ENTRIES // len(limits))
    for start in range(0, len(labels), step):
        block = labels[start : start + step].astype(np.float64)
        kept[start : start + step] = (block @ weights.T <= limits).all(axis=1)
    return kept
