"""Binary matroids: where k independent covers have full rank on every label of size k, labels are bases.

Then the greedy algorithm is exact for every query. The labels could still be only some of the bases, as assignments
are of "one per row": `mine_matroid` fits on some examples, and refuses what the others or their weights refute.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from unwritten import budgets
from unwritten.data import TOLERANCE, BoolArray, FloatArray, IntArray, among
from unwritten.evidence.chance import MARGIN, log_choose, unseen
from unwritten.mining.covers import covers

REPEATED, KNOWN = 0.2, 0.7  # where labels repeat so often, random bases must repeat them this much as often
FAR = 4.0  # standard deviations between these batches that count as too many
ROUNDS = 6  # of fitting the shares of random bases to those of the labels
HELD_OUT = 0.2


@dataclass(frozen=True, eq=False)
class Matroid:
    """The sets of columns that are independent in a 0/1 matrix (R × d) over GF(2); its rows are cocircuits."""

    cocircuits: IntArray
    rank: int

    @cached_property
    def _codes(self) -> Any:
        from unwritten.mining.gf2 import packed

        return packed(self.cocircuits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matroid) and np.array_equal(self.cocircuits, other.cocircuits)

    __hash__ = None  # type: ignore[assignment]

    @property
    def text(self) -> str:
        """What it is, in words."""
        return f"every label is a spanning set of {self.rank} cuts, with no redundant element (a basis of a matroid)"

    def _take(self, order: IntArray, most: int) -> IntArray:
        from unwritten.mining.gf2 import take

        taken: IntArray = take(self._codes, np.ascontiguousarray(order, np.int64), most)
        return taken

    def rank_of(self, columns: IntArray) -> int:
        """The rank of a set of columns."""
        return int(self._take(np.atleast_2d(columns), self.rank).sum())

    def independent(self, columns: IntArray) -> bool:
        """Whether a set of columns has no dependent subset."""
        return self.rank_of(columns) == len(columns)

    def is_basis(self, labels: IntArray) -> BoolArray:
        """Which 0/1 rows (m × d) are bases."""
        result: BoolArray = ((labels == 0) | (labels == 1)).all(axis=1) & (labels.sum(axis=1) == self.rank)
        chosen = np.nonzero(labels[result])[1].reshape(-1, self.rank)
        result[result] = self._take(chosen, self.rank).sum(axis=1) == self.rank
        return result

    def greedy(self, weights: FloatArray) -> IntArray:
        """The basis of greatest weight for each row (m × d): columns by weight while the rank grows."""
        return self._take(np.argsort(-weights, axis=1, kind="stable"), self.rank)

    def closure(self, columns: IntArray) -> IntArray:
        """The columns that add nothing to the rank of these."""
        rank = self.rank_of(columns)
        width = self.cocircuits.shape[1]
        order = np.column_stack([np.tile(columns, (width, 1)), np.arange(width)])
        return np.flatnonzero(self._take(order, self.rank + 1).sum(axis=1) == rank)

    def violated(self, label: IntArray) -> list[tuple[IntArray, int]]:
        """Rows Σ y_S ≤ r(S) that a 0/1 label breaks, as (S, r(S)), the shortest first: closed circuits of the label.

        There are none where the label is independent; if it is too small for a basis, see `missed`.
        """
        columns = np.flatnonzero(label)
        rows: dict[bytes, tuple[IntArray, int]] = {}
        for shift in range(0, len(columns), max(1, len(columns) // budgets.MATROID_ROTATIONS)):
            for circuit in self._circuits(np.roll(columns, -shift)):
                closed = self.closure(circuit)
                rows[closed.tobytes()] = closed, len(circuit) - 1
        return sorted(rows.values(), key=lambda row: (len(row[0]), row[0].tolist()))

    def _circuits(self, columns: IntArray) -> Iterator[IntArray]:
        """The circuits that columns close with those before them."""
        kept = self._take(columns[None], self.rank)[0]
        inside = columns[kept[columns] == 1]
        for column in columns[kept[columns] == 0]:
            # a member is in the circuit if the rest, with the column, still has full rank
            order = np.array([[*np.delete(inside, k), column] for k in range(len(inside))], np.int64)
            ranks = self._take(order.reshape(len(inside), len(inside)), self.rank).sum(axis=1)
            yield np.append(inside[ranks == len(inside)], column)

    def missed(self, label: IntArray) -> list[IntArray]:
        """Covers (at least one of these columns) that a 0/1 label misses because its rank is short; shortest first."""
        columns = np.flatnonzero(label)
        others = np.flatnonzero(label == 0)
        rows: dict[bytes, IntArray] = {}
        if self.rank_of(columns) == self.rank:
            return []
        for shift in range(0, len(others), max(1, len(others) // budgets.MATROID_ROTATIONS)):
            order = np.concatenate([columns, np.roll(others, -shift)])
            hyperplane = self.closure(np.flatnonzero(self._take(order[None], self.rank - 1)[0]))
            cover = np.setdiff1d(np.arange(len(label)), hyperplane)
            rows[cover.tobytes()] = cover
        return sorted(rows.values(), key=lambda row: (len(row), row.tolist()))


def stacked(labels: IntArray, found: IntArray) -> Matroid | None:
    """Covers as rows over GF(2), best first, each kept if every label still has full row rank."""
    from unwritten.mining.gf2 import least_rank, packed

    n, width = labels.shape
    sizes = labels.sum(axis=1)
    if n == 0 or (sizes != sizes[0]).any() or sizes[0] == 0:
        return None
    rank = int(sizes[0])
    seen = np.unique(labels, axis=0)
    columns = np.nonzero(seen)[1]
    starts = np.arange(len(seen) + 1) * rank
    always = np.flatnonzero(labels.all(axis=0))  # a column in every label is in every basis
    loops = np.eye(width, dtype=np.int64)[always]
    found = found[: budgets.MATROID_COVERS * rank]
    for lead in range(min(budgets.MATROID_LEADS, max(1, len(found)))):
        rows = loops
        for cover in [*found[lead : lead + 1], *found[:lead], *found[lead + 1 :]]:
            if len(rows) == rank:
                break
            more = np.vstack([rows, cover])
            if least_rank(packed(more), starts, columns, len(more)) == len(more):
                rows = more
        if len(rows) == rank:
            return Matroid(rows, rank)
    return None


def narrower(matroid: Matroid, found: IntArray, labels: IntArray, margin: float, seed: int) -> bool:
    """Whether labels avoid, too much for chance, what random bases with the same shares of columns do.

    Looked at: how many of these bases were seen, next to how many of the next labels would be; each cover that some
    basis misses; each two values of two columns that never meet in labels; and how many of these there are, next to as
    many random bases.
    """
    n, width = labels.shape
    some = labels[: budgets.MATROID_BATCH]
    bases = _random_bases(matroid, labels, budgets.MATROID_BATCHES * len(some), seed)
    repeated = 1 - unseen(np.unique(labels, axis=0, return_counts=True)[1])
    if repeated > REPEATED and among(bases, labels).mean() < KNOWN * repeated:
        return True
    for cover in found:
        if matroid.rank_of(np.flatnonzero(cover == 0)) == matroid.rank:
            chance = float((bases @ cover == 0).mean())
            if n * chance - log_choose(width, int(cover.sum())) >= margin:
                return True
    price = np.log(2 * width * max(1, width - 1))
    batches = [_meetings(batch) for batch in bases.reshape(budgets.MATROID_BATCHES, len(some), width)]
    for all_, ours, theirs in zip(_meetings(labels), _meetings(some), zip(*batches, strict=True), strict=True):
        chances = np.mean(theirs, axis=0) / len(some)
        possible = (chances > 0) & ~np.eye(width, dtype=bool)
        if ((all_ == 0) & possible & (n * chances - price >= margin)).any():
            return True
        never = np.array([((batch == 0) & possible).sum() for batch in theirs])
        if ((ours == 0) & possible).sum() > never.mean() + FAR * max(1.0, float(never.std())):
            return True
    return False


def _meetings(labels: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """How often two columns are both 1, only the second is, and neither is (d × d each); labels of one size."""
    n, width = labels.shape
    chosen = np.nonzero(labels)[1].reshape(n, -1)
    pairs = (chosen[:, :, None] * width + chosen[:, None, :]).ravel()
    both = np.bincount(pairs, minlength=width * width).reshape(width, width)  # sparse: a product would be slower
    counts = np.diag(both)
    return both, counts - both, n - counts[:, None] - counts + both


def _random_bases(matroid: Matroid, labels: IntArray, draws: int, seed: int) -> IntArray:
    """Greedy bases for random weights, shifted so that columns come about as often as in the labels."""
    noise = np.random.default_rng(seed).uniform(-1, 1, (draws, labels.shape[1]))
    shares = labels.mean(axis=0)
    shift = np.zeros(labels.shape[1])
    for _ in range(ROUNDS):
        shift += 2 * (shares - matroid.greedy(noise[: budgets.MATROID_FITTED] + shift).mean(axis=0))
    return matroid.greedy(noise + shift)


def mine_matroid(
    labels: IntArray,
    weights: FloatArray | None = None,
    sense: Literal["max", "min"] = "max",
    seed: int = 0,
) -> Matroid | None:
    """The binary matroid whose bases the labels are, or None where the examples do not bear it out.

    It is fitted on all examples, and believed if one fitted on 80 % of them makes every other label a basis. With
    weights, greedy has to reproduce the value of every label as well; this takes the place of the comparison with
    random bases.

    >>> mine_matroid(np.tile([[1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1]], (20, 1))).rank
    2
    """
    n = len(labels)
    shuffled = np.random.default_rng(seed).permutation(n)
    held, rest = shuffled[: round(n * HELD_OUT)], np.sort(shuffled[round(n * HELD_OUT) :])
    if len(held) == 0 or not _fits(
        labels[rest], labels[held], weights if weights is None else weights[held], sense, seed
    ):
        return None
    matroid = _fits(labels, labels, weights, sense, seed)
    if matroid is not None and weights is None and narrower(*matroid, labels, MARGIN, seed):
        return None
    return matroid and matroid[0]


def _fits(
    labels: IntArray, others: IntArray, weights: FloatArray | None, sense: str, seed: int
) -> tuple[Matroid, IntArray] | None:
    """The matroid of the labels and their covers, if the other labels (with their weights) do not refute it."""
    if (labels.sum(axis=1) != labels[0].sum()).any():
        return None
    for patience in budgets.MATROID_PATIENCES:
        found = covers(labels, patience=patience, seed=seed)
        matroid = stacked(labels, found)
        if matroid is not None or 2 * len(found) < labels[0].sum():
            break
    if matroid is None or not matroid.is_basis(others).all():
        return None
    if weights is not None and not reproduces(matroid, others, weights, sense):
        return None
    return matroid, found


def reproduces(matroid: Matroid, labels: IntArray, weights: FloatArray, sense: str) -> bool:
    """Whether the best basis is worth what the label is, for every row of weights."""
    signed = weights if sense == "max" else -weights
    short = ((matroid.greedy(signed) - labels) * signed).sum(axis=1)
    return bool((np.abs(short) <= TOLERANCE * np.abs(signed).sum(axis=1)).all())
