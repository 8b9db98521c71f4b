"""What optimal examples claim: the label of each is allowed, and every label that is worth more for its weights is not.

Two examples contradict each other if one claims that the label of the other is not allowed. Then one of them is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, Examples, FloatArray, IntArray, Variables, maximised, tolerance
from unwritten.data.products import row_values


@dataclass(frozen=True, eq=False)
class Choices:
    """Labels, the weights that they maximise, and the value above which a label is worth more than the chosen one."""

    variables: Variables
    labels: IntArray
    weights: FloatArray

    @classmethod
    def of(cls, examples: Examples, weights: FloatArray) -> Choices:
        """The claims of examples with these weights."""
        return cls(examples.variables, examples.labels.astype(np.int64), maximised(weights, examples.sense))

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, which: BoolArray) -> Choices:
        return Choices(self.variables, self.labels[which], self.weights[which])

    @cached_property
    def thresholds(self) -> FloatArray:
        """For each example, the value above which a label is claimed not to be allowed."""
        return row_values(self.weights, self.labels) + 2 * tolerance(self.weights, self.variables)

    @cached_property
    def seen(self) -> IntArray:
        """The distinct labels."""
        return np.unique(self.labels, axis=0)

    @cached_property
    def better(self) -> IntArray:
        """For each column, 1 if it is a gain in all examples, −1 if it is a cost in all, 0 if neither."""
        gains, costs = (self.weights >= 0).all(axis=0), (self.weights <= 0).all(axis=0)
        return np.asarray(gains.astype(np.int64) - costs.astype(np.int64))

    def excludes(self, labels: IntArray) -> tuple[IntArray, IntArray]:
        """For each label, how many examples claim that it is not allowed, and one of them (or −1)."""
        counts, one = np.zeros(len(labels), np.int64), np.full(len(labels), -1)
        points = labels.astype(np.float64).T
        step = max(1, budgets.CUT_BLOCK_ENTRIES // max(1, len(labels)))
        for start in range(0, len(self), step):
            better = self.weights[start : start + step] @ points > self.thresholds[start : start + step, None]
            own = better.sum(axis=0)
            counts += own
            one = np.where(own > 0, start + better.argmax(axis=0), one)
        return counts, one

    def contradictory(self) -> BoolArray:
        """The fewest examples (greedily) without which no example contradicts another.

        An example whose label is not the best contradicts many others. One whose label is not allowed is contradicted
        by many.
        """
        seen, place, often = np.unique(self.labels, axis=0, return_inverse=True, return_counts=True)
        place = place.ravel()
        wrong = np.zeros(len(self), bool)
        better = np.concatenate(
            [
                self.weights[k : k + 512] @ seen.astype(np.float64).T > self.thresholds[k : k + 512, None]
                for k in range(0, len(self), 512)
            ]
        )
        against, accused = better.sum(axis=1), better.sum(axis=0)
        while against.any():
            example, label = int(against.argmax()), int((accused / often).argmax())
            if against[example] >= accused[label] / often[label]:
                wrong[example] = True
                accused = accused - better[example]
                better[example], against[example] = False, 0
            else:
                wrong |= place == label
                against = against - better[:, label]
                better[:, label], accused[label] = False, 0
        return wrong
