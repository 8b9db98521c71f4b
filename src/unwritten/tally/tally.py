"""Tally: the mergeable statistics that mining needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray, distinct, fingerprints, frozen
from unwritten.errors import DataError, RangeError
from unwritten.tally.gram import gram_of, gram_of_counted
from unwritten.tally.thinning import kept_at, level_for, sampled
from unwritten.tally.wide_gram import counts_bits, gram_of_wide


class Images(Protocol):
    """The images of the labels under symmetries, as evidence."""

    @property
    def n(self) -> int:
        """The number of given labels, without their images."""

    @property
    def sample(self) -> IntArray:
        """Some images."""

    @property
    def representatives(self) -> IntArray:
        """The first variable of every orbit of variables."""

    def images_of(self, row: IntArray) -> int:
        """The number of images of a row over the variables; counting stops at `budgets.SYMMETRY_IMAGES`."""

    def trials(self, images: int) -> int:
        """The number of labels that test a row with this number of images."""

    def pair_trials(self) -> IntArray:
        """For every pair of variables, the number of labels that test it (d × d)."""


@dataclass(frozen=True, eq=False)
class Tally:
    """The number of labels, the integer Gram matrix of [y, 1], and the distinct labels with their counts.

    ker([Y, 1]) = ker([Y, 1]ᵀ[Y, 1]), so the Gram matrix is all that equality mining needs, and the Gram matrices of
    parts of the data can be added. Under a `symmetry`, each label counts as all its images: n is a multiple of the
    number of labels, and an image that was never seen has count 0.

    If the distinct labels hold more than `most` integers, a fair sample of them is kept, with their true counts: one in
    2^thinned, chosen by a hash of the label. `weight` is what one label counts as evidence: less than 1 if labels
    follow one another.

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
    weight: float = 1.0

    @classmethod
    def of(cls, labels: NDArray[Any], most: int | None = None, thinned: int = 0) -> Tally:
        """The tally of one block of labels. Integers keep their width in bytes; `minable` widens them to 64 bits.

        If the labels hold more than `most` integers, or `thinned` is above 0, only a sample of the labels is kept.
        """
        if most is None and counts_bits(labels):
            seen, counts = _distinct_bits(labels)
            return cls(len(labels), gram_of_wide(labels), seen, counts)
        in_sample, thinned = sampled(labels, most, thinned)
        sample = labels if in_sample.all() else labels[in_sample]
        seen, counts = distinct(sample, np.ones(len(sample), np.int64))
        return cls(len(labels), gram_of(labels), seen, counts, None, most, thinned)._thin()

    @property
    def wide(self) -> bool:
        """True if labels have more than `budgets.WIDE_COLUMNS` columns, so that full searches would take too long."""
        return self.seen.shape[1] > budgets.WIDE_COLUMNS and self.symmetry is None

    def __add__(self, other: Tally) -> Tally:
        return Tally.merged([self, other])

    @classmethod
    def merged(cls, tallies: Sequence[Tally]) -> Tally:
        """The tally of the labels of all tallies; labels are sampled down to `most` integers before they are sorted."""
        if len({tally.gram.shape for tally in tallies}) > 1:
            raise DataError("tallies of labels with different numbers of columns cannot be merged")
        if sum(linalg.largest(tally.gram) for tally in tallies) >= 2**63:
            raise RangeError("the merged Gram matrix passes 64 bits: rescale the labels, or shift them towards 0")
        most = min((tally.most for tally in tallies if tally.most is not None), default=None)
        thinned = max(tally.thinned for tally in tallies)
        parts = [tally._thin(thinned) for tally in tallies]
        if most is not None and sum(part.seen.size for part in parts) > most:
            hashes = [fingerprints(part.seen) for part in parts]
            level = max(part.thinned for part in parts)
            thinned = level_for(np.concatenate(hashes), len(parts[0].gram) - 1, most, level)
            parts = [part._only(kept_at(hash_, thinned), thinned) for part, hash_ in zip(parts, hashes, strict=True)]
        seen, counts = distinct(
            np.concatenate([part.seen for part in parts]), np.concatenate([part.counts for part in parts])
        )
        n = sum(tally.n for tally in tallies)
        first = tallies[0].gram.astype(np.int64, copy=False) if n >= 2**31 else tallies[0].gram
        gram = sum((tally.gram for tally in tallies[1:]), first)
        return cls(n, gram, seen, counts, None, most, thinned)

    def minable(self) -> Tally:
        """The tally of the kept labels only, in 64-bit integers, for the miners.

        If the kept labels are a sample, the Gram matrix of all labels would contradict them: it counts values that no
        kept label has.
        """
        seen = frozen(self.seen.astype(np.int64, copy=False))
        if not self.thinned:
            return replace(self, seen=seen)
        if len(self.seen) < 2:
            raise DataError("fewer than two distinct labels could be kept in memory: raise most_kept")
        return Tally(int(self.counts.sum()), gram_of_counted(seen, self.counts), seen, self.counts, weight=self.weight)

    def each_once(self) -> Tally:
        """The tally in which every distinct label counts once."""
        if self.n == len(self.seen):
            return self
        gram = gram_of_wide(self.seen) if counts_bits(self.seen) else gram_of(self.seen)
        return Tally(len(self.seen), gram, self.seen, np.ones(len(self.seen), np.int64), weight=self.weight)

    def only(self, which: BoolArray) -> Tally:
        """The tally of some of the distinct labels."""
        seen, counts = frozen(self.seen[which]), frozen(self.counts[which])
        return Tally(int(counts.sum()), gram_of_counted(seen, counts), seen, counts, weight=self.weight)

    def _thin(self, level: int = 0) -> Tally:
        """The tally with a smaller sample, if the labels are too many or `level` is higher than the level so far."""
        if level <= self.thinned and (self.most is None or self.seen.size <= self.most):
            return self
        in_sample, level = sampled(self.seen, self.most, max(level, self.thinned))
        return self if level == self.thinned else self._only(in_sample, level)

    def _only(self, in_sample: BoolArray, level: int) -> Tally:
        return replace(self, seen=frozen(self.seen[in_sample]), counts=frozen(self.counts[in_sample]), thinned=level)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tally)
            and (self.n, self.thinned) == (other.n, other.thinned)
            and all(np.array_equal(getattr(self, part), getattr(other, part)) for part in ("gram", "seen", "counts"))
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        """Pack 0/1 labels into bits, because tallies travel between processes."""
        binary = self.seen.size > 0 and self.seen.min() >= 0 and self.seen.max() <= 1
        seen = np.packbits(self.seen.astype(bool, copy=False), axis=1) if binary else self.seen
        return vars(self) | {"seen": seen, "binary": binary}

    def __setstate__(self, state: dict[str, Any]) -> None:
        seen = state["seen"]
        if state.pop("binary"):
            seen = np.unpackbits(seen, axis=1, count=len(state["gram"]) - 1)
        for name, value in (state | {"seen": frozen(seen)}).items():
            object.__setattr__(self, name, value)


def _distinct_bits(labels: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """The distinct 0/1 labels, with the integer type of the given labels, and their counts."""
    keys = np.packbits(labels.view(bool) if labels.itemsize == 1 else labels.astype(bool), axis=1)
    _, first, counts = np.unique(
        keys.view(np.dtype((np.void, keys.shape[1]))).ravel(), return_index=True, return_counts=True
    )
    return frozen(labels[first]), frozen(counts.astype(np.int64))
