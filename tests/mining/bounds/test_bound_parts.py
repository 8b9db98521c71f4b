"""The parts of the miner of bounds: tails, histograms, scopes, reduction, covers that a bound explains."""

from __future__ import annotations

from itertools import product

import numpy as np

import unwritten
from unwritten.data.layout import Axis, Grid, Layout
from unwritten.evidence.tails import tail_nats
from unwritten.mining.bounds.bound_claims import Bound
from unwritten.mining.bounds.histograms import Histograms
from unwritten.mining.bounds.reduction import without_shortcuts
from unwritten.mining.bounds.telling_bounds import telling
from unwritten.mining.scopes import part_families, slice_families


def grid(*shape: int, ordered: bool = True) -> Layout:
    """A layout of one grid."""
    axes = tuple(Axis(f"axis {k}", tuple(map(str, range(size))), ordered) for k, size in enumerate(shape))
    return Layout((Grid("x", axes, np.arange(np.prod(shape)).reshape(shape)),))


def scopes(templates: object) -> set[tuple[int, ...]]:
    return {tuple(template.row(i)[0].tolist()) for template in templates for i in range(len(template))}  # type: ignore[attr-defined]


def test_a_tail_that_ends_and_one_that_goes_on() -> None:
    """Counts that pile up are evidence; counts that thin out, in proportion or faster, are none."""
    piled, thinning, normal = [80.0, 90, 85], [4.0, 8, 16], [3.0, 20, 70]
    nats = tail_nats(np.array([piled, thinning, normal]), 3.0)
    assert nats[0] > 20
    assert nats[1:].tolist() == [0.0, 0.0]


def test_evidence_grows_with_the_examples() -> None:
    """Twice the counts give twice the nats: the likelihood ratio is a sum over examples."""
    one, two = tail_nats(np.array([[50.0, 60, 55], [100, 120, 110]]), 1.0)
    assert abs(two - 2 * one) < 1e-6


def test_histograms_count_from_the_top() -> None:
    """Values that come in steps of two are counted in steps of two."""
    histograms = Histograms.of(np.array([[0, 2, 2, 4, 6, 6]]), np.ones(6))
    assert (histograms.top, histograms.step) == (6, 2)
    assert histograms.above.tolist() == [[0, 2, 3, 5, 6]]
    rows, places = histograms.near_bounds(3)
    assert list(zip(rows.tolist(), places.tolist(), strict=True)) == [(0, 0), (0, 1), (0, 2)]
    assert histograms.edge(rows[:1], places[:1], 1).tolist() == [[2, 1, 2]]


def test_slices_of_a_grid() -> None:
    """Rows, columns and the whole of a 2 × 3 grid."""
    found = scopes(slice_families(grid(2, 3), np.ones(6, bool)))
    assert found == {(0, 1, 2), (3, 4, 5), (0, 3), (1, 4), (2, 5), (0, 1, 2, 3, 4, 5)}


def test_windows_need_an_order() -> None:
    """Windows along an ordered axis; without an order and with many values there are none."""
    assert (2, 3, 4) in scopes(part_families(grid(8), np.ones(8, bool)))
    assert not scopes(part_families(grid(8, ordered=False), np.ones(8, bool)))


def test_some_values_diagonals_and_stars() -> None:
    """Two of three values, the diagonals of a square, and the edges at a node."""
    found = scopes(part_families(grid(3, 3, ordered=False), np.ones(9, bool)))
    assert (0, 2) in found  # two of three values
    assert {(0, 4, 8), (2, 4, 6), (1, 5)} <= found
    assert (0, 1, 2, 3, 6) in found  # all that has index 0


def test_places_without_a_column_are_left_out() -> None:
    """A grid with missing cells and columns of another kind has only scopes of the columns that are there."""
    layout = grid(2, 3)
    layout.grids[0].places.setflags(write=True)
    layout.grids[0].places[0, 2] = -1
    columns = np.array([True, True, True, True, False, True])
    found = scopes(slice_families(layout, columns))
    assert (0, 1) in found
    assert (3, 5) in found
    assert all(4 not in scope for scope in found)


def test_shortcuts_are_dropped_and_ties_are_kept() -> None:
    """A path of two differences implies the third; two columns that bound each other both ways keep both rows."""

    def order(i: int, j: int, most: int) -> Bound:
        return Bound(np.array([i, j]), np.array([1, -1]), most)

    network = [order(0, 1, -2), order(1, 2, -3), order(0, 2, -5), order(0, 3, -1)]
    assert without_shortcuts(network) == [network[0], network[1], network[3]]
    tighter = [network[0], network[1], order(0, 2, -6)]
    assert without_shortcuts(tighter) == tighter
    tied = [order(0, 1, 0), order(1, 0, 0)]
    assert without_shortcuts(tied) == tied


def test_a_bound_that_excludes_nothing_new_says_nothing() -> None:
    """The second bound excludes only what the first one does."""
    labels = np.array(list(product(range(3), repeat=2)))
    first, second = (Bound(np.array([0, 1]), np.array([1, 1]), most) for most in (2, 3))
    kept, left = telling([first, second], labels)
    assert kept == [first]
    assert left.sum(axis=1).max() == 2


def test_far_columns_of_no_bound_do_not_matter() -> None:
    """The sums of a bound are compared in 64 bits, whatever the values of other columns are."""
    labels = np.array([[0, 1, 2**62], [1, 1, -(2**62)], [2, 1, 2**62]])
    bound = Bound(np.array([0, 1]), np.array([1, 1]), 2)
    kept, left = telling([bound], labels)
    assert kept == [bound]
    assert left.tolist() == labels[:2].tolist()
    assert telling([], labels)[1].tolist() == labels.tolist()


def test_a_bound_explains_covers() -> None:
    """With "at least three of seven" known, "at least one of four of them" needs evidence of its own."""
    rng = np.random.default_rng(0)
    weeks = (rng.random((400_000, 7)) < 0.5).astype(int)
    weeks = weeks[(weeks.sum(axis=1) >= 3) & (weeks.sum(axis=1) <= 5)]
    labels = weeks[: 500 * 16].reshape(500, 112)
    names = [f"works[{i},week{w},{day}]" for i, w, day in product(range(8), (1, 2), range(7))]
    model = unwritten.mine(labels, names=names)
    fresh = weeks[8_000:40_000].reshape(2_000, 112)
    assert len(model.rules) == 32
    assert model.rules.obeyed_by(fresh).all()
