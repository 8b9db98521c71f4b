"""Weighing: the evidence of each row against chance, from the tally."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import log

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.evidence.row_probability import share_that_obeys
from unwritten.evidence.trials import trials_and_price
from unwritten.rules import Evidence, RuleSet
from unwritten.tally.tally import Tally


class Scale:
    """Chance levels for one tally: every column independent of the others, with the shares that it has.

    `labels` are the tally's distinct ones, with latents if there are any.
    """

    def __init__(self, tally: Tally, labels: IntArray) -> None:
        self._tally, self._labels = tally, labels
        self._at = tally.counts / tally.counts.sum()
        self._lower, upper = labels.min(axis=0), labels.max(axis=0)
        self._spans = upper - self._lower
        self._shares: list[FloatArray] | None = None
        if ((self._lower >= 0) & (upper <= 1)).all():
            self._lower = np.zeros_like(self._lower)
            same = labels.shape[1] == len(tally.gram) - 1  # else there are latents, which the Gram matrix has not
            ones = tally.gram[-1, :-1] / tally.n if same else self._at @ labels
            self._shares = list(np.column_stack([1 - ones, ones]))
        elif int(self._spans.max()) < budgets.TABULATED_VALUES:
            self._shares = [np.bincount(column, self._at).astype(float) for column in (labels - self._lower).T]
        self._drawn: IntArray | None = None

    def weighed(self, rules: RuleSet, violations: IntArray | None = None) -> RuleSet:
        """The same rules with their evidence; `violations` of each, if there are any."""
        broken = np.zeros(len(rules), np.int64) if violations is None else violations
        return replace(rules, evidence=tuple(self._evidence(rules, i, int(b)) for i, b in enumerate(broken)))

    def _evidence(self, rules: RuleSet, i: int, broken: int) -> Evidence:
        row, rhs, equality = rules.matrix[i], int(rules.rhs[i]), bool(rules.equality[i])
        likely = self._constant if np.count_nonzero(row) == 1 else self._chance(row, rhs, equality)
        trials, cost = trials_and_price(self._tally, row)
        if equality and not (rhs == 1 and row.min() >= 0 and row.max() == 1):  # any other value would have done as well
            cost += log(1 + int((np.abs(row) * self._spans).sum()))
        return Evidence(trials, broken, likely, cost)

    def _chance(self, row: IntArray, rhs: int, equality: bool) -> float:
        if self._shares is not None:
            found = share_that_obeys(row, rhs, equality, self._shares, self._lower)
            if found is not None:
                return found
        if self._drawn is None:
            rng, n = np.random.default_rng(0), min(budgets.SHUFFLED_LABELS, 4 * self._tally.n)
            self._drawn = np.column_stack([rng.choice(column, n, p=self._at) for column in self._labels.T])
        activity = self._drawn @ row
        held = int((activity == rhs if equality else activity <= rhs).sum())
        return min(1.0, (held + 1) / (len(self._drawn) + 1))

    @cached_property
    def _constant(self) -> float:
        """A column of one value is as likely as those that vary have their commonest value, in the median.

        By its own shares it would be certain.
        """
        common = [float(share.max()) for share in self._shares or () if share.max() < 1]
        return float(np.median(common)) if common else 1.0
