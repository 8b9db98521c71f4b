"""The kernel of wide labels, beyond the groups, constants and copies that are stated already."""

from __future__ import annotations

from math import lcm

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import IntArray
from unwritten.errors import RangeError
from unwritten.evidence.holdout import break_bound
from unwritten.mining.equalities import equalities
from unwritten.rules import RuleSet
from unwritten.tally.components import Together
from unwritten.tally.tally import Tally

LARGEST = 1_000  # right-hand side of the one equality that may join all blocks


def left_over(tally: Tally, stated: RuleSet) -> int:
    """How many equalities hold on all examples beyond those that are stated (which may repeat each other)."""
    return len(tally.gram) - linalg.rank_modulo(tally.gram) - linalg.rank_modulo(stated.rows)


def rest_of_kernel(tally: Tally, stated: RuleSet, confidence: float | None) -> tuple[IntArray, str | None]:
    """Short rows for what the stated rules leave of the kernel, or fewer and a note that says why.

    Most often nothing is left, and ranks modulo a prime of the blocks of columns that occur together prove it. What is
    left must be settled at the confidence, if there is one, and small: to make more rows of a block readable than
    `budgets.BLOCK_ROWS_REDUCED` would take too long.
    """
    parts = Together.of(tally)
    none = np.zeros((0, len(tally.gram)), np.int64)
    if max(map(len, parts.columns)) > budgets.WIDE_RANK_COLUMNS:
        return none, (
            f"with more than {budgets.WIDE_RANK_COLUMNS:,} columns that occur together, only constants, equal columns "
            "and exactly-one groups were sought among the equalities: mine fewer columns at a time to find others"
        )
    kernel = _Kernel(tally, parts, stated.rows)
    left = kernel.nullity - linalg.rank_modulo(stated.rows)
    if left <= 0:
        return none, None
    hold = "{} more equalities hold on all examples but"
    if confidence is not None and break_bound(tally, tally.seen, confidence, parts) > 1 - confidence:
        return none, f"{hold.format(left)} could be accidents of so few: more examples would tell"
    rows = kernel.rows()
    if len(parts.columns) > 1:  # rows that span blocks are known to none of them
        every = np.concatenate([stated.rows, rows])
        kept = linalg.independent(every)
        rows = every[kept[kept >= len(stated.rows)]]
    left -= len(rows)
    late = f"{hold.format(left)} cannot be made readable in good time, and were left out: mine fewer columns at a time"
    return rows, late if left > 0 else None


class _Kernel:
    """The equalities that hold on all examples, block by block."""

    def __init__(self, tally: Tally, parts: Together, stated: IntArray) -> None:
        self._tally, self._parts = tally, parts
        support = stated[:, :-1] != 0
        within = [support[:, columns].any(axis=1) for columns in parts.columns]
        single = np.sum(within, axis=0) == 1
        self._known = [stated[single & inside] for inside in within]
        counts = np.zeros(len(parts.columns) + 1, np.int64)
        np.add.at(counts, parts.labels, tally.counts)  # labels of zeros only are in no block, and come last
        self._inhabited = [(k, n) for k, n in enumerate(counts[:-1].tolist()) if n]  # with the number of examples
        self._sizes = [self._nullity(k) for k in range(len(parts.columns))]
        several, joined = len(self._inhabited) > 1, bool((stated[:, -1] != 0).any())
        self._joins = several and not joined and self._joinable()
        self.nullity = sum(self._sizes) + (several and (joined or self._joins))

    def rows(self) -> IntArray:
        """Short rows of what is not stated, of as many blocks as go in good time."""
        width, found, total = len(self._tally.gram), [], 0
        for k, columns in enumerate(self._parts.columns):
            known = self._known[k][:, [*columns, -1]]
            left = self._sizes[k] - linalg.rank_modulo(known)
            if 0 < left <= budgets.BLOCK_ROWS_REDUCED and total + left <= budgets.WIDE_ROWS_REDUCED:
                try:
                    found.append(_spread(equalities(self._gram(k), known), columns, width))
                except RangeError:
                    continue
                total += left
        return np.concatenate([np.zeros((0, width), np.int64), *found, *([self._joining()] if self._joins else [])])

    def _gram(self, k: int, n: int | None = None) -> IntArray:
        """The Gram matrix of a block, of all examples or of the `n` that are in it."""
        if len(self._parts.columns) == 1:
            return self._tally.gram
        places = [*self._parts.columns[k], -1]
        gram = self._tally.gram[np.ix_(places, places)].astype(np.int64)
        gram[-1, -1] = gram[-1, -1] if n is None else n
        return gram

    def _nullity(self, k: int, n: int | None = None) -> int:
        columns = self._parts.columns[k]
        if len(columns) == 1 and n is None and len(self._inhabited) > 1:
            return int(self._tally.gram[columns[0], columns[0]] == 0)  # there are examples in other blocks
        gram = self._gram(k, n)
        return len(gram) - linalg.rank_modulo(gram)

    def _joinable(self) -> bool:
        """Whether some a·y = b with b ≠ 0 holds: then it holds in each block, among the examples there."""
        if (self._parts.labels < 0).any():
            return False
        return all(self._nullity(k, n) > self._sizes[k] for k, n in self._inhabited)

    def _joining(self) -> IntArray:
        """That equality as one row, if it can be short: those of the blocks, brought to one right-hand side."""
        chosen: list[tuple[int, IntArray]] = []
        none = np.zeros((0, len(self._tally.gram)), np.int64)
        for k, n in self._inhabited:
            try:
                found = equalities(self._gram(k, n), self._known[k][:, [*self._parts.columns[k], -1]])
            except RangeError:
                return none
            found = found[found[:, -1] != 0]
            if not len(found):
                return none
            best = found[np.lexsort(((found != 0).sum(axis=1), np.abs(found[:, -1])))[:1]]
            chosen.append((k, best * -np.sign(best[:, -1:])))
        rhs = lcm(*(-int(row[0, -1]) for _, row in chosen))
        if rhs > LARGEST:
            return none
        out = np.zeros((1, len(self._tally.gram)), np.int64)
        for k, row in chosen:
            out[:, self._parts.columns[k]] = row[:, :-1] * (rhs // -int(row[0, -1]))
        out[:, -1] = -rhs
        return out


def _spread(rows: IntArray, columns: IntArray, width: int) -> IntArray:
    """Rows of a block over all columns."""
    wide = np.zeros((len(rows), width), np.int64)
    wide[:, columns], wide[:, -1] = rows[:, :-1], rows[:, -1]
    return wide
