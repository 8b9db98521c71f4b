"""Hull: how settled the affine space of the labels is, which is what all equalities together rest on."""

from __future__ import annotations

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray
from unwritten.tally.components import Together
from unwritten.tally.tally import Tally, gram_of


def break_bound(tally: Tally, labels: IntArray, confidence: float = 0.95, parts: Together | None = None) -> float:
    """With this confidence, no larger share of future labels breaks any equality that all examples obey.

    The equalities of a random half are tested on the other half, which is fresh to them; those of all examples are
    among them, so they break no more often. (`labels` are the tally's distinct ones, with latents if there are any.)
    Where columns are in blocks, those of each block are tested on its labels: more equalities, so the bound holds.
    """
    from scipy.special import betaincinv

    n = int(tally.counts.sum())
    if n < 2:
        return 1.0
    first = _half(tally.counts, n)
    rest = tally.counts - first
    outside = _outside(first > 0, labels, parts)
    broken, tested = int(rest[outside].sum()), int(rest.sum())
    return float(betaincinv(broken + 1, tested - broken, confidence)) if broken < tested else 1.0


def _half(counts: IntArray, n: int) -> IntArray:
    """How many of each label are in a random half; past what NumPy draws exactly, each example by a coin of its own."""
    rng = np.random.default_rng(0)
    if n < budgets.HYPERGEOMETRIC_EXAMPLES:
        return np.asarray(rng.multivariate_hypergeometric(counts, n // 2, method="marginals"))
    return np.asarray(rng.binomial(counts, 0.5))


def _outside(basis: BoolArray, labels: IntArray, parts: Together | None) -> BoolArray:
    """Which labels lie outside the affine hull of some of them, or of those in their block."""
    if parts is None or len(parts.columns) == 1:
        return off_hull(labels[basis], labels)
    outside = (parts.labels < 0) & ~basis[parts.labels < 0].any()
    for k, columns in enumerate(parts.columns):
        inside = np.flatnonzero(parts.labels == k)
        if len(inside):
            mine = labels[np.ix_(inside, columns)].astype(np.int64)
            outside[inside] = off_hull(mine[basis[inside]], mine) if basis[inside].any() else True
    return outside


def off_hull(basis: IntArray, labels: IntArray) -> BoolArray:
    """Which labels lie outside the affine hull of others, seen by a random equality modulo a prime.

    It takes one outside for one inside with probability 1 in 2³¹, and never the other way round.
    """
    n, width = basis.shape
    few = (
        n < width and n * width > budgets.BLOCKED_RANK_ENTRIES
    )  # then the labels themselves are smaller than their Gram matrix
    rows = np.column_stack([basis, np.ones(n, np.int64)]) if few else gram_of(basis)
    residues = linalg.kernel_probe(rows, seed=0)
    if residues is None:
        return np.zeros(len(labels), bool)
    left = _modulo(linalg.exact_product(labels, residues[:-1, None])[:, 0]) + residues[-1]
    return np.asarray(left % linalg.PROBE_PRIME != 0)


def critical(tally: Tally, labels: IntArray) -> int:
    """How many examples the equalities hang on: without one of them there would be more.

    Their share is an unbiased estimate of the chance that the next label breaks an equality. An example is critical
    when it is 0 in every linear relation between the rows [y, 1]: one random relation modulo a prime shows it, and
    takes another for critical with probability 1 in 2³¹.
    """
    once = tally.counts == 1
    if not once.any():
        return 0
    bordered = np.column_stack([labels, np.ones(len(labels), np.int64)])
    mix = np.random.default_rng(0).integers(1, linalg.PROBE_PRIME, len(labels))
    mixed = _modulo(linalg.exact_product(bordered.T, mix[:, None]))
    probe = linalg.kernel_probe(np.column_stack([gram_of(labels), mixed]), seed=0)
    if probe is None:
        return 0
    relation = _modulo(linalg.exact_product(bordered, probe[:-1, None])[:, 0]) + _modulo(mix * probe[-1])
    return int((_modulo(relation)[once] == 0).sum())


def _modulo(array: linalg.Integers) -> IntArray:
    """The residues modulo the prime of probes, however large the integers."""
    return np.asarray((array % linalg.PROBE_PRIME).astype(np.int64))
