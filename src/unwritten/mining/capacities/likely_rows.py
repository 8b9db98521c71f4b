"""Likely rows: several rows learned together, each from the pseudo-labels that obey the rules and all other rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.mining.capacities.directions import directions, least_directions
from unwritten.mining.capacities.row_walk import SCALE, scaled, walk
from unwritten.mining.pseudo_labels import Law

FITTING_ROUNDS = 3  # rounds of fitting the law after rows have changed
CONTRASTS = 2  # directions along which splitting a row is tried
SPLIT = 0.7  # how far the two parts are from each other, in standard deviations of the row
SHORT_WALK = 2_000  # steps
LOST_AT_ONCE = 0.2  # rows with less than this share of their price are dropped all at once, others one at a time
HOPEFUL, LONGER = 0.4, 4  # a row with this share of its price gets a walk so many times longer before it is dropped


@dataclass(frozen=True, eq=False)
class LikelyRow:
    """Columns, the coefficients `[a, b]` where the last walk ended, and pseudo-labels that obey all other rows.

    `visited` are the likely rows that the last walk kept.
    """

    columns: IntArray
    last: IntArray
    pseudo: IntArray
    visited: IntArray = field(default_factory=lambda: np.zeros((0, 0), np.int64))

    @property
    def allowed(self) -> float:
        """The share of the pseudo-labels that the row allows."""
        return float((self.pseudo[:, self.columns] @ self.last[:-1] <= self.last[-1]).mean())

    def wide(self, width: int) -> IntArray:
        """The last row over all columns."""
        return wide_row(self.columns, self.last, width)


def wide_row(columns: IntArray, row: IntArray, width: int) -> IntArray:
    """A row `[a, b]` on some columns as one on all columns."""
    wide = np.zeros(width + 1, np.int64)
    wide[columns], wide[-1] = row[:-1], row[-1]
    return wide


@dataclass(frozen=True, eq=False)
class LikelyRows:
    """Rows that are learned from labels, and the law of pseudo-labels under them.

    Parameters
    ----------
    law
        The law, fitted so that labels under the rules and rows have the shares of the examples.
    inside
        Pseudo-labels that obey the rules and all rows.
    trials
        The number of labels that count as evidence.
    """

    law: Law
    inside: IntArray
    trials: float
    rows: tuple[LikelyRow, ...] = ()

    @classmethod
    def none(cls, law: Law, trials: float) -> LikelyRows:
        """No rows yet."""
        fitted, inside = law.fitted(_none(law), 2 * FITTING_ROUNDS)
        return cls(fitted, inside, trials)

    @property
    def labels(self) -> IntArray:
        """The labels that are learned from."""
        return self.law.seen

    def wide(self, without: int | None = None) -> IntArray:
        """All rows but one, over all columns."""
        width = self.labels.shape[1]
        others = [row.wide(width) for k, row in enumerate(self.rows) if k != without]
        return np.array(others, np.int64).reshape(len(others), width + 1)

    def with_directions(self, scopes: Sequence[IntArray]) -> LikelyRows:
        """The rows, and one for each scope in which labels vary less than luck explains."""
        new = [
            LikelyRow(columns, self._tight(columns, direction), self.inside)
            for columns in scopes
            for direction in directions(columns, self.labels, self.inside, 1)
        ]
        return replace(self, rows=(*self.rows, *new))

    def splits(self, columns: IntArray) -> Iterator[LikelyRows]:
        """Each way to split one of the rows in two along a direction in which labels vary little.

        Two limits at once look at first like one on the sum of both.
        """
        contrasts = least_directions(columns, self.labels, self.inside, CONTRASTS)
        for k, row in enumerate(self.rows):
            if len(row.columns) != len(columns) or (row.columns != columns).any():
                continue
            a, values = row.last[:-1].astype(float), self.inside[:, columns]
            for contrast in contrasts:
                part = SPLIT * contrast * float(np.std(values @ a) / np.std(values @ contrast))
                two = (replace(row, last=self._tight(columns, a + sign * part)) for sign in (1, -1))
                yield replace(self, rows=(*self.rows[:k], *two, *self.rows[k + 1 :]))

    def nats(self) -> FloatArray:
        """For each row, the evidence that it adds to all others."""
        return np.array([-self.trials * np.log(max(row.allowed, 1e-13)) for row in self.rows])

    def paid(self) -> LikelyRows:
        """Without rows that explain less than they cost: half the logarithm of the labels for each coefficient."""
        likely, patient = self, True
        while likely.rows:
            price = np.array([0.5 * np.log(likely.trials) * len(row.columns) for row in likely.rows])
            paid = likely.nats() / price
            if paid.min() >= 1:
                break
            if patient and paid.min() > HOPEFUL:  # a longer walk may find a better row
                likely, patient = likely.walked(LONGER, SHORT_WALK), False
                continue
            dropped = max(float(paid.min()), LOST_AT_ONCE)
            left = tuple(row for row, own in zip(likely.rows, paid.tolist(), strict=True) if own > dropped)
            likely = replace(likely, rows=left).walked(1, SHORT_WALK)
        return likely

    def _tight(self, columns: IntArray, direction: FloatArray) -> IntArray:
        a = scaled(direction, SCALE).astype(np.int64)
        return np.append(a, (self.labels[:, columns] @ a).max())

    def walked(self, sweeps: int, steps: int) -> LikelyRows:
        """Every row walked in turn, and the law fitted again after each sweep."""
        likely = self
        for sweep in range(sweeps):
            for k in range(len(likely.rows)):
                likely = likely._with_walk(k, steps, sweep)
            law, inside = likely.law.fitted(likely.wide(), FITTING_ROUNDS, likely.inside)
            likely = replace(likely, law=law, inside=inside)
        return likely

    def _with_walk(self, k: int, steps: int, seed: int) -> LikelyRows:
        row = self.rows[k]
        pseudo = self.law.drawn(self.wide(k), budgets.CAPACITY_SWEEPS, seed, row.pseudo).labels
        walked = walk(
            row.last[:-1], row.columns, self.labels, pseudo, self.trials, steps, budgets.CAPACITY_ROWS_KEPT, seed
        )
        new = replace(row, last=walked.last, pseudo=pseudo, visited=walked.visited)
        return replace(self, rows=(*self.rows[:k], new, *self.rows[k + 1 :]))


def _none(law: Law) -> IntArray:
    return np.zeros((0, law.seen.shape[1] + 1), np.int64)
