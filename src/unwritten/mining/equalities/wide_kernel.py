"""The kernel of wide labels, beyond the groups, constants and equal columns that are stated already."""

from __future__ import annotations

from math import lcm

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import IntArray
from unwritten.errors import RangeError
from unwritten.evidence import break_bound
from unwritten.mining.equalities.kernel import kernel_rows
from unwritten.rules import RuleSet
from unwritten.tally import Tally
from unwritten.tally.components import Components

LARGEST_JOINT_SIDE = 1_000  # largest right-hand side of the one equality that may join all blocks
TOO_FEW = "the examples are too few to rule out an accident"


def missing_equalities(tally: Tally, stated: RuleSet) -> int:
    """How many independent equalities hold on all examples beyond the stated rules, which may depend on each other."""
    return len(tally.gram) - linalg.rank_modulo(tally.gram) - linalg.rank_modulo(stated.rows)


def rest_of_kernel(tally: Tally, stated: RuleSet, confidence: float | None) -> tuple[IntArray, str | None]:
    """Short rows for the part of the kernel that the stated rules do not imply, and a note if rows are left out.

    Most often the stated rules imply the whole kernel. Ranks modulo a prime prove it, one block at a time; a block is a
    set of columns that occur together. If a confidence is given and the examples do not settle the rest at that
    confidence, no row is returned. A block with more than `budgets.BLOCK_ROWS_REDUCED` rows is left out, because making
    them short would take too long.
    """
    components = Components.of(tally)
    none = np.zeros((0, len(tally.gram)), np.int64)
    if max(map(len, components.columns)) > budgets.WIDE_RANK_COLUMNS:
        return none, (
            f"more than {budgets.WIDE_RANK_COLUMNS:,} columns that occur together are too many to search for all "
            "equalities, so only constants, equal columns and exactly-one groups were mined: mine fewer columns at a "
            "time to find others"
        )
    kernel = _Kernel(tally, components, stated.rows)
    missing = kernel.nullity - linalg.rank_modulo(stated.rows)
    if missing <= 0:
        return none, None
    if confidence is not None and break_bound(tally, tally.seen, confidence, components) > 1 - confidence:
        return none, unmined_note(missing, TOO_FEW, "give more examples")
    rows = kernel.rows()
    if len(components.columns) > 1:  # the blocks did not take into account stated rows that span several blocks
        stated_and_new = np.concatenate([stated.rows, rows])
        independent = linalg.independent(stated_and_new)
        rows = stated_and_new[independent[independent >= len(stated.rows)]]
    missing -= len(rows)
    if missing <= 0:
        return rows, None
    return rows, unmined_note(missing, "making them short would take too long", "mine fewer columns at a time")


def unmined_note(missing: int, reason: str, cure: str) -> str:
    """Say how many equalities were not mined, why, and what to do."""
    claim = "1 further equality holds" if missing == 1 else f"{missing} further equalities hold"
    return f"{claim} on all examples but {'was' if missing == 1 else 'were'} not mined, because {reason}: {cure}"


class _Kernel:
    """The equalities that hold on all examples, found in one block of columns at a time."""

    def __init__(self, tally: Tally, components: Components, stated: IntArray) -> None:
        self._tally, self._components = tally, components
        support = stated[:, :-1] != 0
        touched = [support[:, columns].any(axis=1) for columns in components.columns]
        in_one_block = np.sum(touched, axis=0) == 1
        self._stated = [stated[in_one_block & touches] for touches in touched]
        counts = np.zeros(len(components.columns) + 1, np.int64)
        np.add.at(counts, components.labels, tally.counts)  # labels of zeros only are in no block (−1)
        self._inhabited = [(k, n) for k, n in enumerate(counts[:-1].tolist()) if n]  # with the number of examples
        self._nullities = [self._nullity(k) for k in range(len(components.columns))]
        several, joined = len(self._inhabited) > 1, bool((stated[:, -1] != 0).any())
        self._joint = several and not joined and self._has_joint_equality()
        self.nullity = sum(self._nullities) + (several and (joined or self._joint))

    def rows(self) -> IntArray:
        """Short rows of the equalities that are not stated, for as many blocks as the budgets allow."""
        width, rows_of_blocks, total = len(self._tally.gram), [], 0
        for k, columns in enumerate(self._components.columns):
            stated = self._stated[k][:, [*columns, -1]]
            missing = self._nullities[k] - linalg.rank_modulo(stated)
            if 0 < missing <= budgets.BLOCK_ROWS_REDUCED and total + missing <= budgets.WIDE_ROWS_REDUCED:
                try:
                    rows_of_blocks.append(_over_all_columns(kernel_rows(self._gram(k), stated), columns, width))
                except RangeError:
                    continue
                total += missing
        joint = [self._joint_equality()] if self._joint else []
        return np.concatenate([np.zeros((0, width), np.int64), *rows_of_blocks, *joint])

    def _gram(self, k: int, n: int | None = None) -> IntArray:
        """The Gram matrix of a block, over all examples or over the `n` examples that have columns of the block."""
        if len(self._components.columns) == 1:
            return self._tally.gram
        places = [*self._components.columns[k], -1]
        gram = self._tally.gram[np.ix_(places, places)].astype(np.int64)
        gram[-1, -1] = gram[-1, -1] if n is None else n
        return gram

    def _nullity(self, k: int, n: int | None = None) -> int:
        columns = self._components.columns[k]
        if len(columns) == 1 and n is None and len(self._inhabited) > 1:
            # the column is 0 in examples of the other blocks, so it is constant only if it is always 0
            return int(self._tally.gram[columns[0], columns[0]] == 0)
        gram = self._gram(k, n)
        return len(gram) - linalg.rank_modulo(gram)

    def _has_joint_equality(self) -> bool:
        """True if some a·y = b with b ≠ 0 holds: then each block has such an equality, among its own examples."""
        if (self._components.labels < 0).any():
            return False
        return all(self._nullity(k, n) > self._nullities[k] for k, n in self._inhabited)

    def _joint_equality(self) -> IntArray:
        """The equality with b ≠ 0: the rows of all blocks, scaled to one right-hand side; empty if that is large."""
        chosen: list[tuple[int, IntArray]] = []
        none = np.zeros((0, len(self._tally.gram)), np.int64)
        for k, n in self._inhabited:
            try:
                rows = kernel_rows(self._gram(k, n), self._stated[k][:, [*self._components.columns[k], -1]])
            except RangeError:
                return none
            rows = rows[rows[:, -1] != 0]
            if not len(rows):
                return none
            best = rows[np.lexsort(((rows != 0).sum(axis=1), np.abs(rows[:, -1])))[:1]]
            chosen.append((k, best * -np.sign(best[:, -1:])))
        rhs = lcm(*(-int(row[0, -1]) for _, row in chosen))
        if rhs > LARGEST_JOINT_SIDE:
            return none
        joint = np.zeros((1, len(self._tally.gram)), np.int64)
        for k, row in chosen:
            joint[:, self._components.columns[k]] = row[:, :-1] * (rhs // -int(row[0, -1]))
        joint[:, -1] = -rhs
        return joint


def _over_all_columns(rows: IntArray, columns: IntArray, width: int) -> IntArray:
    """Extend rows over the columns of a block to rows over all columns, with zeros for the others."""
    wide = np.zeros((len(rows), width), np.int64)
    wide[:, columns], wide[:, -1] = rows[:, :-1], rows[:, -1]
    return wide
