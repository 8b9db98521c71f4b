"""Links: bounds of an integer that depend on a 0/1 column, such as x ≤ 8·open and x ≥ 2·open.

Let x have the bounds l..u, and let no label in which a literal is true have x above b < u. Then x ≤ b whenever the
literal is true: x + (u − b)·literal ≤ u. With the literal "not open" and b = 0 this is x ≤ u·open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import log

import numpy as np

from unwritten.data import BoolArray, FloatArray, IntArray
from unwritten.data.layout import Axis, Layout
from unwritten.evidence.doubt import WEIGHTS
from unwritten.evidence.tails import ratio_nats, tail_nats
from unwritten.mining.bounds.bound_claims import Bound, Claim
from unwritten.mining.bounds.histograms import Histograms
from unwritten.mining.bounds.weigher import AT_BOUND, REACHED, Weigher


def linked_pairs(layout: Layout, integers: IntArray, binary: IntArray) -> list[IntArray]:
    """For grids of integers and of 0/1 columns whose axes agree, the pairs of columns with the same indices (k × 2).

    A 0/1 column may be constant: what holds for all other pairs holds for its pair too.
    """
    families = []
    for numbers, switches in product(layout.grids, repeat=2):
        where = [_same_axis(axis, numbers.axes) for axis in switches.axes]
        if None in where or len(set(where)) < len(where):
            continue
        chosen = [at for at in where if at is not None]
        rest = [k for k in range(len(numbers.axes)) if k not in chosen]
        along = np.transpose(numbers.places, [*chosen, *rest]).reshape(*switches.places.shape, -1)
        pairs = np.stack(np.broadcast_arrays(along, switches.places[..., None]), axis=-1).reshape(-1, 2)
        pairs = pairs[np.isin(pairs[:, 0], integers) & np.isin(pairs[:, 1], binary)]
        if len(pairs) > 1:
            families.append(pairs)
    return families


def _same_axis(axis: Axis, axes: Sequence[Axis]) -> int | None:
    """The place of the axis with the same values."""
    return next((k for k, other in enumerate(axes) if other.values == axis.values), None)


def link_claims(
    weigher: Weigher, integers: IntArray, binary: IntArray, families: Sequence[IntArray]
) -> Iterator[Claim]:
    """The rules and near-rules that link each of the integers with each 0/1 column.

    `families` are pairs (k × 2) of an integer and a 0/1 column whose indices agree; they are believed together.
    """
    if not len(integers) or not len(binary):
        return
    for sign, value in product((1, -1), (0, 1)):
        together: dict[bytes, int] = {}
        for pairs in families:
            links = _Links.of(weigher, sign, value, pairs)
            for claim, most in links.together(log(4 * len(families))):
                yield claim
                if not claim.exceptions:
                    together |= {pair.tobytes(): most for pair in pairs}
        for j in binary.tolist():
            links = _Links.of(weigher, sign, value, np.column_stack([integers, np.full(len(integers), j)]))
            yield from links.alone(together)


@dataclass(frozen=True, eq=False)
class _Links:
    """Pairs of an integer and a 0/1 column; histograms of the integer times `sign`, where the column is `value`.

    `whole` counts all labels, in the same places.
    """

    weigher: Weigher
    sign: int
    value: int
    pairs: IntArray
    upper: IntArray
    shown: Histograms
    whole: Histograms

    @classmethod
    def of(cls, weigher: Weigher, sign: int, value: int, pairs: IntArray) -> _Links:
        """Count the labels in which the literal is true, and all labels."""
        seen, variables = weigher.tally.seen, weigher.independent.variables
        upper = sign * (variables.upper if sign > 0 else variables.lower)[pairs[:, 0]]
        numbers = sign * seen[:, pairs[:, 0]].T
        true = value == seen[:, pairs[:, 1]].T
        whole = Histograms.of(numbers, weigher.weights)
        if len(np.unique(pairs[:, 1])) > 1:  # pairs of one form: what one integer reaches, others can reach, too
            upper = np.full_like(upper, upper.max())
        return cls(weigher, sign, value, pairs, upper, Histograms.of(numbers, weigher.weights * true), whole)

    def alone(self, together: dict[bytes, int]) -> Iterator[Claim]:
        """Claims on single pairs, unless they follow from what is believed together."""
        rows, places = self.shown.near_bounds(len(WEIGHTS))
        most = self._values(places)
        below = np.array(
            [together.get(pair.tobytes(), int(top)) for pair, top in zip(self.pairs, self.upper, strict=True)]
        )
        useful = (most < below[rows]) & self._is_settled(self._at_upper())[rows]
        rows, places, most = rows[useful], places[useful], most[useful]
        price = log(self.weigher.rows) + log(len(self.shown.scales()))
        nats = _nats(self.shown, self.whole, rows, places, price + self.weigher.margin)
        for k in np.flatnonzero(nats >= price + self.weigher.margin).tolist():
            bounds = (self._bound(int(rows[k]), int(most[k])),)
            yield Claim("link", bounds, float(nats[k]), price, float(self.shown.above[rows[k], places[k]]))

    def together(self, price: float) -> Iterator[tuple[Claim, int]]:
        """Claims on all pairs, each with its bound."""
        price += log(len(self.shown.scales()))
        if not self._is_settled(self._at_upper().sum()):
            return
        _, places = self.shown.pooled(np.arange(len(self.pairs))).near_bounds(len(WEIGHTS))
        for place, most in zip(places.tolist(), self._values(places).tolist(), strict=True):
            rows = np.flatnonzero(self.upper > most)
            exceptions = float(self.shown.above[rows, place].sum())
            reached = self.shown.above[rows, place + 1] > 0
            if len(rows) < 2 or exceptions > len(WEIGHTS) or reached.mean() < REACHED:
                continue
            pooled = self.shown.pooled(rows), self.whole.pooled(rows)
            nats = _nats(*pooled, np.zeros(1, np.int64), np.array([place]), price + self.weigher.margin)
            if nats[0] >= price + self.weigher.margin:
                bounds = tuple(self._bound(int(row), most) for row in rows)
                yield Claim("link", bounds, float(nats[0]), price, exceptions, len(rows)), most

    def _at_upper(self) -> FloatArray:
        """How many labels have each integer at its upper bound."""
        places = np.clip((self.whole.top - self.upper) // self.whole.step, 0, self.whole.values - 1)
        rows = np.arange(len(self.pairs))
        reached = self.whole.top - self.whole.step * places == self.upper
        return np.asarray(reached * (self.whole.above[rows, places + 1] - self.whole.above[rows, places]))

    def _is_settled(self, at_upper: FloatArray) -> BoolArray:
        """Where the upper bound of the integer was declared, or enough labels are at it.

        The row holds this bound too, for labels in which the literal is false.
        """
        return np.asarray((at_upper >= AT_BOUND) | self.weigher.independent.variables.declared)

    def _values(self, places: IntArray) -> IntArray:
        return np.asarray(self.shown.top - self.shown.step * places)

    def _bound(self, row: int, most: int) -> Bound:
        """x + (u − b)·literal ≤ u as a bound."""
        top = int(self.upper[row])
        factor = top - most
        values = np.array([self.sign, factor if self.value else -factor], np.int64)
        return Bound(self.pairs[row], values, top if self.value else most)


def _nats(shown: Histograms, whole: Histograms, rows: IntArray, places: IntArray, least: float) -> FloatArray:
    """The evidence for bounds at some places, against tails that go on and integers that ignore the literal."""
    nats = np.zeros(len(rows))
    all_labels = whole.above[rows, -1]
    beyond = whole.above[rows, places] / all_labels
    for width in shown.scales():
        edge = shown.edge(rows, places, width)
        at = whole.edge(rows, places, width)[:, 0] / all_labels
        tail = np.where(edge[:, 0] >= AT_BOUND, tail_nats(edge, least), 0.0)
        against = np.minimum(shown.above[rows, -1] * beyond, ratio_nats(edge[:, 0], beyond / np.maximum(at, 1e-12)))
        nats = np.maximum(nats, np.minimum(tail, against))
    return np.round(nats, 9)
