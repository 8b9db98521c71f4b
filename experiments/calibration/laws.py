"""Laws that have no rule: ways to draw labels in which every rule that a model states is false.

A law is drawn first (its shares, correlations and groups), then labels are drawn from it: the training labels, and as
many fresh ones as are needed to see how often a stated rule breaks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from experiments.calibration.draws import Draw
from unwritten.data import IntArray

Law = Callable[[int, Generator], Draw]  # number of columns → one law of this kind


def independent(d: int, rng: Generator) -> Draw:
    """Independent 0/1 columns with shares from 0.1 to 0.9."""
    share = rng.uniform(0.1, 0.9, d)
    return lambda n, r: _ones(r.random((n, d)) < share)


def imbalanced(d: int, rng: Generator) -> Draw:
    """Independent 0/1 columns, nearly all of them below 0.15 or above 0.85."""
    share = rng.beta(0.3, 0.3, d).clip(0.01, 0.99)
    return lambda n, r: _ones(r.random((n, d)) < share)


def integers(d: int, rng: Generator) -> Draw:
    """Independent integers with 3 to 12 values, whose shares differ."""
    shares = [rng.dirichlet(np.ones(rng.integers(3, 13))) for _ in range(d)]
    return lambda n, r: np.column_stack([r.choice(len(p), n, p=p) for p in shares]).astype(np.int64)


def zipf(d: int, rng: Generator) -> Draw:
    """Independent 0/1 columns; the share of column k falls as 1/k."""
    share = rng.permutation(0.6 / np.arange(1, d + 1) ** rng.uniform(0.5, 1.2))
    return lambda n, r: _ones(r.random((n, d)) < share)


def markov(d: int, rng: Generator) -> Draw:
    """A chain along the columns: each column is likely to equal the one before it."""
    stay, share = rng.uniform(0.7, 0.97), rng.uniform(0.2, 0.8)

    def draw(n: int, r: Generator) -> IntArray:
        labels = _ones(r.random((n, d)) < share)
        for j in range(1, d):
            labels[:, j] = np.where(r.random(n) < stay, labels[:, j - 1], labels[:, j])
        return labels

    return draw


def hierarchy(d: int, rng: Generator) -> Draw:
    """A tree of columns: a child is mostly 1 only if its parent is, with rare exceptions."""
    parent = np.array([-1, *(rng.integers(0, j) for j in range(1, d))])
    share, leak = rng.uniform(0.2, 0.9, d), rng.uniform(0.005, 0.05, d)

    def draw(n: int, r: Generator) -> IntArray:
        labels = _ones(r.random((n, d)) < share)
        for j in range(1, d):
            labels[:, j] = np.where(labels[:, parent[j]] == 1, labels[:, j], _ones(r.random(n) < leak[j]))
        return labels

    return draw


def rare_columns(d: int, rng: Generator) -> Draw:
    """Some columns are rarely 1, and then mostly together with another column."""
    share = np.where(rng.random(d) < 0.5, rng.uniform(0.005, 0.05, d), rng.uniform(0.2, 0.8, d))
    friend, tie = rng.integers(0, d, d), rng.uniform(0.5, 0.95, d)

    def draw(n: int, r: Generator) -> IntArray:
        labels = r.random((n, d)) < share
        for j in np.flatnonzero(share < 0.1):
            follows = r.random(n) < tie[j]
            labels[:, j] &= ~follows | labels[:, friend[j]]
        return _ones(labels)

    return draw


def mixture(d: int, rng: Generator) -> Draw:
    """Two to five kinds of labels, each with its own shares of independent columns."""
    return _mixture(d, rng, int(rng.integers(2, 6)), 0.5)


def sharp_mixture(d: int, rng: Generator) -> Draw:
    """Six to twelve kinds of labels; within a kind nearly every column is nearly sure."""
    return _mixture(d, rng, int(rng.integers(6, 13)), 0.15)


def copula(d: int, rng: Generator) -> Draw:
    """A Gaussian copula: thresholds of correlated normal variables with one to three common factors."""
    load = rng.normal(0, 1, (d, int(rng.integers(1, 4)))) * rng.uniform(0.5, 3)
    scale = np.sqrt((load**2).sum(axis=1) + 1)
    cut = rng.normal(0, 0.8, d)
    return lambda n, r: _ones((r.normal(size=(n, load.shape[1])) @ load.T + r.normal(size=(n, d))) / scale > cut)


def integer_copula(d: int, rng: Generator) -> Draw:
    """A Gaussian copula of small integers: rounded correlated normal variables."""
    load = rng.normal(0, 1, (d, int(rng.integers(1, 3)))) * rng.uniform(0.5, 2)
    return lambda n, r: np.rint(r.normal(size=(n, load.shape[1])) @ load.T + r.normal(size=(n, d)) * 0.6).astype(
        np.int64
    )


def correlated_blocks(d: int, rng: Generator) -> Draw:
    """Blocks of two to six columns that follow one hidden coin each, with errors."""
    block = np.repeat(np.arange(d), rng.integers(2, 7, d))[:d]
    follow, side = rng.uniform(0.8, 0.99, d), rng.integers(0, 2, d)
    share = rng.uniform(0.2, 0.8, d)

    def draw(n: int, r: Generator) -> IntArray:
        hidden = (r.random((n, d)) < share)[:, block] ^ (side == 1)
        return _ones(np.where(r.random((n, d)) < follow, hidden, r.random((n, d)) < 0.5))

    return draw


def near_duplicates(d: int, rng: Generator) -> Draw:
    """Half of the columns copy another column (or its opposite), with 0.5 to 4 % errors."""
    share = rng.uniform(0.1, 0.9, d)
    half = max(1, d // 2)
    source, flip = rng.integers(0, half, d), rng.integers(0, 2, d)
    error = rng.uniform(0.005, 0.04, d)

    def draw(n: int, r: Generator) -> IntArray:
        labels = _ones(r.random((n, d)) < share)
        copies = labels[:, source] ^ flip ^ (r.random((n, d)) < error)
        labels[:, half:] = copies[:, half:]
        return labels

    return draw


def soft_one_hot(d: int, rng: Generator) -> Draw:
    """Blocks of columns of which mostly exactly one is 1; 0.5 to 5 % of the labels have none or two."""
    size = int(rng.integers(3, 9))
    blocks = [np.arange(start, min(start + size, d)) for start in range(0, d, size)]
    shares = [rng.dirichlet(np.ones(len(block)) * 2) for block in blocks]
    error = rng.uniform(0.005, 0.05, len(blocks))

    def draw(n: int, r: Generator) -> IntArray:
        labels = np.zeros((n, d), np.int64)
        for block, share, wrong in zip(blocks, shares, error, strict=True):
            labels[np.arange(n), block[r.choice(len(block), n, p=share)]] = 1
            change = np.flatnonzero(r.random(n) < wrong)
            labels[change, block[r.integers(0, len(block), len(change))]] ^= 1
        return labels

    return draw


def soft_sums(d: int, rng: Generator) -> Draw:
    """Small integers in which every third column is mostly the sum of the two before it, with 0.5 to 5 % errors."""
    error = rng.uniform(0.005, 0.05, d)

    def draw(n: int, r: Generator) -> IntArray:
        labels = r.integers(0, 6, (n, d))
        for j in range(2, d, 3):
            off = np.where(r.random(n) < error[j], r.integers(-2, 3, n), 0)
            labels[:, j] = labels[:, j - 1] + labels[:, j - 2] + off
        return labels.astype(np.int64)

    return draw


def following_rows(d: int, rng: Generator) -> Draw:
    """Rows that follow one another: each row is the row before it with a few columns drawn anew."""
    share, change = rng.uniform(0.1, 0.9, d), rng.uniform(0.02, 0.3)

    def draw(n: int, r: Generator) -> IntArray:
        labels = _ones(r.random((n, d)) < share)
        kept = r.random((n, d)) >= change
        for i in range(1, n):
            labels[i] = np.where(kept[i], labels[i - 1], labels[i])
        return labels

    return draw


LAWS: dict[str, Law] = {
    "independent": independent, "imbalanced": imbalanced, "integers": integers, "Zipf": zipf,
    "Markov chains": markov, "hierarchies": hierarchy, "rare columns": rare_columns, "mixtures": mixture,
    "sharp mixtures": sharp_mixture, "Gaussian copulas": copula, "integer copulas": integer_copula,
    "correlated blocks": correlated_blocks, "near-duplicate columns": near_duplicates, "soft one-hot": soft_one_hot,
    "soft sums": soft_sums, "rows that follow one another": following_rows,
}  # fmt: skip
DEPENDENT_ROWS = ("rows that follow one another",)


def _mixture(d: int, rng: Generator, kinds: int, spread: float) -> Draw:
    share = rng.beta(spread, spread, (kinds, d)).clip(0.01, 0.99)
    weight = rng.dirichlet(np.ones(kinds) * 2)
    return lambda n, r: _ones(r.random((n, d)) < share[r.choice(kinds, n, p=weight)])


def _ones(condition: Any) -> IntArray:
    return np.asarray(condition, np.int64)
