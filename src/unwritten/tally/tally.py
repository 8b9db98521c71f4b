"""Tally: the mergeable statistics that mining needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from unwritten import budgets, linalg
from unwritten.data import BoolArray, IntArray, distinct, fingerprints, frozen
from unwritten.errors import DataError, RangeError

MOST_THINNED = 63  # where `most` is less than one label has, one may still be kept


class Images(Protocol):
    """What labels stand for under symmetries: images of them, and how often a row is tried on these."""

    @property
    def n(self) -> int:
        """The number of given labels, images aside."""

    @property
    def sample(self) -> IntArray:
        """Some images."""

    @property
    def representatives(self) -> IntArray:
        """The first variable of every orbit of variables."""

    def images_of(self, row: IntArray) -> int:
        """How many images a row over the variables has, counted up to `budgets.SYMMETRY_IMAGES`."""

    def trials(self, images: int) -> int:
        """On how many labels a row with so many images is tried."""

    def pair_trials(self) -> IntArray:
        """The same for every pair of variables (d × d)."""


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

    @classmethod
    def of(cls, labels: NDArray[Any], most: int | None = None, thinned: int = 0) -> Tally:
        """The tally of one block of labels; past `most` entries, or from `thinned` on, with a sample of the labels.

        Labels are integers of any width, and are kept in theirs: `minable` widens them.
        """
        kept, thinned = _fair(labels, most, thinned)
        some = labels if kept.all() else labels[kept]
        seen, counts = distinct(some, np.ones(len(some), np.int64))
        return cls(len(labels), gram_of(labels), seen, counts, None, most, thinned)._thin()

    @classmethod
    def of_blocks(cls, blocks: Iterable[NDArray[Any]], most: int = budgets.KEPT_LABEL_ENTRIES) -> Tally:
        """The tally of many blocks, merged with others of their size."""
        pile = Pile(most)
        for block in blocks:
            pile.add(block)
        return pile.total()

    def __add__(self, other: Tally) -> Tally:
        return Tally.merged([self, other])

    @classmethod
    def merged(cls, tallies: Sequence[Tally]) -> Tally:
        """The tally of all labels of several; too many are thinned before they are sorted."""
        if len({tally.gram.shape for tally in tallies}) > 1:
            raise DataError("tallies of labels with different numbers of columns cannot be merged")
        if sum(linalg.largest(tally.gram) for tally in tallies) >= 2**63:
            raise RangeError("the merged Gram matrix passes 64 bits: rescale the labels, or shift them towards 0")
        most = min((tally.most for tally in tallies if tally.most is not None), default=None)
        thinned = max(tally.thinned for tally in tallies)
        parts = [tally._thin(thinned) for tally in tallies]
        if most is not None and sum(part.seen.size for part in parts) > most:
            marks = [fingerprints(part.seen) for part in parts]
            thinned = _level(np.concatenate(marks), len(parts[0].gram) - 1, most, max(part.thinned for part in parts))
            parts = [part._kept(mark <= _limit(thinned), thinned) for part, mark in zip(parts, marks, strict=True)]
        seen, counts = distinct(
            np.concatenate([part.seen for part in parts]), np.concatenate([part.counts for part in parts])
        )
        gram = sum((tally.gram for tally in tallies[1:]), tallies[0].gram)
        return cls(sum(tally.n for tally in tallies), gram, seen, counts, None, most, thinned)

    def minable(self) -> Tally:
        """The tally of the kept labels and no others, in 64 bits: of one piece, so that it can be mined.

        Where they are a sample, the Gram matrix of all labels may know values that no kept label has.
        """
        seen = frozen(self.seen.astype(np.int64, copy=False))
        if not self.thinned:
            return replace(self, seen=seen)
        if len(self.seen) < 2:
            raise DataError("fewer than two of the distinct labels could be kept: raise most_kept")
        return Tally(int(self.counts.sum()), gram_of_counted(seen, self.counts), seen, self.counts)

    def _thin(self, thinned: int = 0) -> Tally:
        """The same with a smaller sample, if there are too many labels or a smaller one is asked for."""
        if thinned <= self.thinned and (self.most is None or self.seen.size <= self.most):
            return self
        kept, thinned = _fair(self.seen, self.most, max(thinned, self.thinned))
        return self if thinned == self.thinned else self._kept(kept, thinned)

    def _kept(self, kept: BoolArray, thinned: int) -> Tally:
        return replace(self, seen=frozen(self.seen[kept]), counts=frozen(self.counts[kept]), thinned=thinned)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tally)
            and (self.n, self.thinned) == (other.n, other.thinned)
            and all(np.array_equal(getattr(self, part), getattr(other, part)) for part in ("gram", "seen", "counts"))
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        """Seen labels in as few bytes as they need: tallies travel between processes."""
        binary = self.seen.size > 0 and self.seen.min() >= 0 and self.seen.max() <= 1
        seen = np.packbits(self.seen.astype(bool, copy=False), axis=1) if binary else self.seen
        return vars(self) | {"seen": seen, "binary": binary}

    def __setstate__(self, state: dict[str, Any]) -> None:
        seen = state["seen"]
        if state.pop("binary"):
            seen = np.unpackbits(seen, axis=1, count=len(state["gram"]) - 1)
        for name, value in (state | {"seen": frozen(seen)}).items():
            object.__setattr__(self, name, value)


class Pile:
    """Tallies of blocks as they come, each merged with others of its size; the order and the blocks do not matter."""

    def __init__(self, most: int | None, start: Tally | None = None) -> None:
        self._most = most
        self._stack = [] if start is None else [start]

    def add(self, labels: NDArray[Any]) -> None:
        """Count a block of labels."""
        self._stack.append(Tally.of(labels, self._most, self._stack[0].thinned if self._stack else 0))
        while len(self._stack) > 1 and len(self._stack[-2].seen) <= 2 * len(self._stack[-1].seen):
            self._merge()

    def total(self) -> Tally:
        """The tally of all blocks so far."""
        if not self._stack:
            raise DataError("labels are empty: give at least one example")
        while len(self._stack) > 1:
            self._merge()
        return self._stack[0]

    def _merge(self) -> None:
        self._stack[-2:] = [self._stack[-2] + self._stack[-1]]


def _fair(labels: NDArray[Any], most: int | None, thinned: int) -> tuple[BoolArray, int]:
    """The labels whose hash begins with `thinned` zeros; more zeros while they are too many, for distinct ones."""
    if not thinned and (most is None or labels.size <= most):
        return np.ones(len(labels), bool), 0
    marks = fingerprints(labels)
    if most is not None:
        thinned = _level(marks, labels.shape[1], most, thinned)
    return np.asarray(marks <= _limit(thinned)), thinned


def _level(marks: NDArray[np.uint64], width: int, most: int, thinned: int) -> int:
    """How far to thin rows of so many entries, of which there must not be more than `most` in distinct rows."""
    while thinned < MOST_THINNED and width * len(np.unique(marks[marks <= _limit(thinned)])) > most:
        thinned += 1
    return thinned


def _limit(thinned: int) -> np.uint64:
    return np.uint64(2 ** (64 - thinned) - 1)


def gram_of(labels: NDArray[Any]) -> IntArray:
    """The integer Gram matrix of [labels, 1]; through floats where every sum provably fits them.

    0/1 columns, which are most, need only half the float that others may.
    """
    if not labels.size or (labels.min() >= 0 and labels.max() <= 1):
        return _gram_of_bits(labels)
    bordered = np.column_stack([labels, np.ones(len(labels), np.int64)])
    span = np.maximum(np.abs(bordered.max(axis=0)), np.abs(bordered.min(axis=0)))
    wide = np.flatnonzero(span > 1)
    if len(wide) > len(span) // 2 or len(labels) >= 2**24:
        return linalg.product(bordered.T, bordered)
    narrow = np.flatnonzero(span <= 1)
    gram = np.zeros((len(span), len(span)), np.int64)
    floats = bordered[:, narrow].astype(np.float32)
    gram[np.ix_(narrow, narrow)] = (floats.T @ floats).astype(np.int64)
    rest = linalg.product(bordered[:, wide].T, bordered)
    gram[wide], gram[:, wide] = rest, rest.T
    return gram


def gram_of_counted(seen: IntArray, counts: IntArray) -> IntArray:
    """The Gram matrix of labels that came so often each."""
    bordered = np.column_stack([seen, np.ones(len(seen), np.int64)])
    return linalg.product((bordered * counts[:, None]).T, bordered)


def _gram_of_bits(labels: NDArray[Any]) -> IntArray:
    """The same for 0/1 labels, in chunks of so few rows that no count passes what a 32-bit float holds.

    Counts are added up through 64-bit floats, exactly: no array has 2⁵³ rows.
    """
    width = labels.shape[1] + 1
    step = max(1, budgets.GRAM_CHUNK_ENTRIES // width)
    gram = np.zeros((width, width), np.int64)
    floats, counts = np.ones((min(step, len(labels)), width), np.float32), np.empty((width, width), np.float32)
    for start in range(0, len(labels), step):  # in the same memory: fresh pages cost a tenth of the time
        part = floats[: len(labels) - start]
        part[:, :-1] = labels[start : start + step]
        np.add(gram, np.matmul(part.T, part, out=counts), out=gram, casting="unsafe")
    return gram
