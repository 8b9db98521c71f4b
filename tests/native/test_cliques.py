"""The kernel that lists maximal cliques against plain Python."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import reference_mining as reference
from interruption import seconds_to_stop

from unwritten.data import BoolArray
from unwritten.data.bitmasks import column_words
from unwritten.native import kernels


def random_graph(width: int, density: float, seed: int) -> BoolArray:
    half = np.triu(np.random.default_rng(seed).random((width, width)) < density, 1)
    return half | half.T


def found(exclusive: BoolArray, sizes: list[int], total: int, nodes: int = 10**6) -> list[list[int]]:
    members, starts = kernels.maximal_cliques(column_words(exclusive), np.array(sizes, np.int64), total, nodes)
    return [members[start:end].tolist() for start, end in pairwise(starts)]


@pytest.mark.parametrize("width", [0, 1, 2, 7, 12, 64, 65, 130])
def test_same_cliques_in_the_same_order(width: int) -> None:
    """All maximal cliques of one number of columns: every column has size 1."""
    exclusive = random_graph(width, 0.5 if width < 20 else 0.2, seed=width)
    lengths = set()
    for total in range(6):
        cliques = found(exclusive, [1] * width, total)
        assert cliques == reference.maximal_cliques(exclusive, [1] * width, total, 10**6)
        lengths.update(map(len, cliques))
    assert lengths or width == 0


@pytest.mark.parametrize("seed", range(10))
def test_sizes_and_limits(seed: int) -> None:
    """Sizes drop the same branches, and every number of nodes ends the search after the same cliques."""
    exclusive = random_graph(11, 0.6, seed)
    sizes = np.random.default_rng(seed).integers(1, 4, 11).tolist()
    for total in (5, 8, 9):
        for nodes in (0, 1, 2, 5, 10, 30, 1_000):
            expected = reference.maximal_cliques(exclusive, sizes, total, nodes)
            assert found(exclusive, sizes, total, nodes) == expected


def test_wrong_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match="must have a size"):
        found(random_graph(3, 0.5, 0), [1, 1], 2)
    with pytest.raises(ValueError, match="one bit for each column"):
        kernels.maximal_cliques(np.zeros((65, 1), np.uint64), np.ones(65, np.int64), 2, 10)
    with pytest.raises(TypeError):
        kernels.maximal_cliques(np.zeros((2, 1), np.uint64), np.ones(2), 2, 10)  # type: ignore[arg-type]


def test_interrupt_ends_the_search() -> None:
    """The complement of a hundred triangles has 3^100 maximal cliques; none of them has the total size."""
    exclusive = np.kron(~np.eye(100, dtype=bool), np.ones((3, 3), bool))
    neighbours, sizes = column_words(exclusive), np.full(300, 2)
    assert seconds_to_stop(lambda: kernels.maximal_cliques(neighbours, sizes, 199, 10**18)) < 0.9
