"""Sums that nearly all examples obey: the examples that break one are probably wrong.

One wrong example removes an equality between integers ("net + tax = gross") from the kernel. But a small random draw of
examples is often free of wrong ones, and then its kernel has the equality. An equality that nearly all other examples
obey, too, is no accident of the draw.
"""

from __future__ import annotations

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray
from unwritten.errors import RangeError
from unwritten.mining.equalities.kernel import kernel_rows
from unwritten.tables import Schema
from unwritten.tally import gram_of

MOST_EQUAL = 0.75  # share of examples with the commonest value of a column, if its values have variables
LIKELY_SHARE = 0.05  # largest share of wrong examples, if the user gives no share


def unsearched_sums(labels: IntArray) -> str | None:
    """Say why no sums were searched for despite wrong examples; None if they were, or if there are no integers."""
    columns = int(((labels < 0) | (labels > 1)).any(axis=0).sum())
    if columns < 2:
        return None
    if columns > budgets.NOISY_SUM_COLUMNS:
        return (
            f"examples that break a sum were not searched for, because {columns} integer columns are more than "
            f"{budgets.NOISY_SUM_COLUMNS}: mine fewer columns at a time to find them"
        )
    least = 2 * _draw_size(columns)
    if len(labels) < least:
        return (
            f"examples that break a sum were not searched for, because {len(labels)} examples are too few for "
            f"{columns} integer columns: give at least {least}"
        )
    return None


def _draw_size(columns: int) -> int:
    """The number of examples in one draw."""
    return 2 * columns + budgets.NOISY_SUM_SPARE


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
    size = _draw_size(len(columns))
    if len(columns) < 2 or unsearched_sums(labels) is not None:
        return wrong
    numbers = labels[:, columns]
    bordered = np.column_stack([numbers, np.ones(n, np.int64)])
    largest_share = LIKELY_SHARE if rate is None else rate
    sums: dict[bytes, tuple[BoolArray, BoolArray]] = {}  # its columns, and which examples break it
    rng = np.random.default_rng(0)
    for _ in range(budgets.NOISY_SUM_DRAWS):
        drawn = numbers[rng.choice(n, size, replace=False)]
        try:
            rows = kernel_rows(gram_of(drawn), np.zeros((0, len(columns) + 1), np.int64))
        except RangeError:  # the kernel of this draw has no short rows, so it is an accident
            continue
        broken = linalg.exact_product(bordered, rows.T) != 0
        for k in np.flatnonzero(broken.mean(axis=0) <= largest_share):
            sums[rows[k].tobytes()] = rows[k, :-1] != 0, np.asarray(broken[:, k])
    for used, broken_by in sums.values():
        if not any(_says_more(other, used, broken_by) for other in sums.values()):
            wrong |= broken_by
    return wrong


def _says_more(other: tuple[BoolArray, BoolArray], used: BoolArray, broken: BoolArray) -> bool:
    """True if another sum has these columns and more, and fewer examples break it: then it is the true one.

    `seats = adults` has exceptions wherever there are children.
    """
    return bool((other[0] >= used).all() and (other[0] > used).any() and other[1].sum() < broken.sum())


def numbers_of(labels: IntArray, schema: Schema) -> IntArray | None:
    """Return the columns of a table that hold integers, with or without a variable per value; None without the latter.

    A column that nearly always has the same value is left out: its other values would look like errors.
    """
    columns, listed = [], False
    for column in schema.used:
        block = labels[:, schema.places[column.name]]
        if column.kind == "integer":
            columns.append(block[:, 0])
        elif column.one_hot and column.numbers is not None:
            values = block @ np.array(column.numbers, np.int64)
            if np.unique(values, return_counts=True)[1].max(initial=0) <= MOST_EQUAL * len(labels):
                columns.append(values)
                listed = True
    return np.column_stack(columns) if listed else None
