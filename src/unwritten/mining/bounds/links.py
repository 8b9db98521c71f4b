"""Links: bounds of an integer that depend on a 0/1 column, such as x ≤ 8·open and x ≥ 2·open.

Let x have the bounds l..u, and let no label in which a literal is true have x above b < u. Then x ≤ b whenever the literal
is true: x + (u − b)·literal ≤ u. With the literal "not open" and b = 0 this is x ≤ u·open.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log

import numpy as np

from unwritten.data import FloatArray, IntArray
from unwritten.evidence.doubt import WEIGHTS
from unwritten.mining.bounds.claims import Bound, Claim
from unwritten.mining.bounds.evidence import ratio_nats, tail_nats
from unwritten.mining.bounds.histograms import Histograms
from unwritten.mining.bounds.weighing import AT_BOUND, Weigher


def link_claims(weigher: Weigher, integers: IntArray, binary: IntArray) -> Iterator[Claim]:
    """The rules and near-rules that link each of the integers with each 0/1 column."""
    seen, variables = weigher.tally.seen, weigher.independent.variables
    if not len(integers) or not len(binary):
        return
    for sign in (1, -1):
        upper = sign * (variables.upper if sign > 0 else variables.lower)[integers]
        numbers = sign * seen[:, integers].T
        whole = Histograms.of(numbers, weigher.weights)
        for j in binary.tolist():
            for value in (0, 1):
                true = seen[:, j] == value
                if true.any() and not true.all():
                    yield from _conditional(weigher, numbers, whole, upper, (sign, integers, j, value))


def _conditional(
    weigher: Weigher,
    numbers: IntArray,
    whole: Histograms,
    upper: IntArray,
    which: tuple[int, IntArray, int, int],
) -> Iterator[Claim]:
    """Claims on numbers (k × n) in the labels in which column j has this value."""
    sign, integers, j, value = which
    true = weigher.tally.seen[:, j] == value
    shown = Histograms.of(numbers[:, true], weigher.weights[true])
    rows, places = shown.near_bounds(len(WEIGHTS))
    most = shown.top - shown.step * places
    useful = most < upper[rows]
    rows, places, most = rows[useful], places[useful], most[useful]
    price = log(weigher.rows) + log(len(shown.scales()))
    nats = np.zeros(len(rows))
    labels = float(weigher.weights[true].sum())
    for width in shown.scales():
        edge = shown.edge(rows, places, width)
        tail = np.where(edge[:, 0] >= AT_BOUND, tail_nats(edge, price + weigher.margin), 0.0)
        reach = width * shown.step
        beyond = _share(whole, rows, most, None)
        next_to, at = _share(whole, rows, most, reach), _share(whole, rows, most - reach, reach)
        against = np.minimum(labels * beyond, ratio_nats(edge[:, 0], next_to / np.maximum(at, 1e-12)))
        nats = np.maximum(nats, np.minimum(tail, against))
    for k in np.flatnonzero(nats >= price + weigher.margin).tolist():
        column, top = int(integers[rows[k]]), int(upper[rows[k]])
        factor = top - int(most[k])
        values = np.array([sign, factor if value else -factor], np.int64)
        bound = Bound(np.array([column, j]), values, top if value else int(most[k]))
        yield Claim("link", (bound,), round(float(nats[k]), 9), price, float(shown.above[rows[k], places[k]]))


def _share(whole: Histograms, rows: IntArray, above: IntArray, reach: int | None) -> FloatArray:
    """The share of all labels whose number is above a value, by at most `reach`."""
    start = np.clip(-((above - whole.top) // whole.step), 0, whole.values)  # places 0 … start − 1 are above
    end = np.zeros_like(start) if reach is None else np.clip(-((above + reach - whole.top) // whole.step), 0, whole.values)
    return np.asarray((whole.above[rows, start] - whole.above[rows, end]) / whole.above[rows, -1])
