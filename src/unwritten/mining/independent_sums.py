"""Independent sums: how rows would be distributed if blocks of columns were drawn independently.

The members of an exactly-one rule are one block, of which one is drawn with the shares of the examples; every other
column is a block of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray, Variables
from unwritten.mining.miner import Context
from unwritten.mining.row_families import RowFamily
from unwritten.rules.exactly_one import exactly_one_rules


@dataclass(frozen=True, eq=False)
class IndependentSums:
    """The variables, the shares of the values of each column (from its least value up), and the blocks (d × b)."""

    variables: Variables
    least: IntArray
    shares: tuple[FloatArray, ...]
    blocks: Any

    @classmethod
    def of(cls, context: Context) -> IndependentSums:
        """Blocks are the exactly-one rules that are known or mined, as long as they share no column."""
        from scipy.sparse import csr_array

        labels, counts = context.tally.seen, context.tally.counts
        width = labels.shape[1]
        least = labels.min(axis=0)
        few = labels.max(axis=0) - least < budgets.CONVOLVED_REACH
        shares = tuple(
            np.bincount(column - low, counts) / counts.sum() if small else np.zeros(0)
            for column, low, small in zip(labels.T, least, few, strict=True)
        )
        rules = context.stated + context.mined.groups
        taken, blocks = np.zeros(width, bool), []
        for row in rules.matrix[exactly_one_rules(rules), :width]:
            if row.any() and not taken[row != 0].any():
                taken |= row != 0
                blocks.append(row)
        members = np.array(blocks, np.int64).reshape(-1, width).T
        return cls(context.variables, least, shares, csr_array(members))

    @cached_property
    def alone(self) -> BoolArray:
        """The columns that are in no block."""
        return np.asarray(self.blocks.sum(axis=1) == 0)

    @cached_property
    def block_members(self) -> list[IntArray]:
        """The columns of each block."""
        members = self.blocks.tocsc()
        return [np.sort(members.indices[a:b]) for a, b in zip(members.indptr[:-1], members.indptr[1:], strict=True)]

    @cached_property
    def binary(self) -> BoolArray:
        """The columns that are 0/1."""
        return self.variables.binary[: len(self.shares)]

    def ends(self, family: RowFamily) -> tuple[IntArray, IntArray]:
        """The least and the greatest value of each row that bounds and blocks allow."""
        width = len(self.shares)
        lower, upper = (side[:width] * self.alone for side in (self.variables.lower, self.variables.upper))
        plus, minus = family.rows.maximum(0), (-family.rows).maximum(0)
        low, high = plus @ lower - minus @ upper, plus @ upper - minus @ lower
        sizes = np.asarray(self.blocks.sum(axis=0)).ravel()
        inside = (family.rows @ self.blocks).tocsr()  # differences have no columns in blocks, so these are counts
        inside.eliminate_zeros()
        whole = inside.copy()
        whole.data = (inside.data == sizes[inside.indices]).astype(np.int64)
        return np.asarray(low + whole.sum(axis=1)), np.asarray(high + (inside > 0).sum(axis=1))

    def distributions(self, family: RowFamily, rows: IntArray) -> tuple[IntArray, FloatArray] | None:
        """For some rows, the least value, and the probability of each value from it up (k × values).

        None if there are too many values.
        """
        part = family.rows[rows]
        if self.binary[part.indices].all() and (part.data == 1).all():
            return np.zeros(len(rows), np.int64), self._of_counts(part)
        each_row = [self._of_row(*family.row(int(i))) for i in rows]
        if any(one is None for one in each_row):
            return None
        least = np.array([one[0] for one in each_row if one is not None], np.int64)
        table = np.zeros((len(rows), max(len(one[1]) for one in each_row if one is not None)))
        for line, one in zip(table, each_row, strict=True):
            if one is not None:
                line[: len(one[1])] = one[1]
        return least, table

    def _of_counts(self, rows: Any) -> FloatArray:
        """The distribution of the number of ones in each row of 0/1 columns, block by block, for all rows at once."""
        from scipy.sparse import csr_array, hstack

        ones = np.array([self.least[j] if len(share) < 2 else share[1] for j, share in enumerate(self.shares)])
        weighted = csr_array(rows * ones[None, :])
        units = hstack([weighted * self.alone[None, :], weighted @ self.blocks]).tocsr()
        units.eliminate_zeros()
        counts = np.diff(units.indptr)
        most = int(counts.max(initial=0))
        padded = np.zeros((len(counts), most))
        padded[np.arange(most) < counts[:, None]] = np.minimum(units.data, 1.0)
        table = np.zeros((len(counts), most + 1))
        table[:, 0] = 1.0
        for share in padded.T[:, :, None]:
            table[:, 1:] = table[:, 1:] * (1 - share) + table[:, :-1] * share
            table[:, :1] *= 1 - share
        return table

    def _of_row(self, columns: IntArray, values: IntArray) -> tuple[int, FloatArray] | None:
        spans = np.array([len(self.shares[j]) - 1 for j in columns])
        if (spans < 0).any() or int((np.abs(values) * spans).sum()) > budgets.CONVOLVED_REACH:
            return None
        least, total = 0, np.ones(1)
        for j, value in zip(columns.tolist(), values.tolist(), strict=True):
            reached = value * (self.least[j] + np.arange(len(self.shares[j])))
            low = int(reached.min())
            least, total = least + low, convolved(total, np.bincount(reached - low, self.shares[j]).astype(float))
        return least, total


def convolved(total: FloatArray, part: FloatArray) -> FloatArray:
    """The distribution of a sum of two, added value by value so that every CPU gives the same bits."""
    if len(part) > len(total):
        total, part = part, total
    result = np.zeros(len(total) + len(part) - 1)
    for k, share in enumerate(part):
        if share:
            result[k : k + len(total)] += share * total
    return result
