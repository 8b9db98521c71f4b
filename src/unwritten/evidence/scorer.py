"""Score rules: the evidence of each rule against chance, from the tally."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import log

import numpy as np

from unwritten import budgets
from unwritten.data import FloatArray, IntArray
from unwritten.evidence.chance import trials_and_price
from unwritten.evidence.row_probability import share_that_obeys
from unwritten.rules import Evidence, RuleSet
from unwritten.tally import Tally


class EvidenceScorer:
    """Evidence against one null hypothesis: each column is drawn independently, with the shares of its values.

    Parameters
    ----------
    tally
        The labels that count as evidence.
    labels
        The distinct labels of the tally, followed by their latent variables if there are any.
    """

    def __init__(self, tally: Tally, labels: IntArray) -> None:
        self._tally, self._labels = tally, labels
        self._weights = tally.counts / tally.counts.sum()
        self._lower, upper = labels.min(axis=0), labels.max(axis=0)
        self._spans = upper - self._lower
        self._shares: list[FloatArray] | None = None
        if ((self._lower >= 0) & (upper <= 1)).all():
            self._lower = np.zeros_like(self._lower)
            has_latents = labels.shape[1] != len(tally.gram) - 1  # latent variables are not in the Gram matrix
            ones = (tally.counts @ labels) / tally.counts.sum() if has_latents else tally.gram[-1, :-1] / tally.n
            self._shares = list(np.column_stack([1 - ones, ones]))
        elif int(self._spans.max()) < budgets.TABULATED_VALUES:
            self._shares = [np.bincount(column, self._weights).astype(float) for column in (labels - self._lower).T]
        self._shuffled: IntArray | None = None

    def scored(self, rules: RuleSet, violations: IntArray | None = None) -> RuleSet:
        """The same rules with their evidence; `violations` counts the examples that break each rule, if any do."""
        broken = np.zeros(len(rules), np.int64) if violations is None else violations
        return replace(rules, evidence=tuple(self._evidence(rules, i, int(b)) for i, b in enumerate(broken)))

    def _evidence(self, rules: RuleSet, i: int, violations: int) -> Evidence:
        row, rhs, equality = rules.matrix[i], int(rules.rhs[i]), bool(rules.equality[i])
        chance = self._commonest_share if np.count_nonzero(row) == 1 else self._chance(row, rhs, equality)
        trials, price = trials_and_price(self._tally, row)
        is_group = rhs == 1 and row.min() >= 0 and row.max() == 1
        if equality and not is_group:  # the right-hand side is one of many possible values, so naming it has a price
            price += log(1 + int((np.abs(row) * self._spans).sum()))
        return Evidence(trials, violations, _rounded(chance), _rounded(price), weight=self._tally.weight)

    def _chance(self, row: IntArray, rhs: int, equality: bool) -> float:
        """The probability that independent columns obey a row."""
        if self._shares is not None:
            share = share_that_obeys(row, rhs, equality, self._shares, self._lower)
            if share is not None:
                return share
        if self._shuffled is None:
            rng, n = np.random.default_rng(0), min(budgets.SHUFFLED_LABELS, 4 * self._tally.n)
            drawn = [rng.choice(column, n, p=self._weights) for column in self._labels.T]
            self._shuffled = np.array(drawn).T  # each column lies in one piece, since a row has few of them
        used = np.flatnonzero(row)
        activity = self._shuffled[:, used] @ row[used]
        obeyed = int((activity == rhs if equality else activity <= rhs).sum())
        return min(1.0, (obeyed + 1) / (len(self._shuffled) + 1))

    @cached_property
    def _commonest_share(self) -> float:
        """The chance of a constant column: the share of the commonest value, in the median over varying columns.

        Measured by its own shares, a constant column would be certain.
        """
        common = [float(share.max()) for share in self._shares or () if share.max() < 1]
        return float(np.median(common)) if common else 1.0


def _rounded(value: float) -> float:
    """Round to twelve digits, because logarithms and exponentials differ in their last bit between CPUs."""
    return float(f"{value:.12g}")
