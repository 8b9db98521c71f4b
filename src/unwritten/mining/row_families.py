"""Families: rows of one form, which differ only in the place where they are applied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unwritten.data import IntArray


@dataclass(frozen=True, eq=False)
class RowFamily:
    """Rows (m × d, sparse integers) of one form, such as "the nights of a nurse", one for each nurse.

    If `pooled`, the rows are likely to have the same bound, so they are also believed together.
    """

    rows: Any
    pooled: bool = True

    @classmethod
    def of_sums(cls, scopes: Sequence[IntArray], width: int, pooled: bool = True) -> RowFamily:
        """The sums over scopes, which are lists of columns."""
        from scipy.sparse import csr_array

        starts = np.cumsum([0, *(len(scope) for scope in scopes)])
        columns = np.concatenate(scopes) if len(scopes) else np.zeros(0, np.int64)
        ones = np.ones(len(columns), np.int64)
        return cls(csr_array((ones, columns, starts), shape=(len(scopes), width)), pooled)

    @classmethod
    def of_differences(cls, more: IntArray, less: IntArray, width: int, pooled: bool = True) -> RowFamily:
        """The differences y[more] − y[less]."""
        return cls._of_two(more, less, -1, width, pooled)

    @classmethod
    def of_pairs(cls, one: IntArray, other: IntArray, width: int) -> RowFamily:
        """The sums y[one] + y[other], each believed on its own."""
        return cls._of_two(one, other, 1, width, False)

    @classmethod
    def _of_two(cls, one: IntArray, other: IntArray, sign: int, width: int, pooled: bool) -> RowFamily:
        from scipy.sparse import csr_array

        columns = np.column_stack([one, other]).ravel()
        values = np.tile(np.array([1, sign], np.int64), len(one))
        return cls(csr_array((values, columns, 2 * np.arange(len(one) + 1)), shape=(len(one), width)), pooled)

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    def parts(self, most: int) -> Iterator[RowFamily]:
        """The family in parts of at most so many rows; rows that are believed together stay together."""
        size = len(self) if self.pooled else max(1, most)
        for start in range(0, len(self), max(1, size)):
            yield self if size >= len(self) else RowFamily(self.rows[start : start + size], self.pooled)

    def disjoint(self, rows: IntArray) -> int:
        """About how many of these rows can be chosen without a common column."""
        columns = [self.row(int(i))[0] for i in rows]
        most = max(map(len, columns))
        return max(1, len(np.unique(np.concatenate(columns))) // most)

    def row(self, i: int) -> tuple[IntArray, IntArray]:
        """The columns and coefficients of one row."""
        part = slice(self.rows.indptr[i], self.rows.indptr[i + 1])
        return np.asarray(self.rows.indices[part], np.int64), np.asarray(self.rows.data[part])


def different(families: Iterable[RowFamily]) -> list[RowFamily]:
    """The families without those whose rows all came before."""
    seen: set[tuple[bytes, bytes]] = set()
    distinct = []
    for family in families:
        keys = {_key(*family.row(i)) for i in range(len(family))}
        if keys - seen:
            distinct.append(family)
        seen |= keys
    return distinct


def _key(columns: IntArray, values: IntArray) -> tuple[bytes, bytes]:
    order = np.argsort(columns, kind="stable")
    return columns[order].tobytes(), values[order].tobytes()
