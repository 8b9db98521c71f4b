"""Marginals: the distribution ∝ exp(w·y) over listed labels, and how far its best label is ahead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from unwritten import budgets
from unwritten.data import FloatArray, IntArray, among
from unwritten.data.halfspaces import within
from unwritten.errors import SolverError
from unwritten.model import Model


@dataclass(frozen=True, eq=False)
class Listing:
    """Labels (N × d, 0/1) that stand for all: the feasible ones, or the seen where feasible ones are too many."""

    kind: str
    labels: NDArray[np.int8]

    @classmethod
    def of(cls, model: Model) -> Listing:
        """The labels under rules and cuts if they can be listed, else the seen ones."""
        try:
            labels = model.labels(
                max(4096, min(budgets.MARGINAL_LABELS, budgets.MARGINAL_FRONTIER_ENTRIES // max(1, len(model.rules))))
            )
        except SolverError:
            labels = None
        if labels is None or len(labels) > budgets.MARGINAL_LABELS:
            return cls("seen", model.seen.astype(np.int8))
        kept = within(labels, model.cuts.weights, model.cuts.limits(model.variables))
        return cls("feasible", labels[kept].astype(np.int8))

    def marginals(self, weights: FloatArray) -> FloatArray:
        """The probability that each variable is 1 (m × d)."""
        found = np.zeros(weights.shape)
        for rows, values, points in self._blocks(weights):
            chances = np.exp(values - logsumexp(values, axis=1, keepdims=True))
            found[rows] = chances @ points
        return np.clip(found, 0, 1)

    def margins(self, weights: FloatArray, chosen: IntArray) -> FloatArray:
        """The probability of each chosen label less that of the best other one."""
        found = np.zeros(len(weights))
        for rows, values, points in self._blocks(weights):
            label = chosen[rows].astype(np.float64)
            apart = label.sum(axis=1)[:, None] + points.sum(axis=1) - 2 * label @ points.T  # exact: small integers
            others = np.where(apart == 0, -np.inf, values)
            own = (weights[rows] * label).sum(axis=1)
            total = np.logaddexp(logsumexp(others, axis=1), own)
            found[rows] = np.exp(own - total) - np.exp(others.max(axis=1) - total)
        return found

    def loss(self, weights: FloatArray, labels: IntArray, temperature: float) -> float:
        """The mean negative log-likelihood of listed labels."""
        total = 0.0
        for rows, values, _ in self._blocks(weights / temperature):
            own = (weights[rows] * labels[rows]).sum(axis=1) / temperature
            total += float((logsumexp(values, axis=1) - own).sum())
        return total / len(labels)

    def sample(self, weights: FloatArray, labels: IntArray) -> tuple[FloatArray, IntArray]:
        """Examples whose label is listed, evenly thinned to what one block holds."""
        listed = np.flatnonzero(among(labels, self.labels.astype(np.int64)))
        kept = listed[:: max(1, -(-len(listed) * len(self.labels) // budgets.MARGINAL_BLOCK_ENTRIES))]
        return weights[kept], labels[kept]

    def _blocks(self, weights: FloatArray) -> Iterator[tuple[slice, FloatArray, FloatArray]]:
        """Rows of the weights, their values of all labels, and the labels as floats."""
        points = self.labels.astype(np.float64)
        step = max(1, budgets.MARGINAL_BLOCK_ENTRIES // len(points))
        for start in range(0, len(weights), step):
            rows = slice(start, start + step)
            yield rows, weights[rows] @ points.T, points
