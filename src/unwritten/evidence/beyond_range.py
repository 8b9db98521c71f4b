"""Beyond the range: what the examples say about values outside the range that was seen."""

from __future__ import annotations

from math import log

import numpy as np

from unwritten.data import BoolArray, IntArray, Variables

SURPRISING = 0.01  # a value that at most this share of labels holds is a surprise


def enforced_columns(variables: Variables, examples: int) -> BoolArray:
    """Which columns have bounds that a label must obey, as they were declared or are 0..1 by nature.

    If bounds were read off the examples, a column that showed only 0 and 1 is 0/1 by nature once another value would
    be a surprise: with 95 % confidence, for both ends of all columns at once, at most 1 % of labels hold one.
    """
    if variables.declared:
        return np.ones(len(variables), bool)
    enough = examples * SURPRISING >= log(2 * len(variables) / 0.05)
    return variables.binary & enough


def share_beyond(seen: IntArray, counts: IntArray, columns: BoolArray) -> float:
    """The expected share of new labels with a value beyond the range of the examples, in one of these columns.

    It is the share of examples that alone hold the largest or the least value of a column: without such an example, its
    value would be beyond the range of the others.

    >>> share_beyond(np.array([[0, 5], [1, 5], [2, 5], [9, 5]]), np.array([1, 3, 2, 1]), np.array([True, True]))
    0.2857142857142857
    """
    alone = np.zeros(len(seen), bool)
    for column in np.asarray(seen)[:, columns].T:
        for end in (column.min(), column.max()):
            at_end = column == end
            if counts[at_end].sum() == 1 and not at_end.all():
                alone |= at_end
    return float(counts[alone].sum() / counts.sum())
