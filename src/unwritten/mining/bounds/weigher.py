"""Weigh the rows of a family: the evidence for a bound on each of them, and on all of them together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log

import numpy as np

from unwritten import budgets
from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.evidence.doubt import WEIGHTS
from unwritten.evidence.tails import ratio_nats, tail_nats
from unwritten.mining.bounds.bound_claims import Bound, Claim, Level
from unwritten.mining.bounds.histograms import Histograms
from unwritten.mining.independent_sums import IndependentSums
from unwritten.mining.row_families import RowFamily
from unwritten.tally import Tally

AT_BOUND = 8.0  # least labels at a bound: fewer do not show where it is
TRIMMED = 0.25  # share of the rows that pile up most at the bound: the others must have enough evidence without them
SELDOM = 0.05
"""Share of independent labels that a bound on a sum of integers must exclude.

If integers must differ, a few sums never occur; a bound on the sum should not be stated for that reason."""
FEW_LIMITED = 0.5  # a bound is doubtful if a smaller share of its family's rows have one: rules apply to families
REACHED = 0.75  # share of the rows of a family that must reach the bound


@dataclass(frozen=True, eq=False)
class SignedSums:
    """One side of the rows of a family: their sums (m × n) times `sign`, and what they can reach at most."""

    family: RowFamily
    sign: int
    sums: IntArray
    histograms: Histograms
    reach: IntArray

    def bound(self, row: int, most: int) -> Bound:
        """The row as a bound."""
        columns, values = self.family.row(row)
        return Bound(columns, self.sign * values, most)


@dataclass(frozen=True, eq=False)
class Weigher:
    """Weighs families by the labels of a tally.

    Parameters
    ----------
    margin
        The nats that evidence needs beyond the price.
    level
        What its claims are compared with when luck is judged.
    rows, families
        The numbers of rows and of families that are weighed at all; their logarithms are the prices.
    """

    tally: Tally
    independent: IndependentSums
    margin: float
    rows: int
    families: int
    level: Level

    def claims(self, family: RowFamily) -> Iterator[Claim]:
        """The rules and near-rules on the rows of one family."""
        for part in family.parts(budgets.BOUND_ENTRIES // max(len(self.tally.seen), 2 * budgets.BOUND_SPAN)):
            yield from self._claims(part)

    def _claims(self, family: RowFamily) -> Iterator[Claim]:
        sums = np.asarray(family.rows @ self.tally.seen.T)
        varies = np.flatnonzero(sums.max(axis=1) > sums.min(axis=1))
        values = int(sums.max(initial=0) - sums.min(initial=0))
        if not len(varies) or len(varies) * values > 4 * budgets.BOUND_ENTRIES:  # sums that are no counts
            return
        family, sums = RowFamily(family.rows[varies], family.pooled), sums[varies]
        low, high = self.independent.ends(family)
        for sign, reach in ((1, high), (-1, -low)):
            signed = sign * sums
            side = SignedSums(family, sign, signed, Histograms.of(signed, self.weights), reach)
            together = list(self._together(side)) if family.pooled and len(family) > 1 else []
            yield from together
            if self.level == "slice" or not family.pooled or len(family) == 1:  # others are too many to judge each
                bounds = [bound.most for claim in together if not claim.exceptions for bound in claim.bounds]
                yield from self._alone(side, min(bounds, default=None))

    @property
    def weights(self) -> FloatArray:
        """What each distinct label counts."""
        return np.asarray(self.tally.weight * self.tally.counts)

    def _alone(self, side: SignedSums, together: int | None) -> Iterator[Claim]:
        """Claims on single rows, unless all rows together have this bound or a lower one."""
        histograms = side.histograms
        rows, places = histograms.near_bounds(len(WEIGHTS))
        most = histograms.top - histograms.step * places
        useful = most < side.reach[rows]
        if together is not None:
            useful &= most < together
        rows, places, most = rows[useful], places[useful], most[useful]
        price = log(2 * self.rows) + log(len(histograms.scales()))
        nats = self._nats(side, rows, places, price + self.margin)
        strong = np.flatnonzero(nats >= price + self.margin)
        exceptions = histograms.above[rows, places]
        limited = len(np.unique(rows[strong[exceptions[strong] == 0]]))
        lonely = side.family.pooled and together is None and limited < FEW_LIMITED * len(side.family)
        for k in strong.tolist():
            bound = side.bound(int(rows[k]), int(most[k]))
            yield Claim(self.level, (bound,), float(nats[k]), price, float(exceptions[k]), lonely=lonely)

    def _nats(self, side: SignedSums, rows: IntArray, places: IntArray, least: float) -> FloatArray:
        """The evidence for each row and place against its best rival."""
        nats = np.zeros(len(rows))
        histograms = side.histograms
        edges = [histograms.edge(rows, places, width) for width in histograms.scales()]
        tails = [np.where(edge[:, 0] >= AT_BOUND, tail_nats(edge, least), 0.0) for edge in edges]
        strong = np.flatnonzero(np.max(tails, axis=0, initial=0.0) >= least)
        if not len(strong):
            return nats
        total = self.weights.sum()
        for width, tail, edge in zip(histograms.scales(), tails, edges, strict=True):
            chosen = strong[tail[strong] >= least]
            beyond, at = self._expected(side, rows[chosen], places[chosen], width)
            against = np.minimum(total * beyond, ratio_nats(edge[chosen, 0], beyond / np.maximum(at, 1e-12)))
            against[beyond < self._seldom(side.family)] = 0.0
            nats[chosen] = np.maximum(nats[chosen], np.minimum(against, tail[chosen]))
        return np.round(nats, 9)

    def _expected(
        self, side: SignedSums, rows: IntArray, places: IntArray, width: int
    ) -> tuple[FloatArray, FloatArray]:
        """The shares of independent labels beyond the bound, and in the bin at it."""
        beyond, at = np.zeros(len(rows)), np.zeros(len(rows))
        distinct, where = np.unique(rows, return_inverse=True)
        distributions = self.independent.distributions(side.family, distinct) if len(rows) else None
        if distributions is None:
            return beyond, at
        least, table = distributions
        step = side.histograms.step
        ahead = side.sign * (least[where.ravel(), None] + np.arange(table.shape[1]))
        ahead -= (side.histograms.top - step * places)[:, None]
        chances = table[where.ravel()]
        beyond = np.where(ahead > 0, chances, 0.0).sum(axis=1)
        at = np.where((ahead <= 0) & (ahead > -step * width), chances, 0.0).sum(axis=1)
        return beyond, at

    def _together(self, side: SignedSums) -> Iterator[Claim]:
        """Claims on all rows of a family at once, for each value that few labels pass in any of them."""
        histograms = side.histograms
        everything = np.arange(len(side.family))
        _, places = histograms.pooled(everything).near_bounds(len(WEIGHTS))
        price = log(2 * self.families) + log(len(histograms.scales()))
        for place in places.tolist():
            most = histograms.top - histograms.step * place
            rows = np.flatnonzero(side.reach > most)
            if len(rows) < 2:
                continue
            exceptions = float(histograms.above[rows, place].sum())
            reached = histograms.above[rows, place + 1] > 0
            if exceptions > len(WEIGHTS) or reached.mean() < REACHED:
                continue
            nats = self._nats_together(side, rows, place, price + self.margin)
            if nats >= price + self.margin:
                bounds = tuple(side.bound(int(row), most) for row in rows)
                yield Claim(self.level, bounds, nats, price, exceptions, side.family.disjoint(rows))

    def _nats_together(self, side: SignedSums, rows: IntArray, place: int, least: float) -> float:
        """The evidence for one bound on these rows, without those that pile up most at it."""
        histograms = side.histograms
        at_bound = histograms.above[rows, place + 1] - histograms.above[rows, place]
        order = np.argsort(at_bound, kind="stable")
        rows = rows[order[: len(rows) - ceil(TRIMMED * len(rows))]]
        pooled = histograms.pooled(rows)
        best = 0.0
        for width in histograms.scales():
            clumped = self._clumping(side.sums[rows] > histograms.top - histograms.step * (place + width))
            edge = pooled.edge(np.zeros(1, np.int64), np.array([place]), width) / clumped
            tail = float(tail_nats(edge, least)[0]) if edge[0, 0] >= AT_BOUND else 0.0
            if tail < max(least, best):
                continue
            beyond, at = self._expected(side, rows, np.full(len(rows), place), width)
            if beyond.mean() < self._seldom(side.family):
                continue
            ratio = beyond.sum() / max(at.sum(), 1e-12)
            against = min(self.weights.sum() * float(beyond.sum()) / clumped, float(ratio_nats(edge[0, :1], ratio)[0]))
            best = max(best, min(tail, against))
        return round(best, 9)

    def _seldom(self, family: RowFamily) -> float:
        """The share of independent labels that a bound must exclude."""
        numbers = not self.independent.binary[family.rows.indices].all()
        return SELDOM if numbers and bool((family.rows.data > 0).all()) else 0.0

    def _clumping(self, near: BoolArray) -> float:
        """How many rows of a label are near the bound together, compared with rows that are so independently.

        This is the variance of their number over its mean; at least 1.
        """
        number, share = near.sum(axis=0), self.weights / self.weights.sum()
        mean = float(share @ number)
        return max(1.0, float(share @ (number - mean) ** 2) / mean) if mean else 1.0
