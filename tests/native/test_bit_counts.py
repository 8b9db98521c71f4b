"""The kernel that counts common bits against plain Python."""

from __future__ import annotations

import numpy as np
import pytest
import reference_mining as reference

from unwritten.native import kernels


@pytest.mark.parametrize(("width", "words"), [(0, 3), (1, 1), (5, 0), (7, 2), (64, 1), (65, 9), (150, 17)])
def test_common_counts(width: int, words: int) -> None:
    """Widths around a tile of rows, and numbers of words around a vector of words."""
    supports = np.random.default_rng(width).integers(0, 2**64, (width, words), np.uint64)
    counts = kernels.common_counts(supports)
    assert counts.dtype == np.int32
    assert counts.tolist() == reference.common_counts(supports)


def test_wrong_arrays_are_refused() -> None:
    with pytest.raises(TypeError):
        kernels.common_counts(np.zeros((2, 2), np.int64))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        kernels.common_counts(np.zeros((2, 4), np.uint64)[:, ::2])
    with pytest.raises(TypeError):
        kernels.common_counts(np.zeros(4, np.uint64))
