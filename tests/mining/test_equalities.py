"""Equalities: together with the known rows, they describe exactly the affine space of the labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers import annihilates, bordered, box, rank, same_span
from unwritten import linalg
from unwritten.data import IntArray
from unwritten.errors import RangeError, UnwrittenWarning
from unwritten.mining.equalities.kernel import kernel_rows
from unwritten.tally import gram_of

NOTHING = np.zeros((0, 0), np.int64)


def mined(labels: IntArray, known: IntArray = NOTHING) -> IntArray:
    """The equalities of these labels."""
    return kernel_rows(gram_of(labels), known.reshape(-1, labels.shape[1] + 1))


@st.composite
def planted(draw: st.DrawFn) -> tuple[IntArray, IntArray]:
    """All points of a small box that obey one to three random equalities, and those equalities as rows [a, −b]."""
    low, high = draw(st.sampled_from([(0, 1), (-1, 1), (2, 4)]))
    width = draw(st.integers(2, 4 if high - low > 1 else 6))
    points = box(low, high, width)
    anchor = points[draw(st.integers(0, len(points) - 1))]
    rows = np.array(
        draw(st.lists(st.lists(st.integers(-2, 2), min_size=width, max_size=width), min_size=1, max_size=3)), np.int64
    )
    rows = np.column_stack([rows, -(rows @ anchor)])
    return points[~(bordered(points) @ rows.T).any(axis=1)], rows


@given(planted(), st.data())
def test_every_true_equality_is_found_and_none_is_false(case: tuple[IntArray, IntArray], data: st.DataObject) -> None:
    """Lemma 1: on any sample of a feasible set the rows are a basis of the kernel and span what was planted."""
    feasible, rows = case
    chosen = data.draw(st.lists(st.integers(0, len(feasible) - 1), min_size=2, max_size=12))
    labels = feasible[chosen]
    equalities = mined(labels)
    assert annihilates(bordered(labels), equalities)
    assert rank(equalities) == len(equalities) == labels.shape[1] + 1 - rank(bordered(labels))
    assert rank([*equalities.tolist(), *rows.tolist()]) == len(equalities)


@given(planted(), st.data())
def test_known_rows_are_taken_out_first(case: tuple[IntArray, IntArray], data: st.DataObject) -> None:
    """Known and mined rows together span the kernel, and their ranks add up, so no mined row repeats a known one."""
    labels, _ = case
    whole = mined(labels)
    assume(len(whole))
    entries = st.lists(st.integers(-2, 2), min_size=len(whole), max_size=len(whole))
    times = np.array(data.draw(st.lists(entries, max_size=3)), np.int64).reshape(-1, len(whole))
    known = times @ whole  # may repeat, depend on one another, or be zero
    rest = mined(labels, known)
    assert annihilates(bordered(labels), rest)
    assert rank(known) + len(rest) == len(whole)
    assert same_span([*known.tolist(), *rest.tolist()], whole)


@given(planted(), st.data())
def test_how_often_a_label_is_seen_does_not_matter(case: tuple[IntArray, IntArray], data: st.DataObject) -> None:
    """Repeating or reordering labels does not change the rows."""
    labels, _ = case
    labels = labels[:20]
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(labels), max_size=len(labels)))
    again = np.repeat(labels, times, axis=0)[::-1]
    assert mined(again).tolist() == mined(labels).tolist()


def test_constant_columns_come_out_as_such() -> None:
    """A column with one value gives `y = value` and stays out of every other row."""
    free = box(0, 1, 2)
    labels = np.column_stack([free[:, 0], np.full(4, 7), 1 - free[:, 0], free[:, 1], np.full(4, -3), np.zeros(4, int)])
    assert mined(labels).tolist() == [
        [0, 1, 0, 0, 0, 0, -7],
        [0, 0, 0, 0, 1, 0, 3],
        [0, 0, 0, 0, 0, 1, 0],
        [1, 0, 1, 0, 0, 0, -1],
    ]


def test_all_labels_equal() -> None:
    """If all labels are equal, every variable is fixed."""
    assert mined(np.array([[4, 0, -1]] * 2)).tolist() == [[1, 0, 0, -4], [0, 1, 0, 0], [0, 0, 1, 1]]


def test_a_constant_column_that_is_known_is_not_mined_again() -> None:
    """A column that known rows fix, directly or through another column, is not stated again."""
    labels = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]])
    assert mined(labels, np.array([[1, 0, 0, -1]])).tolist() == []
    assert mined(labels, np.array([[2, 0, 0, -2], [1, 0, 0, -1]])).tolist() == []
    fixed = np.array([[1, 2, 0], [1, 2, 5]])
    assert len(mined(fixed, np.array([[1, 1, 0, -3]]))) == 1  # a + b = 3 is known, so one constant is enough


def test_no_equality() -> None:
    """The labels of a full box obey no equality."""
    assert mined(box(0, 2, 3)).shape == (0, 4)


def test_rows_have_small_coefficients() -> None:
    """A group, a total and a weighted sum are mined with the coefficients that a person would write."""
    rng = np.random.default_rng(0)
    group = np.eye(4, dtype=np.int64)[rng.integers(0, 4, 200)]
    parts = rng.integers(0, 9, (200, 3))
    labels = np.column_stack([group, parts, parts.sum(axis=1), 2 * parts[:, 0] - 3 * parts[:, 1]])
    assert mined(labels).tolist() == [
        [0, 0, 0, 0, -2, 3, 0, 0, 1, 0],
        [1, 1, 1, 1, 0, 0, 0, 0, 0, -1],
        [0, 0, 0, 0, 1, 1, 1, -1, 0, 0],
    ]


@pytest.mark.parametrize("values", [(0, 1), (0, 5)])
def test_too_few_examples_of_many_variables(values: tuple[int, int]) -> None:
    """Hundreds of accidental equalities that cannot be shortened raise an error with the cure."""
    labels = np.random.default_rng(0).integers(values[0], values[1] + 1, (110, 180))
    with pytest.raises(RangeError, match=r"give more examples than variables, or rules=\[\]"):
        mined(labels)


def test_groups_survive_too_few_examples() -> None:
    """An exactly-one group among accidents is kept, and a warning says that the others are left out."""
    rng = np.random.default_rng(0)
    labels = np.column_stack([np.eye(5, dtype=np.int64)[rng.integers(0, 5, 110)], rng.integers(0, 2, (110, 175))])
    with pytest.warns(UnwrittenWarning, match="equalities beyond the 1 exactly-one rules .* give more examples"):
        rows = mined(labels)
    assert rows.tolist() == [[1] * 5 + [0] * 175 + [-1]]


def test_moderately_few_examples_are_reduced() -> None:
    """With somewhat fewer examples than variables, the accidental equalities are still exact and short."""
    labels = np.random.default_rng(1).integers(0, 2, (40, 70))
    rows = mined(labels)
    assert annihilates(bordered(labels), rows)
    assert len(rows) == 71 - linalg.rank(bordered(labels)) == 31
    assert linalg.largest(rows) <= 16
