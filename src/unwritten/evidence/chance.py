"""Chance: how likely a row holds on random labels, and what naming it costs (its description length), in nats.

A rule is believed if the evidence against chance, −n·ln P(holds), exceeds the price of naming this row among all rows
of its kind by a margin. By the union bound, some false rule of a kind passes with probability at most e^−margin.
"""

from __future__ import annotations

from math import lgamma, log

import numpy as np

from unwritten.data import IntArray
from unwritten.tally import Tally

MARGIN = 3.0  # nats by which evidence must exceed the price, unless a confidence says otherwise


def log_choose(n: float, k: float) -> float:
    """ln C(n, k)."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) if 0 <= k <= n else -np.inf


def exceeds(width: int, size: int, rank: int, totals: IntArray, counts: IntArray) -> float:
    """P(|S ∩ Y| > rank) for a set S of `size` of the `width` columns and a random 0/1 label Y of the same size as ours.

    `totals` are the numbers of ones that labels have, and `counts` says how many labels have each number.
    """
    chance = 0.0
    for total, count in zip(totals.tolist(), counts.tolist(), strict=True):
        whole = log_choose(width, total)
        terms = [
            np.exp(log_choose(size, k) + log_choose(width - size, total - k) - whole)
            for k in range(rank + 1, min(size, total) + 1)
        ]
        chance += count * float(sum(terms))
    return chance / float(counts.sum())


def price(row: IntArray, width: int) -> float:
    """What it costs to name a row, in nats: its columns, and its coefficients unless all are equal."""
    values = row[row != 0]
    equal = len(values) == 0 or bool((values == values[0]).all())
    largest = int(np.abs(values).max(initial=1))
    return log_choose(width, len(values)) + (0.0 if equal else len(values) * log(2 * largest))


def evidence(n: float, chance: float, cost: float) -> float:
    """The evidence in nats of n examples for a row that holds by chance with this probability, less its price."""
    return (np.inf if chance <= 0 else -n * log(chance)) - cost


def unseen(counts: IntArray) -> float:
    """The probability that the next label is new: the share of examples whose label was seen once (Good–Turing)."""
    return float((counts == 1).sum() / counts.sum())


def trials_and_price(tally: Tally, row: IntArray) -> tuple[int, float]:
    """The number of labels that could have broken `row`, and its description length in nats.

    Under symmetries a label counts once for every image that the row has, because each image is another row. A row that
    equals all its images is tested once by each given label, but there are few such rows, so its price is lower.
    """
    orbits = tally.symmetry
    if orbits is None:
        return tally.n, price(row, len(row))
    width = tally.seen.shape[1]
    if row[width:].any():  # a row over latent variables, which have no images
        return orbits.n, price(row, len(row))
    images = orbits.images_of(row[:width])
    if images > 1:
        return orbits.trials(images), price(row, width)
    first = orbits.representatives
    return orbits.n, price(row[first], len(first))
