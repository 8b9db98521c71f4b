"""Sums that nearly all examples obey: the examples that break one are probably wrong.

One wrong example removes an equality between integers ("net + tax = gross") from the kernel. But a small random draw
of examples is often free of wrong ones, and then its kernel has the equality. If nearly all examples obey it, it is not
an accident of the draw.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray
from unwritten.errors import RangeError
from unwritten.mining.equalities.kernel import kernel_rows
from unwritten.tally import gram_of

LIKELY_SHARE = 0.05  # largest share of wrong examples, if the user gives no share


def breaks_a_sum(labels: IntArray, rate: float | None) -> BoolArray:
    """Which examples break an equality between integer columns that all but a share `rate` of the examples obey.

    >>> labels = np.array([[k, k * k, k + k * k] for k in range(50)])
    >>> labels[7, 2] = 0
    >>> np.flatnonzero(breaks_a_sum(labels, None))
    array([7])
    """
    n = len(labels)
    wrong = np.zeros(n, bool)
    columns = np.flatnonzero(((labels < 0) | (labels > 1)).any(axis=0))
    size = 2 * len(columns) + budgets.NOISY_SUM_SPARE
    if not 2 <= len(columns) <= budgets.NOISY_SUM_COLUMNS or n < 2 * size:
        return wrong
    numbers = labels[:, columns]
    bordered = np.column_stack([numbers, np.ones(n, np.int64)])
    largest_share = LIKELY_SHARE if rate is None else rate
    rng = np.random.default_rng(0)
    for _ in range(budgets.NOISY_SUM_DRAWS):
        drawn = numbers[rng.choice(n, size, replace=False)]
        try:
            rows = kernel_rows(gram_of(drawn), np.zeros((0, len(columns) + 1), np.int64))
        except RangeError:  # the kernel of this draw has no short rows, so it is an accident
            continue
        broken = linalg.exact_product(bordered, rows.T) != 0
        wrong |= broken[:, broken.mean(axis=0) <= largest_share].any(axis=1)
    return wrong
