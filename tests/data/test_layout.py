"""Layouts: indices in names become grids, in the order of their values; what is not clear is in no grid."""

from __future__ import annotations

from itertools import product
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unwritten.data.index_order import index_order
from unwritten.data.layout import Layout

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SHIFTS = ("morning", "late", "night", "off")

ROSTER_STYLES = {
    "brackets": ("x[{},{},{}]", "index 1"),
    "separate brackets": ("x[{}][{}][{}]", "index 1"),
    "parentheses": ("x({}, {}, {})", "index 1"),
    "slashes": ("nurse {} / {} / {}", "nurse"),
    "bars": ("nurse {}|{}|{}", "nurse"),
    "underscores": ("x_{}_{}_{}", "index 1"),
    "labelled": ("nurse{}_{}_{}", "nurse"),
    "a value": ("nurse{}_{}={}", "nurse"),
}


@pytest.mark.parametrize(("style", "first"), ROSTER_STYLES.values(), ids=ROSTER_STYLES)
def test_styles_of_names_give_the_same_grid(style: str, first: str) -> None:
    """A roster has the same grid whatever the style of its names; only the names of axes differ."""
    names = [style.format(*index) for index in product((10, 9, 1), DAYS[::-1], SHIFTS)]
    (grid,) = Layout.of_names(names).grids
    assert [axis.values for axis in grid.axes] == [("1", "9", "10"), DAYS, SHIFTS]
    assert [axis.ordered for axis in grid.axes] == [True, True, False]
    assert [axis.name for axis in grid.axes][:2] == [first, "day"]
    for place, (nurse, day, shift) in enumerate(product(("10", "9", "1"), DAYS[::-1], SHIFTS)):
        where = tuple(axis.values.index(v) for axis, v in zip(grid.axes, (nurse, day, shift), strict=True))
        assert grid.places[where] == place


@pytest.mark.parametrize(
    ("names", "axes"),
    [
        (["r1c4=7", "r2c4=7", "r1c5=7", "r1c4=8"], [("r", "c", "value")]),
        (["r1c4", "r2c4", "r1c5"], [("r", "c")]),
        (["start[1]", "start[2]", "end[1]", "end[2]"], [("index 1",), ("index 1",)]),
        (["y3", "y4"], [("index 1",)]),
        (["nurse 3", "nurse 4", "total"], [("nurse",)]),
        (["x_1_2", "x_1_3", "x_2_2"], [("index 1", "index 2")]),
        (["x[1,2]", "x[1,3]"], [("index 2",)]),  # what all names share is no index
        (["worker 1 does task 2", "worker 1 does task 3", "worker 2 does task 2"], [("worker", "task")]),
        (["jan_open", "feb_open", "jan_closed", "feb_closed"], [("month", "index 2")]),
        (["x[mon,tue]", "x[tue,mon]"], [("day", "day 2")]),
        (["x[2024-05-01]", "x[2024-04-01]"], [("index 1",)]),
        (["job_open", "job_shut", "bay_open", "bay_shut", "pit_open", "pit_shut"], [("index 1", "index 2")]),
    ],
)
def test_axes_have_the_names_that_the_text_before_an_index_gives(names: list[str], axes: list[tuple[str, ...]]) -> None:
    """Axes are named after the text before the index, the calendar, or their number."""
    assert [tuple(axis.name for axis in grid.axes) for grid in Layout.of_names(names).grids] == axes


@pytest.mark.parametrize(
    "names",
    [
        [],
        ["y0", "y1", "y2"],  # the names of columns that have none
        ["red", "green", "blue"],
        ["first_name", "last_name", "first_day", "last_day"],  # a product, but of few words
        ["x1", "x01", "x2"],  # 1 and 01 are one number
        ["x[1,2]", "x[1, 2]", "x[1,3]"],  # two names for one place
        ["x[1]", "total"],  # a lone variable
        ["x[]", "(a)", "a//b", "/", "=", "a=", "=3", "[", "x[1", " "],
        ["mon_night", "tue_late", "total"],  # words that are not a product, with one day each
        [f"x_{i}_{i * 7919 % 1000003}" for i in range(3000)],  # numbers that are no indices: nearly all are missing
    ],
)
def test_names_that_are_not_clear_give_no_grid(names: list[str]) -> None:
    """Names that clash, are ambiguous or have no indices are in no grid, and no error is raised."""
    assert Layout.of_names(names).grids == ()


def test_missing_combinations_have_no_place() -> None:
    """Combinations that no name has are −1 in the places of a grid."""
    (grid,) = Layout.of_names(["x[1,1]", "x[2,2]", "x[1,2]"]).grids
    assert grid.places.tolist() == [[0, 2], [-1, 1]]


@given(st.lists(st.text(st.sampled_from("xy12[],/_= mon"), min_size=1, max_size=9), max_size=12, unique=True))
def test_any_names_give_grids_with_each_variable_at_most_once(names: list[str]) -> None:
    """Whatever the names, a layout is found without an error, and no variable is in two cells."""
    layout = Layout.of_names(names)
    places = np.concatenate([grid.places[grid.places >= 0] for grid in layout.grids] or [np.zeros(0, np.int64)])
    assert len(set(places.tolist())) == len(places) <= len(names)
    for grid in layout.grids:
        assert grid.places.shape == tuple(len(axis.values) for axis in grid.axes)
        assert len({axis.name for axis in grid.axes}) == len(grid.axes)


def test_orders_of_values() -> None:
    """Numbers, dates, days and months are ordered; other text is not, and equal numbers are refused."""
    orders = {
        ("10", "9", "-2", "0.5"): ("-2", "0.5", "9", "10"),
        ("Sunday", "monday", "WED"): ("monday", "WED", "Sunday"),
        ("dec", "may", "Sept"): ("may", "Sept", "dec"),
        ("12:30", "08:15"): ("08:15", "12:30"),
        ("b", "a"): ("b", "a"),
    }
    for given_values, expected in orders.items():
        order = index_order(given_values)
        assert order is not None
        assert order.values == expected
    assert index_order(["mon", "monday"]) is None


def test_thousands_of_names_are_read_at_once() -> None:
    """5,000 names take well under a second."""
    names = [f"nurse {i} / {day} / {shift}" for i, day, shift in product(range(180), DAYS, SHIFTS)]
    start = perf_counter()
    (grid,) = Layout.of_names(names).grids
    assert grid.places.shape == (180, 7, 4)
    assert perf_counter() - start < 1.5
