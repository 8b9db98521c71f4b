"""LabelDistribution: probabilities ∝ exp(w·y) over listed labels, and how far the best label is ahead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from unwritten import budgets
from unwritten.data import FloatArray, IntArray, among
from unwritten.model import Model
from unwritten.model.feasible_labels import feasible_labels


@dataclass(frozen=True, eq=False)
class LabelDistribution:
    """The 0/1 labels (N × d) that have a probability: all feasible ones, or the seen ones if those are too many."""

    support: Literal["feasible", "seen"]
    labels: NDArray[np.int8]

    @classmethod
    def of(cls, model: Model) -> LabelDistribution:
        """List the labels that obey rules and cuts; take the seen labels if they are too many to list."""
        affordable = budgets.MARGINAL_FRONTIER_ENTRIES // max(1, len(model.rules))
        limit = min(budgets.MARGINAL_LABELS, max(budgets.EXPLICIT_LABELS_AUTO, affordable))
        labels = feasible_labels(model, limit)
        if labels is None:
            return cls("seen", model.seen.astype(np.int8))
        return cls("feasible", labels.astype(np.int8))

    def marginals(self, weights: FloatArray) -> FloatArray:
        """The probability that each variable is 1 (m × d)."""
        marginals = np.zeros(weights.shape)
        for rows, values, labels in self._blocks(weights):
            probabilities = np.exp(values - logsumexp(values, axis=1, keepdims=True))
            marginals[rows] = probabilities @ labels
        return np.clip(marginals, 0, 1)

    def margins(self, weights: FloatArray, predicted: IntArray) -> FloatArray:
        """The probability of each predicted label less that of the best other one."""
        margins = np.zeros(len(weights))
        for rows, values, labels in self._blocks(weights):
            own = predicted[rows].astype(np.float64)
            distance = own.sum(axis=1)[:, None] + labels.sum(axis=1) - 2 * own @ labels.T  # exact: small integers
            other_values = np.where(distance == 0, -np.inf, values)
            own_value = (weights[rows] * own).sum(axis=1)
            total = np.logaddexp(logsumexp(other_values, axis=1), own_value)
            margins[rows] = np.exp(own_value - total) - np.exp(other_values.max(axis=1) - total)
        return margins

    def loss(self, weights: FloatArray, labels: IntArray, temperature: float) -> float:
        """The mean negative log-likelihood of labels that are all listed."""
        total = 0.0
        for rows, values, _ in self._blocks(weights / temperature):
            own_value = (weights[rows] * labels[rows]).sum(axis=1) / temperature
            total += float((logsumexp(values, axis=1) - own_value).sum())
        return total / len(labels)

    def thinned(self, weights: FloatArray, labels: IntArray) -> tuple[FloatArray, IntArray]:
        """The examples whose label is listed, evenly thinned until their values fit into one block."""
        listed = np.flatnonzero(among(labels, self.labels.astype(np.int64)))
        step = max(1, -(-len(listed) * len(self.labels) // budgets.MARGINAL_BLOCK_ENTRIES))
        return weights[listed[::step]], labels[listed[::step]]

    def _blocks(self, weights: FloatArray) -> Iterator[tuple[slice, FloatArray, FloatArray]]:
        """Blocks of rows of the weights, with the value of every label for them, and the labels as floats."""
        labels = self.labels.astype(np.float64)
        step = max(1, budgets.MARGINAL_BLOCK_ENTRIES // len(labels))
        for start in range(0, len(weights), step):
            rows = slice(start, start + step)
            yield rows, weights[rows] @ labels.T, labels
