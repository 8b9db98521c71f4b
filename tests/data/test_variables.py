"""Variables: names and bounds, declared or read off the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unwritten import Variables
from unwritten.errors import DataError

LABELS = np.array([[0, 5, -1], [1, 7, -1]])


def test_bounds_default_to_what_the_data_shows() -> None:
    """0/1 columns get bounds 0..1 even if only one value occurs; others get their observed range, not declared."""
    variables = Variables.of(np.array([[0, 5, 0], [0, 7, 1]]))
    assert variables.names == ("y0", "y1", "y2")
    assert variables.lower.tolist() == [0, 5, 0]
    assert variables.upper.tolist() == [1, 7, 1]
    assert not variables.declared
    assert Variables.of(np.array([[0, 1]])).declared  # a 0/1 variable is so by nature


def test_given_bounds_are_declared() -> None:
    """Bounds that a person gives, as numbers or one per variable, are kept and count as declared."""
    variables = Variables.of(LABELS, names="abc", bounds=(-1, [1, 9, 0]))
    assert variables.names == ("a", "b", "c")
    assert variables.lower.tolist() == [-1, -1, -1]
    assert variables.upper.tolist() == [1, 9, 0]
    assert variables.declared


def test_bounds_are_copied_and_frozen() -> None:
    """Bounds are copies of the user's arrays, which stay writable; the copies are read-only."""
    lower, upper = np.zeros(3, np.int64), np.full(3, 9)
    variables = Variables.named("abc", lower, upper)
    lower[0] = upper[0] = 5
    assert (variables.lower[0], variables.upper[0]) == (0, 9)
    with pytest.raises(ValueError, match="read-only"):
        variables.lower[0] = 1


def test_reach_index_and_binary() -> None:
    """Derived facts: the largest absolute value, the place of a name, which variables are 0/1."""
    variables = Variables.named("abc", [-3, 0, 0], [2, 1, 4])
    assert variables.reach.tolist() == [3, 1, 4]
    assert variables.index == {"a": 0, "b": 1, "c": 2}
    assert variables.binary.tolist() == [False, True, False]


def test_sum_and_equality() -> None:
    """A sum holds the variables of both and is declared only if both are; equality compares all attributes."""
    a, b = Variables.named("a"), Variables.of(np.array([[3], [4]]), names="b")
    both = a + b
    assert both.names == ("a", "b")
    assert both.upper.tolist() == [1, 4]
    assert not both.declared
    assert both == a + b
    assert both != b + a
    assert Variables.named("a", 0, 1) != Variables.named("a", 0, 2)
    assert Variables.named("a", 3, 4) != Variables.of(np.array([[3], [4]]), names="a")  # declared or not
    assert a + Variables.named([]) == a  # a lift may have no latents


def test_repr_is_short() -> None:
    """The repr shows the first four variables and the number of all."""
    assert repr(Variables.named("abcdef")) == "Variables(a: 0..1, b: 0..1, c: 0..1, d: 0..1, … 6 in all)"


BAD: dict[str, tuple[dict[str, Any], str]] = {
    # what it is: (arguments beside the labels, part of the message)
    "two of one name": ({"names": ["a", "b", "a"]}, "'a' is used by two variables: rename one of them"),
    "an empty name": ({"names": ["a", "", "c"]}, "'' is not a non-empty string: rename that column"),
    "a number as a name": ({"names": ["a", 2, "c"]}, "2 is not a non-empty string: rename that column"),
    "too few names": ({"names": ["a", "b"]}, "2 names were given for 3 columns: give one name per column"),
    "too many names": ({"names": "abcd"}, "4 names were given for 3 columns: give one name per column"),
    "names without order": ({"names": {"a", "b", "c"}}, "names must be a list: give one name per column"),
    "no names at all": ({"names": 3}, "names must be a list: give one name per column"),
    "bounds crossed": ({"bounds": ([0, 9, 0], [1, 8, 1])}, "'y1' has lower bound 9 above its upper bound 8: swap"),
    "a label below": ({"bounds": (0, 9)}, r"label 0 has y2 = -1, outside its bounds 0\.\.9: widen the bounds or drop"),
    "a label above": ({"bounds": (-1, 6)}, r"label 1 has y1 = 7, outside its bounds -1\.\.6: widen the bounds"),
    "one bound for all": ({"bounds": 9}, r"bounds must be a pair \(lower, upper\)"),
    "three bounds": ({"bounds": (0, 1, 2)}, r"bounds must be a pair \(lower, upper\)"),
    "bounds by name": ({"bounds": {"y0": 0, "y1": 1}}, r"bounds must be a pair \(lower, upper\)"),
    "too few bounds": ({"bounds": (-1, [9, 9])}, r"bounds have shape \(2,\): give one number per variable, 3 of them"),
    "ragged bounds": ({"bounds": (-1, [9, [9], 9])}, "bounds are nested unevenly: give plain numbers"),
    "a fraction": ({"bounds": (-1, 9.5)}, "bounds hold 9.5: round"),
    "infinity": ({"bounds": (-1, np.inf)}, "bounds hold inf: replace"),
    "NaN": ({"bounds": (np.nan, 9)}, "bounds hold nan: replace"),
    "an open bound": ({"bounds": (-1, None)}, "bounds hold None: encode"),
    "beyond 31 bits": ({"bounds": (-1, 2**31)}, "bounds hold 2147483648: rescale"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_names_and_bounds(case: str) -> None:
    """Bad names and bounds are refused with the cure, as a DataError that is also a ValueError."""
    arguments, cure = BAD[case]
    with pytest.raises(DataError, match=cure) as raised:
        Variables.of(LABELS, **arguments)
    assert isinstance(raised.value, ValueError)


def test_no_variables() -> None:
    """Labels without columns are refused."""
    with pytest.raises(DataError, match="no variables: give labels with at least one column"):
        Variables.of(np.zeros((3, 0), np.int64))
