"""Pseudo-labels: what labels would be if nothing tied their columns but the rules.

The members of an exactly-one rule are one unit, every other column is a unit of its own. Units are drawn independently,
and a draw that breaks a rule is not made (Metropolis and Hastings). The shares of the values are fitted so that the
pseudo-labels which obey the rules have the shares of the examples: among all laws with these shares, this is the one
with the largest entropy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.bounds.independent_sums import IndependentSums
from unwritten.mining.miner import Context
from unwritten.rules import Gaps

FITTING_STEP = 0.7  # of the way to the shares that would fit if units did not depend on each other
STUCK_LABELS = 1_000  # pseudo-labels that show whether labels can be left
COLD = 4  # times as many sweeps, if pseudo-labels start from seen labels
GRID = 2.0**30  # shares are rounded to it, so that every CPU draws the same


@dataclass(frozen=True, eq=False)
class Unit:
    """Columns that are drawn together, their values (v × columns), and the shares that the examples have."""

    columns: IntArray
    values: IntArray
    shares: FloatArray

    def places(self, labels: IntArray) -> IntArray:
        """For each label (a column of these), which of the values it has."""
        if len(self.columns) == 1:
            return np.asarray(labels[self.columns[0]] - self.values[0, 0])
        return np.asarray(labels[self.columns].argmax(axis=0))


@dataclass(frozen=True, eq=False)
class Law:
    """Units with the logarithms of their weights, and the rules as rows `[a, b]` that say a·y ≤ b.

    `most` is the number of pseudo-labels that are drawn at a time.
    """

    units: tuple[Unit, ...]
    weights: tuple[FloatArray, ...]
    seen: IntArray
    rules: IntArray
    gaps: Gaps
    most: int

    @classmethod
    def of(cls, context: Context, independent: IndependentSums) -> Law:
        """Independent units with the shares of the examples, under the rules so far."""
        seen, counts = context.tally.seen, context.tally.counts
        units = [
            Unit(block, np.eye(len(block), dtype=np.int64), _smoothed(counts @ seen[:, block], counts.sum()))
            for block in independent.block_members
        ]
        varies = (seen.min(axis=0) < seen.max(axis=0)) & independent.alone
        for j in np.flatnonzero(varies).tolist():
            low, high = int(seen[:, j].min()), int(seen[:, j].max())
            if high - low < budgets.CAPACITY_SPAN:
                shares = np.bincount(seen[:, j] - low, counts, high - low + 1)
                units.append(Unit(np.array([j]), np.arange(low, high + 1)[:, None], _smoothed(shares, counts.sum())))
        return cls(
            tuple(units),
            tuple(np.log(unit.shares) for unit in units),
            seen,
            _upper_rows(context, seen.shape[1]),
            Gaps(context.examples.variables, context.mined.gaps),
            budgets.CAPACITY_PSEUDO_LABELS,
        )

    def drawn(self, rows: IntArray, sweeps: int, seed: int, start: IntArray | None = None) -> IntArray:
        """Pseudo-labels that obey the rules and these rows `[a, b]`, after so many sweeps.

        They start from the labels of `start` that obey the rows, or else from seen labels, with more sweeps.
        """
        rng = np.random.default_rng(seed)
        warm = self.seen[:0] if start is None else start[obeying(start, rows)]
        if 4 * len(warm) < self.most:
            warm, sweeps = self.seen[obeying(self.seen, rows)], COLD * sweeps
        chosen = rng.integers(len(warm), size=self.most)
        labels = np.ascontiguousarray(warm[chosen].T)  # columns first
        every = np.concatenate([self.rules, rows])
        sums = every[:, :-1].astype(np.float64) @ labels.astype(np.float64)  # exact, and far faster than integers
        slack = every[:, -1:] - sums.astype(np.int64)
        for _ in range(sweeps):
            for unit, weights in zip(self.units, self.weights, strict=True):
                self._redraw(unit, weights, labels, every, slack, rng)
        return np.ascontiguousarray(labels.T)

    def _redraw(
        self,
        unit: Unit,
        weights: FloatArray,
        labels: IntArray,
        rows: IntArray,
        slack: IntArray,
        rng: np.random.Generator,
    ) -> None:
        """Give one unit of every label another value, where this breaks no row and no gap."""
        shares = np.exp(weights - weights.max())
        upto = np.rint(np.cumsum(shares / shares.sum()) * GRID)
        luck = rng.random(labels.shape[1]) * GRID
        new = np.asarray(luck >= upto[0], np.int64)
        for end in upto[1:-1]:
            new += luck >= end
        old = unit.places(labels)
        moved = new != old
        about = rows[:, unit.columns]
        has_unit = about.any(axis=1)
        touched = slice(None) if has_unit.all() else np.flatnonzero(has_unit)  # a slice copies nothing
        if has_unit.any():
            adds = about[touched] @ unit.values.T
            change = adds.take(new, axis=1)
            change -= adds.take(old, axis=1)
            moved &= (slack[touched] >= change).all(axis=0)
        if len(self.gaps) and moved.any():
            proposed = labels[:, moved].T.copy()
            proposed[:, unit.columns] = unit.values[new[moved]]
            moved[moved] = ~self.gaps.broken(proposed).any(axis=1)
        for j, column in enumerate(unit.columns.tolist()):
            np.copyto(labels[column], unit.values[:, j].take(new), where=moved)
        if has_unit.any():
            change *= moved
            slack[touched] -= change

    @cached_property
    def is_stuck(self) -> bool:
        """True if most labels cannot be left by drawing one unit anew, or most possible labels have been seen."""
        few = replace(self, most=STUCK_LABELS).drawn(self.rules[:0], budgets.CAPACITY_SWEEPS, 0)
        seen = {label.tobytes() for label in self.seen}
        return 2 * sum(label.tobytes() in seen for label in few) > len(few)

    def fitted(self, rows: IntArray, rounds: int, start: IntArray | None = None) -> tuple[Law, IntArray]:
        """The law whose labels under the rules and these rows have the shares of the examples, and such labels."""
        law, labels = self, start
        for turn in range(rounds):
            labels = law.drawn(rows, budgets.CAPACITY_SWEEPS, turn, labels)
            weights = []
            for unit, old in zip(law.units, law.weights, strict=True):
                counts = np.bincount(unit.places(labels.T), minlength=len(unit.values))
                weights.append(old + FITTING_STEP * np.log(unit.shares / _smoothed(counts, len(labels))))
            law = replace(law, weights=tuple(weights))
        assert labels is not None  # noqa: S101 - there is at least one round
        return law, labels


def _smoothed(counts: FloatArray | IntArray, total: float) -> FloatArray:
    """Shares, of which none is 0."""
    return np.asarray((counts + 0.5) / (total + 0.5 * len(counts)))


def _upper_rows(context: Context, width: int) -> IntArray:
    """The rules so far on the columns of labels as rows `[a, b]`; an equality is two of them."""
    known = context.stated + context.redundant
    inside = known[np.asarray(~known.matrix[:, width:].any(axis=1))]
    rows = np.column_stack([inside.matrix[:, :width], inside.rhs])
    return np.concatenate([rows, -rows[inside.equality]]).astype(np.int64)


def obeying(labels: IntArray, rows: Sequence[IntArray] | IntArray) -> BoolArray:
    """Which labels obey all rows `[a, b]`."""
    fine = np.ones(len(labels), bool)
    for row in rows:
        fine &= labels @ row[:-1] <= row[-1]
    return fine
