"""Tally: the tallies of chunks, merged in any order, equal the tally of all labels."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from helpers import bordered, exact_product
from unwritten.data import IntArray
from unwritten.errors import DataError, RangeError
from unwritten.tally import Tally, gram_of

EDGE = 2**31 - 1
ENTRIES = st.sampled_from([(0, 1), (-3, 3), (2**20, 2**21)]).flatmap(lambda span: st.integers(*span))
LABELS = arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=ENTRIES)


@given(LABELS, st.data())
def test_any_chunking_in_any_order_is_the_union(labels: IntArray, data: st.DataObject) -> None:
    """Labels divided into any chunks and merged in any order give the tally of all labels at once."""
    owner = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(labels), max_size=len(labels))))
    chunks = [Tally.of(labels[owner == k]) for k in range(4) if (owner == k).any()]
    order = data.draw(st.permutations(range(len(chunks))))
    assert reduce(add, [chunks[k] for k in order]) == Tally.of(labels)


@given(LABELS)
def test_a_tally_counts_labels(labels: IntArray) -> None:
    """A tally has the number of labels, the exact Gram matrix of [y, 1], and the distinct labels with counts."""
    tally = Tally.of(labels)
    rows = [tuple(row) for row in labels.tolist()]
    assert tally.n == len(rows) == tally.counts.sum()
    assert tally.gram.tolist() == exact_product(bordered(labels).T, bordered(labels))
    assert [tuple(row) for row in tally.seen.tolist()] == sorted(set(rows))
    assert tally.counts.tolist() == [rows.count(row) for row in sorted(set(rows))]


@pytest.mark.parametrize("value", [2**11, 2**12, 2**26, 2**27, 3 * 2**28])
def test_gram_matrices_are_exact_at_every_size(value: int) -> None:
    """Counts are exact around 2²⁴ and 2⁵³ and up to 2⁶³, where floats would lose the last bit."""
    labels = np.array([[value + 1, 1], [value - 1, value], [1, 3]])
    assert gram_of(labels).tolist() == exact_product(bordered(labels).T, bordered(labels))


def test_equality_looks_at_everything() -> None:
    """Tallies with other counts or other labels are not equal."""
    once, twice = Tally.of(np.array([[0, 1]])), Tally.of(np.array([[0, 1], [0, 1]]))
    assert once + once == twice
    assert once != twice
    assert once != Tally.of(np.array([[1, 0]]))
    assert once != "tally"


def test_labels_of_different_widths_do_not_merge() -> None:
    """Chunks with other columns are refused."""
    with pytest.raises(DataError, match="different numbers of columns cannot be merged"):
        Tally.of(np.array([[0, 1]])) + Tally.of(np.array([[0, 1, 1]]))


def test_sums_that_pass_64_bits_are_refused() -> None:
    """A Gram matrix beyond 64 bits raises an error, whether labels are counted at once or merged."""
    one = Tally.of(np.array([[EDGE]]))
    assert int(one.gram[0, 0]) == EDGE**2
    two = one + one
    assert int(two.gram[0, 0]) == 2 * EDGE**2
    with pytest.raises(RangeError, match="64 bits: rescale the labels"):
        two + one
    with pytest.raises(RangeError, match="64 bits: rescale the labels"):
        Tally.of(np.full((3, 1), EDGE))
