"""The rank of small matrices modulo a prime."""

from __future__ import annotations

import numpy as np
import pytest
from flint import nmod_mat

from unwritten.linalg.exact import to_flint
from unwritten.native import kernels

PRIME = 2**31 - 1


@pytest.mark.parametrize("seed", range(40))
def test_the_rank_is_that_of_flint(seed: int) -> None:
    """Products of random factors, which have any rank, with entries up to the limits of 64 bits."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 30, 2)
    inner = int(rng.integers(0, min(rows, columns) + 1))
    matrix = rng.integers(-9, 10, (rows, inner)) @ rng.integers(-9, 10, (inner, columns))
    matrix[rng.random(matrix.shape) < 0.05] = rng.choice([PRIME, -PRIME, 2**63 - 1, -(2**63)])
    assert kernels.prime_rank(matrix) == nmod_mat(to_flint(matrix), PRIME).rank()


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_an_empty_matrix_has_rank_0(shape: tuple[int, int]) -> None:
    """No rows or no columns."""
    assert kernels.prime_rank(np.zeros(shape, np.int64)) == 0
