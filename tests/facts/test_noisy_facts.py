"""Facts despite wrong rows: what is still said, and which rows are named."""

from __future__ import annotations

import pyarrow as pa
import pytest
from orders_table import orders, random_table

import unwritten
from unwritten.mining.facts import mine_noisy_facts

WRONG = {3: ("gross", "1.00"), 700: ("gross", "7.50"), 90: ("city", "city 99"), 250: ("shipped", "2001-05-05")}
WRONG |= {800: ("order", "A12"), 334: ("refund", "4711")}


def spoilt() -> pa.Table:
    """Orders with six wrong cells."""
    cells = orders(1_000).to_pydict()
    for row, (name, value) in WRONG.items():
        assert cells[name][row] != value
        cells[name][row] = value
    return pa.table(cells)


@pytest.fixture(scope="module")
def model() -> unwritten.Model:
    return unwritten.mine(spoilt(), noise="auto")


def test_wrong_rows_hide_nothing(model: unwritten.Model) -> None:
    """Facts that few rows break are said with the number of these rows; without noise they are not said at all."""
    texts = {s.text.partition(" (noisy: ")[0]: s for s in model.sentences}
    broken = {text: s.evidence.violations for text, s in texts.items() if s.evidence is not None}
    assert broken["gross = net + tax"] == 2
    assert broken["ordered ≤ shipped"] == 1
    assert broken["customer determines city"] == 1
    assert broken["order looks like 'A'999999"] == 1
    assert broken["order is unique"] == 0
    assert "(noisy: 2 of " in texts["gross = net + tax"].text
    exact = {s.text for s in unwritten.mine(spoilt()).sentences}
    assert not {"gross = net + tax", "ordered ≤ shipped", "customer determines city"} & exact


def test_wrong_rows_are_suspects(model: unwritten.Model) -> None:
    """The suspects are the wrong rows; those that break a sum and an order come first."""
    assert set(model.suspects.tolist()) == set(WRONG)
    assert set(model.suspects[:2].tolist()) == {3, 700}
    page = model.report(examples=unwritten.Table.of(spoilt()))
    assert "gross = net + tax" in page


def test_noisy_facts_are_saved_and_read(model: unwritten.Model, tmp_path: object) -> None:
    """Exceptions are part of the evidence that is saved; the sentence can be given without them."""
    path = f"{tmp_path}/noisy.rules"
    model.save(path)
    again = unwritten.load(path)
    assert (again.facts, again.suspects.tolist()) == (model.facts, model.suspects.tolist())
    (text,) = (s.text for s in model.sentences if s.text.startswith("ordered ≤ shipped (noisy"))
    assert "ordered ≤ shipped" in {s.text for s in unwritten.mine(orders(50)).with_rules([text]).sentences}


def test_random_tables_have_no_suspects() -> None:
    """In tables of independent columns, rare values are not taken for errors."""
    for seed in range(2):
        noisy = mine_noisy_facts(unwritten.Table.of(random_table(seed)), 0.95, None)
        assert [f for f in noisy.facts if f.kind not in ("range", "never-missing", "looks-like")] == []
        assert len(noisy.suspects) <= 1
