"""Generated hierarchies: many labels, few rows, and several paths per label."""

from __future__ import annotations

import numpy as np

from unwritten.data import FloatArray, IntArray

FEATURES, NOISE = 60, 0.7


def forest_sample(rows: int, labels: int, seed: int, paths: int = 2) -> tuple[FloatArray, IntArray]:
    """Draw features and 0/1 labels: each row is one to `paths` paths from a root, of uneven popularity, to any label.

    Features are random directions of the labels that are 1, added up, with Gaussian noise.
    """
    rng = np.random.default_rng(seed)
    roots = max(3, labels // 40)
    parents = np.full(labels, -1)
    for j in range(roots, labels):
        parents[j] = rng.integers(0, j if rng.random() < 0.3 else max(roots, j // 2))
    popularity = rng.gamma(0.3, size=labels) + 1e-3
    popularity /= popularity.sum()
    drawn = np.zeros((rows, labels), np.int64)
    for row in drawn:
        for end in rng.choice(labels, int(rng.integers(1, paths + 1)), p=popularity):
            label = int(end)
            while label >= 0:
                row[label] = 1
                label = int(parents[label])
    directions = rng.normal(size=(labels, FEATURES)) / np.sqrt(3)
    return drawn @ directions + NOISE * rng.normal(size=(rows, FEATURES)), drawn
