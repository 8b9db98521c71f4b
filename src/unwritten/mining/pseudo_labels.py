"""Pseudo-labels: what labels would be if nothing tied their columns but the rules.

The members of an exactly-one rule are one unit, every other column is a unit of its own. Units are drawn independently,
and a draw that breaks a rule is rejected (Metropolis and Hastings). The shares of the values are fitted so that the
pseudo-labels which obey the rules have the shares of the examples: among all laws with these shares, this is the one
with the largest entropy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from unwritten import budgets, linalg
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.effort import Effort
from unwritten.mining.independent_sums import IndependentSums
from unwritten.mining.miner import Context
from unwritten.native import kernels
from unwritten.rules import Gaps

FITTING_STEP = 0.7  # share of the step to the weights that would fit if units were independent
STUCK_LABELS = 1_000  # pseudo-labels on which it is tested whether single draws can change labels
COLD = 4  # factor on the number of sweeps if pseudo-labels start from seen labels
GRID = 2.0**30  # shares are rounded to it, so that every CPU draws the same
FOREVER = np.iinfo(np.int64).max  # no sum is that large


@dataclass(frozen=True, eq=False)
class Unit:
    """Columns that are drawn together, their values (v × columns), and the shares that the examples have."""

    columns: IntArray
    values: IntArray
    shares: FloatArray


@dataclass(frozen=True, eq=False)
class Redrawn:
    """Pseudo-labels, and how many of them have each value of each unit."""

    labels: IntArray
    counts: IntArray


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
    effort: Effort = field(default_factory=Effort)

    @classmethod
    def of(cls, context: Context, independent: IndependentSums) -> Law:
        """Independent units with the shares of the examples, under the rules so far."""
        seen, counts = context.tally.seen, context.tally.counts
        units = [
            Unit(
                block.astype(np.int64),
                np.eye(len(block), dtype=np.int64),
                _smoothed(counts @ seen[:, block], counts.sum()),
            )
            for block in independent.block_members
            if (seen[:, block].max(axis=1) == 1).all() and (seen[:, block].sum(axis=1) == 1).all()
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
            context.effort,
        )

    def drawn(self, rows: IntArray, sweeps: int, seed: int, start: IntArray | None = None) -> Redrawn:
        """Pseudo-labels that obey the rules and these rows `[a, b]`, after so many sweeps.

        They start from the labels of `start` that obey the rows, or else from seen labels, with more sweeps.
        """
        rng = np.random.default_rng(seed)
        warm = self.seen[:0] if start is None else start[obeying(start, rows)]
        if 4 * len(warm) < self.most:
            warm, sweeps = self.seen[obeying(self.seen, rows)], COLD * sweeps
        return self._redrawn(warm[rng.integers(len(warm), size=self.most)], rows, sweeps, seed)

    def _redrawn(self, labels: IntArray, rows: IntArray, sweeps: int, seed: int) -> Redrawn:
        """Labels in which every unit was drawn anew; draws that break a row or a gap are undone."""
        parts = self.gaps.parts
        apart = np.zeros((len(parts), labels.shape[1]), np.int64)
        np.add.at(apart, (np.arange(len(parts))[:, None], parts.columns), parts.factors)
        upper = np.concatenate([self.rules, rows])
        units = self.units
        entries = int(np.count_nonzero(upper[:, :-1]) + np.count_nonzero(apart)) + sum(
            unit.values.size for unit in units
        )
        self.effort.spend(len(labels) * sweeps * entries)
        labels, counts = kernels.redrawn_labels(
            np.ascontiguousarray(labels, np.int64),
            np.concatenate([unit.columns for unit in units]),
            np.cumsum([0, *(len(unit.columns) for unit in units)]),
            np.concatenate([_ends(weights) for weights in self.weights]),
            np.cumsum([0, *(len(unit.values) for unit in units)]),
            np.concatenate([unit.values.ravel() for unit in units]),
            np.concatenate([upper[:, :-1], apart]),
            np.concatenate([upper[:, -1] + 1, parts.low + 1]),
            np.concatenate([np.full(len(upper), FOREVER), parts.high - 1]),
            sweeps,
            seed,
        )
        return Redrawn(labels, counts)

    @cached_property
    def is_stuck(self) -> bool:
        """True if drawing one unit anew cannot change most labels, or if most possible labels have been seen."""
        few = replace(self, most=STUCK_LABELS).drawn(self.rules[:0], budgets.CAPACITY_SWEEPS, 0).labels
        seen = {label.tobytes() for label in self.seen}
        return 2 * sum(label.tobytes() in seen for label in few) > len(few)

    def fitted(self, rows: IntArray, rounds: int, start: IntArray | None = None) -> tuple[Law, IntArray]:
        """The law whose labels have the shares of the examples under the rules and these rows, and such labels."""
        law, labels = self, start
        for turn in range(rounds):
            drawn = law.drawn(rows, budgets.CAPACITY_SWEEPS, turn, labels)
            labels, ends = drawn.labels, np.cumsum([len(unit.values) for unit in law.units])
            counts = np.split(drawn.counts, ends[:-1])
            weights = [
                old + FITTING_STEP * np.log(unit.shares / _smoothed(own, len(labels)))
                for unit, old, own in zip(law.units, law.weights, counts, strict=True)
            ]
            law = replace(law, weights=tuple(weights))
        assert labels is not None  # noqa: S101 - there is at least one round
        return law, labels


def _ends(weights: FloatArray) -> IntArray:
    """For each value the number below which a random one chooses it, or one before it."""
    shares = np.exp(weights - weights.max())
    return np.rint(np.cumsum(shares / shares.sum()) * GRID).astype(np.int64)


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
    if not len(rows):
        return np.ones(len(labels), bool)
    together = np.asarray(rows)
    return np.asarray((linalg.exact_product(labels, together[:, :-1].T) <= together[:, -1]).all(axis=1))
