"""The labels that limits must tell apart: seen ones, and ones that are proven not to be allowed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Points:
    """Seen labels and excluded ones, as integers that count from the lower bounds.

    `claimed_by` is, for each excluded label, the only example that claims it, or −1 if there are several. Rows
    `[a, b]` say a·y ≤ b. They are bordered with labels `[y, −1]`, so that a label is excluded where the product is
    positive.
    """

    seen: IntArray
    excluded: IntArray
    claimed_by: IntArray
    spans: IntArray

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.seen.shape[1])

    @cached_property
    def bordered_seen(self) -> FloatArray:
        """The seen labels, with a last column of −1."""
        return np.column_stack([self.seen, np.full(len(self.seen), -1)]).astype(np.float64)

    @cached_property
    def bordered_excluded(self) -> FloatArray:
        """The excluded labels, with a last column of −1."""
        return np.column_stack([self.excluded, np.full(len(self.excluded), -1)]).astype(np.float64)

    @cached_property
    def _columns(self) -> FloatArray:
        return np.ascontiguousarray(self.bordered_excluded.T)

    def values(self, rows: FloatArray) -> FloatArray:
        """For each row (r) and each excluded label (n), how far the label is beyond the row: an r × n array."""
        return np.asarray(rows @ self._columns)

    def tightest(self, rows: FloatArray) -> FloatArray:
        """The rows with the least right-hand sides that keep every seen label."""
        return np.column_stack([rows[:, :-1], (self.bordered_seen[:, :-1] @ rows[:, :-1].T).max(axis=0)])

    def centred(self, rows: FloatArray) -> FloatArray:
        """The rows with right-hand sides halfway between the seen labels and what each row excludes."""
        tight = self.tightest(rows) if len(rows) else rows
        values = self.values(tight)
        beyond = np.where(values > 0, values, np.inf).min(axis=1, initial=np.inf)
        tight[:, -1] += np.where(np.isfinite(beyond), beyond / 2, 0.0)
        return tight

    def missed(self, rows: FloatArray) -> BoolArray:
        """Which excluded labels obey all rows once these keep every seen label."""
        tight = self.tightest(rows)
        slack = 1e-9 * (np.abs(tight[:, :-1]) @ np.maximum(self.spans, 1))
        return np.asarray((self.values(tight) <= slack[:, None]).all(axis=0))

    def with_excluded(self, labels: IntArray, claimed_by: IntArray) -> Points:
        """A copy with more excluded labels; those that are there already are left out."""
        both = np.concatenate([self.excluded, labels])
        _, first = np.unique(both, axis=0, return_index=True)
        first.sort()
        return Points(self.seen, both[first], np.concatenate([self.claimed_by, claimed_by])[first], self.spans)

    def thinned(self, most: int) -> Points:
        """A copy with at most so many excluded labels, first those that one example alone claims."""
        if len(self.excluded) <= most:
            return self
        order = np.random.default_rng(0).permutation(len(self.excluded))
        edge = order[self.claimed_by[order] >= 0][: most // 2]
        chosen = np.zeros(len(order), bool)
        chosen[edge] = True
        rest = order[~chosen[order]]
        chosen[rest[: most - len(edge)]] = True
        return Points(self.seen, self.excluded[chosen], self.claimed_by[chosen], self.spans)

    def without(self, seen: BoolArray, excluded: BoolArray) -> Points:
        """A copy without some seen and some excluded labels."""
        return Points(self.seen[~seen], self.excluded[~excluded], self.claimed_by[~excluded], self.spans)
