"""What laws and families share: random choices for many labels at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from unwritten.data import BoolArray, FloatArray, IntArray

Draw = Callable[[int, Generator], IntArray]  # number of labels → labels


def as_ints(condition: Any) -> IntArray:
    """Turn true and false into 1 and 0."""
    return np.asarray(condition, np.int64)


def one_hot(values: IntArray, levels: int) -> IntArray:
    """Encode values 0 … levels−1 (n × k) as 0/1 columns (n × k·levels)."""
    return as_ints(values[:, :, None] == np.arange(levels)).reshape(len(values), -1)


def ranking(utility: FloatArray, n: int, rng: Generator) -> IntArray:
    """Draw orders of the columns in which those of greater utility tend to come first (n × d places)."""
    noise: FloatArray = rng.gumbel(size=(n, len(utility)))
    order: IntArray = np.argsort(-(utility + noise), axis=1)
    return order


def choice(utility: FloatArray, allowed: BoolArray, rng: Generator) -> IntArray:
    """Draw one allowed column for each row, with odds e^utility."""
    scores: FloatArray = np.where(allowed, utility + rng.gumbel(size=allowed.shape), -np.inf)
    picked: IntArray = scores.argmax(axis=1)
    return picked


def with_company(draw: Draw, columns: int, rng: Generator) -> Draw:
    """Add 0/1 columns that mostly follow a column of the label, with 1 to 10 % errors: no rule binds them."""
    some = draw(200, rng)
    source, error = rng.integers(0, some.shape[1], columns), rng.uniform(0.01, 0.1, columns)
    large = np.maximum(1, np.median(some[:, source], axis=0))

    def drawn(n: int, r: Generator) -> IntArray:
        labels = draw(n, r)
        company = (labels[:, source] >= large) ^ (r.random((n, columns)) < error)
        return np.column_stack([labels, as_ints(company)])

    return drawn
