"""Sums that nearly all examples obey: the examples that break one are probably wrong.

An equality between integers ("net + tax = gross") leaves the kernel with the first wrong example. A few examples drawn
at random are all right more often than not, and the kernel of such a draw has it; what nearly all examples then obey is
no accident of the draw.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray
from unwritten.errors import RangeError
from unwritten.mining.equalities import equalities
from unwritten.tally.tally import gram_of

LIKELY = 0.05  # the most examples that may be wrong where no share is given


def broken_sums(labels: IntArray, rate: float | None) -> BoolArray:
    """Which examples break an equality of the integer columns that all but this share obey.

    >>> labels = np.array([[k, k * k, k + k * k] for k in range(50)])
    >>> labels[7, 2] = 0
    >>> np.flatnonzero(broken_sums(labels, None))
    array([7])
    """
    n = len(labels)
    wrong = np.zeros(n, bool)
    wide = np.flatnonzero(((labels < 0) | (labels > 1)).any(axis=0))
    size = 2 * len(wide) + budgets.NOISY_SUM_SPARE
    if not 2 <= len(wide) <= budgets.NOISY_SUM_COLUMNS or n < 2 * size:
        return wrong
    numbers = labels[:, wide]
    bordered = np.column_stack([numbers, np.ones(n, np.int64)])
    most = LIKELY if rate is None else rate
    rng = np.random.default_rng(0)
    for _ in range(budgets.NOISY_SUM_DRAWS):
        drawn = numbers[rng.choice(n, size, replace=False)]
        try:
            rows = equalities(gram_of(drawn), np.zeros((0, len(wide) + 1), np.int64))
        except RangeError:  # an accident without a short form
            continue
        broken = linalg.exact_product(bordered, rows.T) != 0
        wrong |= broken[:, broken.mean(axis=0) <= most].any(axis=1)
    return wrong
