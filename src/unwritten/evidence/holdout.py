"""Hold-out: how often a future label would lie outside the affine hull of the examples and so break an equality."""

from __future__ import annotations

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray
from unwritten.tally import Tally, gram_of
from unwritten.tally.components import Components


def break_bound(
    tally: Tally, labels: IntArray, confidence: float = 0.95, components: Components | None = None
) -> float:
    """With this confidence, no larger share of future labels breaks any equality that all examples obey.

    The equalities of a random half of the examples are tested on the other half. The equalities of all examples are a
    part of these equalities, so they are broken no more often.

    Parameters
    ----------
    labels
        The distinct labels of the tally, followed by their latent variables if there are any.
    components
        Blocks of columns. If given, the equalities of each block are tested on the labels of that block. These imply
        the equalities of all columns, so the bound still holds.
    """
    from scipy.special import betaincinv

    n = int(tally.counts.sum())
    if n < 2:
        return 1.0
    half = _half(tally.counts, n)
    rest = tally.counts - half
    outside = _outside(half > 0, labels, components)
    broken, tested = tally.weight * float(rest[outside].sum()), tally.weight * float(rest.sum())
    return float(betaincinv(broken + 1, tested - broken, confidence)) if broken < tested else 1.0


def _half(counts: IntArray, n: int) -> IntArray:
    """How often each label is in a random half; if the examples are too many to draw exactly, each one flips a coin."""
    rng = np.random.default_rng(0)
    if n < budgets.HYPERGEOMETRIC_EXAMPLES:
        return np.asarray(rng.multivariate_hypergeometric(counts, n // 2, method="marginals"))
    return np.asarray(rng.binomial(counts, 0.5))


def _outside(basis: BoolArray, labels: IntArray, components: Components | None) -> BoolArray:
    """Which labels lie outside the affine hull of the `basis` labels, or of the basis labels in their block."""
    if components is None or len(components.columns) == 1:
        return off_hull(labels[basis], labels)
    outside = (components.labels < 0) & ~basis[components.labels < 0].any()
    for k, columns in enumerate(components.columns):
        inside = np.flatnonzero(components.labels == k)
        if len(inside):
            block = labels[np.ix_(inside, columns)].astype(np.int64)
            outside[inside] = off_hull(block[basis[inside]], block) if basis[inside].any() else True
    return outside


def off_hull(basis: IntArray, labels: IntArray) -> BoolArray:
    """Which labels lie outside the affine hull of the `basis` labels, tested by a random equality modulo a prime.

    A label outside is taken for a label inside with probability 2⁻³¹. A label inside is never taken for one outside.
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
    """The number of critical examples. An example is critical if one more equality would hold without it.

    Their share is an unbiased estimate of the probability that the next label breaks an equality. An example is
    critical if its coefficient is 0 in every linear relation between the rows [y, 1]. One random relation modulo a
    prime decides it; an example that is not critical is taken for critical with probability 2⁻³¹.
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
    """The residues modulo the prime of the probes; works for Python integers of any size too."""
    return np.asarray((array % linalg.PROBE_PRIME).astype(np.int64))
