"""Hull: how settled the affine space of the labels is, which is what all equalities together rest on."""

from __future__ import annotations

import numpy as np

from tacit import linalg
from tacit.data import BoolArray, IntArray
from tacit.mining.tally import Tally, gram_of


def break_bound(tally: Tally, labels: IntArray, confidence: float = 0.95) -> float:
    """With this confidence, no larger share of future labels breaks any equality that all examples obey.

    The equalities of a random half are tested on the other half, which is fresh to them; those of all examples are
    among them, so they break no more often. (`labels` are the tally's distinct ones, with latents if there are any.)
    """
    from scipy.special import betaincinv

    n = int(tally.counts.sum())
    half = n // 2
    if half == 0:
        return 1.0
    first = np.random.default_rng(0).multivariate_hypergeometric(tally.counts, half, method="marginals")
    rest = tally.counts - first
    outside = off_hull(labels[first > 0], labels)
    broken, tested = int(rest[outside].sum()), n - half
    return float(betaincinv(broken + 1, tested - broken, confidence)) if broken < tested else 1.0


def off_hull(basis: IntArray, labels: IntArray) -> BoolArray:
    """Which labels lie outside the affine hull of others, seen by a random equality modulo a prime.

    It takes one outside for one inside with probability 1 in 2³¹, and never the other way round.
    """
    residues = linalg.kernel_probe(gram_of(basis), seed=0)
    if residues is None:
        return np.zeros(len(labels), bool)
    left = linalg.product(labels, residues[:-1, None])[:, 0] + residues[-1]
    return np.asarray(left % linalg.PROBE_PRIME != 0)


def critical(tally: Tally, labels: IntArray) -> int:
    """How many examples the equalities hang on: without one of them there would be more.

    Their share is an unbiased estimate of the chance that the next label breaks an equality. An example is critical
    when its leverage, the diagonal of the hat matrix of [y, 1], is 1.
    """
    once = tally.counts == 1
    if not once.any():
        return 0
    bordered = np.column_stack([labels, np.ones(len(labels))]).astype(np.float64)
    gram = gram_of(labels)
    values, vectors = np.linalg.eigh(gram.astype(np.float64))
    rank = linalg.rank_modulo(gram)
    scaled = vectors[:, -rank:] / np.sqrt(np.maximum(values[-rank:], 1e-12))
    leverage = ((bordered[once] @ scaled) ** 2).sum(axis=1)
    return int((leverage > 1 - 1e-6).sum())
