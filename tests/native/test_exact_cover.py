"""The exact-cover kernel against plain Python."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
import reference_mining as reference
from interruption import seconds_to_stop

from unwritten.data import BoolArray
from unwritten.data.bitmasks import column_words
from unwritten.native import kernels


def covers_of(ones: BoolArray, nodes: int = 10**6, most: int = 10**6) -> tuple[list[list[int]], bool]:
    members, starts, complete = kernels.exact_covers(column_words(ones), len(ones), nodes, most)
    return [members[start:end].tolist() for start, end in pairwise(starts)], complete


def random_case(seed: int) -> BoolArray:
    """Columns of random partitions of the examples, in random order, with some random columns among them."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 3, 8, 63, 64, 65, 130, 256, 257, 300]))
    partitions = [np.eye(k, dtype=bool)[rng.integers(0, k, n)] for k in rng.integers(2, 5, 3)]
    ones = np.column_stack([*partitions, rng.random((n, 4)) < rng.choice([0.05, 0.5])])
    return ones[:, rng.permutation(ones.shape[1])]


@pytest.mark.parametrize("seed", range(60))
def test_same_covers_in_the_same_order(seed: int) -> None:
    ones = random_case(seed)
    assert covers_of(ones) == reference.exact_covers(ones, 10**6, 10**6)


@pytest.mark.parametrize("seed", range(8))
def test_limits_cut_the_search_at_the_same_place(seed: int) -> None:
    """Every number of nodes and of sets ends the search after the same sets as in plain Python."""
    ones = np.random.default_rng(seed).random((6, 40)) < 0.3
    for nodes in (0, 1, 2, 3, 5, 8, 13, 50, 200):
        assert covers_of(ones, nodes=nodes) == reference.exact_covers(ones, nodes, 10**6)
    for most in (0, 1, 2, 7):
        assert covers_of(ones, most=most) == reference.exact_covers(ones, 10**6, most)


def test_more_columns_than_a_block_of_the_count() -> None:
    """Hundreds of open columns per example: the counts need many bit planes."""
    ones = np.random.default_rng(0).random((5, 700)) < 0.4
    assert covers_of(ones, nodes=300) == reference.exact_covers(ones, 300, 10**6)


def test_edges() -> None:
    """No examples have one cover, the empty one; no columns cover no example; an empty column is in no cover."""
    assert covers_of(np.zeros((0, 3), bool)) == ([[]], True)
    assert covers_of(np.zeros((0, 0), bool), most=0) == ([], False)
    assert covers_of(np.zeros((2, 0), bool)) == ([], True)
    assert covers_of(np.array([[True, False]])) == ([[0]], True)


def test_wrong_arrays_are_refused() -> None:
    words = np.zeros((3, 1), np.uint64)
    with pytest.raises(TypeError):
        kernels.exact_covers(words.astype(np.int64), 5, 1, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        kernels.exact_covers(words[::2], 5, 1, 1)
    with pytest.raises(ValueError, match="one bit for each example"):
        kernels.exact_covers(words, 65, 1, 1)


def test_interrupt_ends_the_search() -> None:
    """An odd number of examples has no partition into pairs, but the search for one would take years."""
    pairs = np.array([[e in pair for pair in combinations(range(41), 2)] for e in range(41)])
    words = column_words(pairs)
    assert seconds_to_stop(lambda: kernels.exact_covers(words, 41, 10**18, 10)) < 0.9
