"""Tally: the mergeable statistics that mining needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tacit import linalg
from tacit.data import IntArray, distinct
from tacit.errors import DataError, RangeError
from tacit.mining import chance


class Images(Protocol):
    """What labels stand for under symmetries: images of them, and how often a row is tried on these."""

    @property
    def sample(self) -> IntArray:
        """Some images."""

    def trials(self, row: IntArray) -> tuple[int, float]:
        """Trials of a row, and the price of naming it."""

    def pair_trials(self) -> IntArray:
        """Trials of every pair of variables (d × d)."""


@dataclass(frozen=True, eq=False)
class Tally:
    """The number of labels, the integer Gram matrix of [y, 1], and the distinct labels with their counts.

    ker([Y, 1]) = ker([Y, 1]ᵀ[Y, 1]), so the Gram matrix is all that equality mining needs, and it adds. Where labels
    stand for their images under `symmetry`, n is a multiple of their number, and seen images have count 0.

    >>> a, b = Tally.of(np.array([[1, 0]])), Tally.of(np.array([[0, 1], [1, 0]]))
    >>> (a + b).counts.tolist()
    [1, 2]
    """

    n: int
    gram: IntArray
    seen: IntArray
    counts: IntArray
    symmetry: Images | None = None

    def trials(self, row: IntArray) -> tuple[int, float]:
        """On how many labels chance would have tried a row, and what naming its columns costs.

        Images of a label count as often as the row has images of its own: a row that all images obey alike is tried
        once on each label, but there are few such rows.
        """
        if self.symmetry is None:
            return self.n, chance.price(row, len(row))
        return self.symmetry.trials(row)

    @classmethod
    def of(cls, labels: IntArray) -> Tally:
        """The tally of one block of labels."""
        seen, counts = distinct(labels, np.ones(len(labels), np.int64))
        return cls(len(labels), gram_of(labels), seen, counts)

    def __add__(self, other: Tally) -> Tally:
        if self.gram.shape != other.gram.shape:
            raise DataError("tallies of labels with different numbers of columns cannot be merged")
        if linalg.largest(self.gram) + linalg.largest(other.gram) >= 2**63:
            raise RangeError("the merged Gram matrix passes 64 bits: rescale the labels, or shift them towards 0")
        seen, counts = distinct(np.concatenate([self.seen, other.seen]), np.concatenate([self.counts, other.counts]))
        return Tally(self.n + other.n, self.gram + other.gram, seen, counts)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tally)
            and self.n == other.n
            and all(np.array_equal(getattr(self, part), getattr(other, part)) for part in ("gram", "seen", "counts"))
        )

    __hash__ = None  # type: ignore[assignment]


def gram_of(labels: IntArray) -> IntArray:
    """The integer Gram matrix of [labels, 1]; exact in float32 while every sum is below 2²⁴."""
    bound = len(labels) * max(1, linalg.largest(labels)) ** 2
    if bound >= 2**53:
        bordered = np.column_stack([labels, np.ones(len(labels), np.int64)])
        return linalg.product(bordered.T, bordered)
    floats = np.ones((len(labels), labels.shape[1] + 1), np.float32 if bound < 2**24 else np.float64)
    floats[:, :-1] = labels
    return np.asarray((floats.T @ floats).astype(np.int64))
