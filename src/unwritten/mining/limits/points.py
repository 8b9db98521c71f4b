"""The labels that limits must tell apart: seen ones, and ones that are proven not to be allowed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.mining.limits.choices import Choices
from unwritten.rules import RuleSet


@dataclass(frozen=True, eq=False)
class Points:
    """Seen labels and excluded ones, as integers that count from the lower bounds.

    `worse` are labels that no example says anything about, because they are worse than a seen label for all weights;
    `better` is the sign of the weights of each column, and 0 if it varies. `unknown` are labels that no example proves
    forbidden. `signs` are the signs that coefficients must have, where a column is always better one way and in no
    equality. `complete` says that seen, excluded and unknown labels are all there are. `claimed_by` is, for each
    excluded label, the only example that claims it, or −1 if there are several. Rows `[a, b]` say a·y ≤ b. They are
    bordered with labels `[y, −1]`, so that a label is excluded where the product is positive.
    """

    seen: IntArray
    excluded: IntArray
    claimed_by: IntArray
    spans: IntArray
    worse: IntArray
    better: IntArray
    unknown: IntArray
    signs: IntArray
    complete: bool = False

    @classmethod
    def of(
        cls,
        choices: Choices,
        rules: RuleSet,
        excluded: IntArray,
        claimed_by: IntArray,
        worse: IntArray,
        unknown: IntArray,
    ) -> Points:
        """The points of choices, from labels as they are."""
        lower, upper = choices.variables.lower, choices.variables.upper
        return cls(
            choices.seen - lower, excluded - lower, claimed_by, upper - lower, worse - lower, choices.better,
            unknown - lower, np.where(rules.matrix[rules.equality].any(axis=0), 0, choices.better),
        )  # fmt: skip

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.seen.shape[1])

    @cached_property
    def kept(self) -> IntArray:
        """All labels that rows must keep: seen ones, and worse ones."""
        return np.concatenate([self.seen, self.worse])

    @cached_property
    def bordered_kept(self) -> FloatArray:
        """The labels that rows must keep, with a last column of −1."""
        return np.column_stack([self.kept, np.full(len(self.kept), -1)]).astype(np.float64)

    @cached_property
    def bordered_excluded(self) -> FloatArray:
        """The excluded labels, with a last column of −1."""
        return np.column_stack([self.excluded, np.full(len(self.excluded), -1)]).astype(np.float64)

    @cached_property
    def _columns(self) -> FloatArray:
        return np.ascontiguousarray(self.bordered_excluded.T)

    @cached_property
    def _unknown_columns(self) -> FloatArray:
        return np.column_stack([self.unknown, np.full(len(self.unknown), -1)]).astype(np.float64).T.copy()

    def values(self, rows: FloatArray) -> FloatArray:
        """For each row (r) and each excluded label (n), how far the label is beyond the row: an r × n array."""
        return np.asarray(rows @ self._columns)

    def beyond(self, rows: IntArray) -> BoolArray:
        """For each row (r) and each excluded label (n), whether the row excludes it: an r × n array.

        Floats hold all sums of such rows exactly, and multiply far faster than integers.
        """
        return np.asarray(self.values(rows.astype(np.float64)) > 0)

    def unknown_beyond(self, rows: IntArray) -> BoolArray:
        """For each row (r) and each unknown label (n), whether the row excludes it: an r × n array."""
        return np.asarray(rows.astype(np.float64) @ self._unknown_columns > 0)

    def no_row_excludes(self, rows: IntArray) -> BoolArray:
        """Which excluded labels obey all rows."""
        return np.asarray(~self.beyond(rows).any(axis=0))

    def tightest(self, rows: FloatArray) -> FloatArray:
        """The rows with the least right-hand sides that keep every label that must be kept."""
        return np.column_stack([rows[:, :-1], (self.bordered_kept[:, :-1] @ rows[:, :-1].T).max(axis=0)])

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
        return replace(self, excluded=both[first], claimed_by=np.concatenate([self.claimed_by, claimed_by])[first])

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
        return self.with_excluded_only(chosen)

    def with_excluded_only(self, chosen: BoolArray) -> Points:
        """A copy with some of the excluded labels."""
        return replace(self, excluded=self.excluded[chosen], claimed_by=self.claimed_by[chosen])

    def without(self, seen: BoolArray, excluded: BoolArray) -> Points:
        """A copy without some seen and excluded labels, and without labels that are worse only than these seen ones."""
        left = self.seen[~seen]
        worse = np.array([self._worse_than_some(label, left) for label in self.worse], bool)
        return replace(
            self,
            seen=left,
            worse=self.worse[worse],
            excluded=self.excluded[~excluded],
            claimed_by=self.claimed_by[~excluded],
        )

    def _worse_than_some(self, label: IntArray, seen: IntArray) -> bool:
        ahead = seen - label
        same = (ahead[:, self.better == 0] == 0).all(axis=1)
        return bool((same & (ahead * self.better >= 0).all(axis=1)).any())
