"""Generated label paths of a class hierarchy with noisy scores, like those of hierarchical classification (HMC)."""

from __future__ import annotations

import numpy as np

from unwritten.data import FloatArray, IntArray

TOPS, MIDDLES, LEAVES = 9, 24, 63  # 96 classes on three levels


def paths(seed: int) -> IntArray:
    """Return the feasible labels (63 × 96): each leaf with its parent and grandparent."""
    rng = np.random.default_rng(seed)
    middle = np.concatenate([np.arange(MIDDLES), rng.integers(0, MIDDLES, LEAVES - MIDDLES)])
    top = np.concatenate([np.arange(TOPS), rng.integers(0, TOPS, MIDDLES - TOPS)])
    labels = np.zeros((LEAVES, TOPS + MIDDLES + LEAVES), np.int64)
    leaf = np.arange(LEAVES)
    labels[leaf, top[middle]] = 1
    labels[leaf, TOPS + middle] = 1
    labels[leaf, TOPS + MIDDLES + leaf] = 1
    return labels


def sample(n: int, seed: int, noise: float = 0.4) -> tuple[FloatArray, IntArray]:
    """Draw `n` labels with the scores of a weak classifier.

    The weights are the scores minus 0.5; the drawn label is not always optimal for them.
    """
    rng = np.random.default_rng(seed)
    labels = paths(seed=0)[rng.integers(0, LEAVES, n)]
    scores = labels + rng.normal(0.0, noise, labels.shape)
    return np.clip(scores, 0.0, 1.0) - 0.5, labels
