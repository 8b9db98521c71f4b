"""Data and comparisons for the tests of streams."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from unwritten import Model
from unwritten.data import FloatArray, IntArray


def examples(n: int = 400, seed: int = 0) -> IntArray:
    """Labels with one of each kind of rule: a group, a sum, a pair, and a cover of three."""
    rng = np.random.default_rng(seed)
    group = np.eye(4, dtype=np.int64)[rng.integers(0, 4, n)]
    parts = rng.integers(0, 4, (n, 2))
    first = rng.integers(0, 2, n)
    second = first * rng.integers(0, 2, n)
    hit = rng.integers(1, 8, n)
    cover = (hit[:, None] >> np.arange(3)) & 1
    return np.column_stack([group, parts, parts.sum(axis=1), first, second, cover])


def sets(n: int = 6_000, seed: int = 0) -> IntArray:
    """0/1 labels with a group, a pair and a cover of three, and five columns without a rule: some 2,700 distinct."""
    free = np.random.default_rng(seed).integers(0, 2, (n, 5))
    return np.column_stack([examples(n, seed)[:, [0, 1, 2, 3, 7, 8, 9, 10, 11]], free])


def weighted(n: int = 300, d: int = 6, seed: int = 0) -> tuple[IntArray, FloatArray]:
    """Labels that are the best of those with two or three ones for their weights."""
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=(n, d))
    order = np.argsort(-weights, axis=1)
    labels = np.zeros((n, d), np.int64)
    third = np.take_along_axis(weights, order[:, 2:3], axis=1)[:, 0] > 0
    np.put_along_axis(labels, order[:, :2], 1, axis=1)
    labels[np.flatnonzero(third), order[third, 2]] = 1
    return labels, weights


def predicted(n: int, d: int, seed: int = 0) -> tuple[IntArray, FloatArray]:
    """Random labels, and weights that they are not optimal for, so that nearly every cut needs slack."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (n, d)), rng.normal(size=(n, d))


def saved(model: Model, folder: Path) -> bytes:
    """The bytes of the model's file."""
    path = folder / "model.rules"
    model.save(path)
    return path.read_bytes()


def odd_chunks(labels: IntArray, seed: int = 0) -> list[IntArray]:
    """The labels in blocks of odd sizes, some of them empty."""
    rng = np.random.default_rng(seed)
    return np.split(labels, np.sort(rng.integers(0, len(labels), 9)))
