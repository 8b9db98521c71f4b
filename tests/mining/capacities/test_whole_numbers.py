"""One row of small whole numbers stands for many likely rows."""

from __future__ import annotations

import numpy as np
import pytest

from unwritten.data import IntArray
from unwritten.mining.capacities.whole_numbers import Rounded, exact_product, excess

COLUMNS = np.arange(12)


def likely_rows(seed: int) -> tuple[IntArray, IntArray, IntArray]:
    """Rows near a capacity, pseudo-labels, and labels that obey the capacity."""
    rng = np.random.default_rng(seed)
    sizes, pseudo = rng.integers(20, 300, 12), rng.integers(0, 2, (2_000, 12))
    labels = pseudo[pseudo @ sizes <= np.quantile(pseudo @ sizes, 0.7)][:300]
    rows = [sizes + rng.integers(-9, 10, 12) for _ in range(40)]
    return np.array([[*row, (labels @ row).max()] for row in rows]), pseudo, labels


@pytest.mark.parametrize("cut", [0.05, 0.001, 0.0002])
def test_cuts_off_few(cut: float) -> None:
    """All labels obey the row, and of what the likely rows allow it cuts off at most the share, in the mean."""
    visited, pseudo, labels = likely_rows(1)
    whole = Rounded.of(COLUMNS, visited, pseudo, labels).row(cut)
    assert whole is not None
    assert (excess(whole, labels) <= 0).all()
    allowed = pseudo @ visited[:, :-1].T <= visited[:, -1]
    lost = [(excess(whole, pseudo[fine]) > 0).mean() for fine in allowed.T]
    assert np.mean(lost) <= cut + 1e-9
    assert (excess(whole, pseudo) > 0).any()


def test_forbids_nothing() -> None:
    """There is no row if labels reach as far as pseudo-labels."""
    visited, pseudo, _ = likely_rows(2)
    assert Rounded.of(COLUMNS, visited, pseudo, pseudo).row(0.001) is None


def test_exact_product() -> None:
    """Sums are exact, also where a float of 32 bits does not hold them."""
    rows, columns = np.array([[1, (1 << 24) + 1]]), np.array([[1], [1]])
    assert exact_product(rows, columns).tolist() == [[(1 << 24) + 2]]
    assert exact_product(rows[:, :1], columns[:1]).dtype == np.float32
