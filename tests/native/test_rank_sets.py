"""The kernels of rank rules, with all sets listed or with sets grown, against plain Python."""

from __future__ import annotations

import numpy as np
import pytest
import reference_mining as reference
from interruption import seconds_to_stop

from unwritten.native import kernels


@pytest.mark.parametrize("width", [0, 1, 2, 3, 4, 5, 8, 11])
def test_rank_table_of_small_widths(width: int) -> None:
    rng = np.random.default_rng(width)
    for n in (0, 1, 6):
        masks = rng.integers(0, 1 << width, n)
        rank, size = kernels.rank_table(masks, width)
        assert rank.dtype == size.dtype == np.int8
        assert size.tolist() == [mask.bit_count() for mask in range(1 << width)]
        assert rank.tolist() == reference.ranks(masks.tolist(), width)


@pytest.mark.parametrize("width", [15, 16, 18])
def test_rank_table_of_more_sets_than_a_block(width: int) -> None:
    """Compared for a sample of sets: a mistake in the steps between blocks breaks about half of them."""
    rng = np.random.default_rng(width)
    masks = rng.integers(0, 1 << width, 9)
    rank, _ = kernels.rank_table(masks, width)
    for mask in rng.integers(0, 1 << width, 2_000).tolist():
        assert rank[mask] == max((mask & label).bit_count() for label in masks.tolist())


@pytest.mark.parametrize("width", [0, 1, 3, 4, 6, 9])
def test_spread_of_small_widths(width: int) -> None:
    rng = np.random.default_rng(width)
    above = rng.integers(-128, 128, 1 << width).astype(np.int8)
    below = rng.integers(-128, 128, 1 << width).astype(np.int8)
    least = [min(above[s] for s in range(1 << width) if s & t == t) for t in range(1 << width)]
    most = [max(below[s] for s in range(1 << width) if s & t == s) for t in range(1 << width)]
    kernels.spread(above, below)
    assert above.tolist() == least
    assert below.tolist() == most


@pytest.mark.parametrize("width", [14, 15, 19])
def test_spread_over_blocks(width: int) -> None:
    """A single value reaches exactly the subsets, or the supersets, of its set."""
    sets = np.arange(1 << width)
    for given in np.random.default_rng(width).integers(0, 1 << width, 5):
        above, below = np.full(1 << width, 127, np.int8), np.full(1 << width, -1, np.int8)
        above[given], below[given] = 3, 5
        kernels.spread(above, below)
        assert np.array_equal(above == 3, sets & ~given == 0)
        assert np.array_equal(below == 5, given & ~sets == 0)


def test_wrong_tables_are_refused() -> None:
    table = np.zeros(4, np.int8)
    with pytest.raises(TypeError):
        kernels.spread(table.astype(np.int64), table)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one entry for each set"):
        kernels.spread(table[:3], table[:3])
    with pytest.raises(ValueError, match="one entry for each set"):
        kernels.spread(table, table[:2])
    with pytest.raises(ValueError, match="outside the table"):
        kernels.rank_table(np.array([4]), 2)
    with pytest.raises(ValueError, match="too many columns"):
        kernels.rank_table(np.zeros(0, np.int64), 64)


@pytest.mark.parametrize("seed", range(20))
def test_same_sets_are_grown(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, width = [(0, 4), (1, 3), (30, 9), (70, 12), (300, 8), (20, 70)][seed % 6]
    labels = rng.random((n, width)) < rng.choice([0.2, 0.5])
    pairs = rng.permutation(np.column_stack(np.triu_indices(width, 1)).astype(np.int64))[:12]
    allowed = np.sort(rng.integers(0, 8, width + 1))
    for most, work in ((100, 10**9), (7, 10**9), (100, 20 * int(labels.sum())), (0, 10**9), (100, 0)):
        rows = kernels.grow_sets(labels, pairs, allowed, most, work)
        sets = [np.flatnonzero(row).tolist() for row in rows]
        assert sets == reference.grow_sets(labels, pairs, allowed, most, work)


def test_wrong_input_of_growing_is_refused() -> None:
    labels, pairs = np.ones((2, 3), bool), np.array([[0, 1]])
    with pytest.raises(ValueError, match="each size"):
        kernels.grow_sets(labels, pairs, np.zeros(3, np.int64), 1, 1)
    with pytest.raises(ValueError, match="outside the labels"):
        kernels.grow_sets(labels, pairs + 2, np.zeros(4, np.int64), 1, 1)
    with pytest.raises(TypeError):
        kernels.grow_sets(labels, pairs, np.zeros(4), 1, 1)  # type: ignore[arg-type]


def test_interrupt_ends_growing() -> None:
    """No rank is allowed, so no set ends a search, and every pair is searched: this would take minutes."""
    labels = np.random.default_rng(0).random((5_000, 250)) < 0.5
    pairs = np.column_stack(np.triu_indices(250, 1)).astype(np.int64)
    allowed = np.full(251, -1)
    assert seconds_to_stop(lambda: kernels.grow_sets(labels, pairs, allowed, 10, 10**18)) < 0.9
