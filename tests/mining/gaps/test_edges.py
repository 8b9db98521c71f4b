"""How long tasks last, also where one order of two tasks is rare or never occurs."""

from __future__ import annotations

from unwritten.mining.gaps.edges import Times
from unwritten.mining.gaps.holes import CountsBeside, WideRun

NOTHING = CountsBeside((0, 0, 0), 0)
CLIFF = CountsBeside((60, 40, 30), 60)
FALLING = CountsBeside((10, 20, 30), 90)


def run(start: int, end: int, left: CountsBeside, right: CountsBeside) -> WideRun:
    return WideRun(start, end, left, right, 50.0)


def test_both_orders() -> None:
    """Edges on both sides are claimed as they are."""
    assert Times({(0, 1): run(-2, 3, CLIFF, CLIFF)}, [(0, 1), (1, 0)], 5.0).gaps() == {(0, 1): (-3, 4)}


def test_counts_that_fall_have_no_edge_of_their_own() -> None:
    """A side whose counts fall towards the run takes the time from other pairs, or the pair is left out."""
    alone = {(0, 1): run(-2, 3, CLIFF, FALLING)}
    assert Times(alone, [(0, 1)], 5.0).gaps() == {}
    with_other = alone | {(1, 2): run(-3, 1, CLIFF, CLIFF)}
    gaps = Times(with_other, [(0, 1), (1, 2), (2, 1)], 5.0).gaps()
    assert gaps == {(0, 1): (-3, 4), (1, 2): (-4, 2)}


def test_an_order_that_never_occurs() -> None:
    """The later task lasts as long as with others; the earlier one must do so too, or another task is between them."""
    known = {(0, 1): run(-2, 3, CLIFF, CLIFF)}
    cliffs = [(0, 1), (1, 0), (0, 2)]
    assert Times(known | {(0, 2): run(-2, 0, CLIFF, NOTHING)}, cliffs, 5.0).gaps()[0, 2] == (-3, 1)
    assert (0, 2) not in Times(known | {(0, 2): run(-5, 0, CLIFF, NOTHING)}, cliffs, 5.0).gaps()
    assert Times(known | {(1, 2): run(-3, 0, CLIFF, NOTHING)}, [*cliffs, (1, 2)], 5.0).gaps()[1, 2] == (-4, 1)
