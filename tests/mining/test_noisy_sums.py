"""Sums that nearly all examples obey, and tables where some rows are wrong."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from unwritten.mining.noise.noisy_sums import breaks_a_sum
from unwritten.tables import Table


def bills(rows: int, wrong: list[int], seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    net, tax = rng.integers(10, 900, rows), rng.integers(10, 300, rows)
    gross = net + tax
    gross[wrong] += rng.integers(1, 50, len(wrong))
    region = rng.choice(["EU", "US"], rows)
    ship = np.where(region == "EU", rng.choice(["air", "road"], rows), "air")
    who = rng.choice([f"c{k}" for k in range(40)], rows)  # each customer is rare
    return pa.table({"who": who, "region": region, "ship": ship, "net": net, "tax": tax, "gross": gross})


@pytest.mark.parametrize("noise", [0.02, "auto"])
@pytest.mark.parametrize("seed", range(3))
def test_wrong_bills_are_the_suspects(noise: float | str, seed: int) -> None:
    """The sum is mined despite few wrong rows; exactly these rows are suspects, and rare values are not."""
    wrong = [3, 77, 200]
    model = unwritten.mine(Table.of(bills(800, wrong, seed)), noise=noise)
    texts = [sentence.text.partition(" (noisy")[0] for sentence in model.sentences]
    assert "gross = net + tax" in texts
    assert model.suspects.tolist() == wrong
    assert not any("who" in sentence.columns for sentence in model.sentences)


@pytest.mark.parametrize("seed", range(3))
def test_few_wrong_bills_are_suspects_by_the_sum_of_columns(seed: int) -> None:
    """Three of 400 rows could be 1 % of all, says a note on rules; but the sum of whole columns names just these."""
    wrong = [3, 77, 200]
    table = Table.of(bills(400, wrong, seed))
    model = unwritten.mine(table, noise="auto")
    assert sorted(model.suspects.tolist()) == wrong
    assert any(sentence.text.startswith("gross = net + tax (noisy") for sentence in model.sentences)
    assert any("these examples may be rare rather than wrong" in note for note in model.notes)
    assert sorted(unwritten.mine(table, noise=0.02).suspects.tolist()) == wrong


def test_random_integers_have_no_sum() -> None:
    """Random integers, constant columns, few rows or a single column give no suspects."""
    rng = np.random.default_rng(0)
    assert not breaks_a_sum(rng.integers(0, 100, (300, 5)), None).any()
    assert not breaks_a_sum(rng.integers(0, 100, (10, 5)), None).any()
    assert not breaks_a_sum(rng.integers(0, 100, (300, 1)), 0.01).any()
    assert not breaks_a_sum(np.column_stack([rng.integers(0, 100, 300), np.full(300, 7)]), 0.01).any()
