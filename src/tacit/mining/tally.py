"""Tally: the mergeable statistics that mining needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from tacit import linalg
from tacit.data import BoolArray, IntArray, distinct, fingerprints, frozen
from tacit.errors import DataError, RangeError
from tacit.mining import chance

MOST_KEPT = 1 << 23  # entries of distinct labels of a stream: 64 MiB


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

    Past `most` entries only a fair sample of the distinct labels is kept, with their true counts: one in 2^thinned, by
    a hash of the label, so that neither the order nor the blocks of the data change what is kept.

    >>> a, b = Tally.of(np.array([[1, 0]])), Tally.of(np.array([[0, 1], [1, 0]]))
    >>> (a + b).counts.tolist()
    [1, 2]
    """

    n: int
    gram: IntArray
    seen: IntArray
    counts: IntArray
    symmetry: Images | None = None
    most: int | None = None
    thinned: int = 0

    def trials(self, row: IntArray) -> tuple[int, float]:
        """On how many labels chance would have tried a row, and what naming its columns costs.

        Images of a label count as often as the row has images of its own: a row that all images obey alike is tried
        once on each label, but there are few such rows.
        """
        if self.symmetry is None:
            return self.n, chance.price(row, len(row))
        return self.symmetry.trials(row)

    @classmethod
    def of(cls, labels: IntArray, most: int | None = None, thinned: int = 0) -> Tally:
        """The tally of one block of labels; past `most` entries, or from `thinned` on, with a sample of the labels."""
        kept, thinned = _fair(labels, most, thinned)
        seen, counts = distinct(labels[kept], np.ones(int(kept.sum()), np.int64))
        return cls(len(labels), gram_of(labels), seen, counts, None, most, thinned)._thin()

    @classmethod
    def of_blocks(cls, blocks: Iterable[IntArray], most: int = MOST_KEPT) -> Tally:
        """The tally of many blocks, merged with others of their size."""
        stack: list[Tally] = []
        for block in blocks:
            stack.append(cls.of(block, most, stack[0].thinned if stack else 0))
            while len(stack) > 1 and len(stack[-2].seen) <= 2 * len(stack[-1].seen):
                stack[-2:] = [stack[-2] + stack[-1]]
        if not stack:
            raise DataError("labels are empty: give at least one example")
        while len(stack) > 1:
            stack[-2:] = [stack[-2] + stack[-1]]
        return stack[0]

    def __add__(self, other: Tally) -> Tally:
        if self.gram.shape != other.gram.shape:
            raise DataError("tallies of labels with different numbers of columns cannot be merged")
        if linalg.largest(self.gram) + linalg.largest(other.gram) >= 2**63:
            raise RangeError("the merged Gram matrix passes 64 bits: rescale the labels, or shift them towards 0")
        limits = [tally.most for tally in (self, other) if tally.most is not None]
        most, thinned = min(limits, default=None), max(self.thinned, other.thinned)
        left, right = (tally._thin(thinned) for tally in (self, other))
        seen, counts = distinct(np.concatenate([left.seen, right.seen]), np.concatenate([left.counts, right.counts]))
        return Tally(self.n + other.n, self.gram + other.gram, seen, counts, None, most, thinned)._thin()

    def _thin(self, thinned: int = 0) -> Tally:
        """The same with a smaller sample, if there are too many labels or a smaller one is asked for."""
        kept, thinned = _fair(self.seen, self.most, max(thinned, self.thinned))
        if thinned == self.thinned:
            return self
        return replace(self, seen=frozen(self.seen[kept]), counts=frozen(self.counts[kept]), thinned=thinned)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tally)
            and (self.n, self.thinned) == (other.n, other.thinned)
            and all(np.array_equal(getattr(self, part), getattr(other, part)) for part in ("gram", "seen", "counts"))
        )

    __hash__ = None  # type: ignore[assignment]


def _fair(labels: IntArray, most: int | None, thinned: int) -> tuple[BoolArray, int]:
    """The labels whose hash begins with `thinned` zeros; more zeros while they are too many, for distinct ones."""
    if not thinned and (most is None or labels.size <= most):
        return np.ones(len(labels), bool), 0
    marks = fingerprints(labels)
    kept = marks <= np.uint64(2 ** (64 - thinned) - 1)
    while most is not None and labels.shape[1] * len(np.unique(marks[kept])) > most:
        thinned += 1
        kept = marks <= np.uint64(2 ** (64 - thinned) - 1)
    return np.asarray(kept), thinned


def gram_of(labels: IntArray) -> IntArray:
    """The integer Gram matrix of [labels, 1]; through floats where every sum provably fits them.

    0/1 columns, which are most, need only half the float that others may.
    """
    bordered = np.column_stack([labels, np.ones(len(labels), np.int64)])
    span = np.maximum(np.abs(bordered.max(axis=0)), np.abs(bordered.min(axis=0)))
    wide = np.flatnonzero(span > 1)
    if not len(wide) or len(wide) > len(span) // 2 or len(labels) >= 2**24:
        return linalg.product(bordered.T, bordered)
    narrow = np.flatnonzero(span <= 1)
    gram = np.zeros((len(span), len(span)), np.int64)
    floats = bordered[:, narrow].astype(np.float32)
    gram[np.ix_(narrow, narrow)] = (floats.T @ floats).astype(np.int64)
    rest = linalg.product(bordered[:, wide].T, bordered)
    gram[wide], gram[:, wide] = rest, rest.T
    return gram
