"""Edits of rules of every kind and standing: what a person gave, confirmed or dropped is remembered alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unwritten
from unwritten.samples import sample_rows


@pytest.fixture(scope="module")
def orders() -> unwritten.Model:
    return unwritten.mine(sample_rows("orders", rows=600))


@pytest.fixture(scope="module")
def squares() -> unwritten.Model:
    """Three numbers that differ, and one that does not matter."""
    rng = np.random.default_rng(0)
    rows = np.array([[*rng.permutation(6)[:3].tolist(), int(rng.integers(0, 9))] for _ in range(300)])
    return unwritten.mine(rows, names=["a", "b", "c", "d"])


def test_dropped_rules_of_any_kind_stay_out(orders: unwritten.Model) -> None:
    """A mined or given rule, about values or whole columns, does not come back with the next table."""
    model = orders.with_rules(["tax ≤ gross", "country = DE excludes currency = USD"])
    given = [sentence for sentence in model.sentences if sentence.origin == "given"]
    mined = [sentence for sentence in model.sentences if sentence.origin == "mined"][:4]
    edited = model.without([sentence.id for sentence in (*given, *mined)])
    later = unwritten.mine(sample_rows("orders", rows=600)).with_edits_from(edited)
    assert {sentence.text for sentence in later.sentences}.isdisjoint(s.text for s in (*given, *mined))
    assert later.dropped == edited.dropped


def test_a_dropped_gap_stays_out(squares: unwritten.Model, tmp_path: Path) -> None:
    """That numbers differ is a rule as any other: dropped, saved, and not mined again."""
    (said,) = (sentence for sentence in squares.sentences if sentence.kind == "all-different")
    edited = squares.without([said.id])
    edited.save(tmp_path / "m.rules")
    back = unwritten.load(tmp_path / "m.rules")
    assert back.dropped == edited.dropped != ()
    assert said.id not in {sentence.id for sentence in squares.with_edits_from(back).sentences}


def test_a_doubtful_rule_can_be_confirmed_or_dropped() -> None:
    """A person who knows better says so by the id that `--doubtful` shows."""
    chosen = np.eye(3, dtype=int)[np.random.default_rng(1).integers(0, 3, 30)]
    model = unwritten.mine(chosen, names=["red", "green", "blue"])
    (doubtful,) = model.doubtful_sentences
    confirmed = model.pinned([doubtful.id])
    assert [(s.text, s.origin) for s in confirmed.sentences] == [("exactly one of red, green, blue", "given")]
    assert not confirmed.doubtful_sentences
    assert not model.without([doubtful.id]).doubtful_sentences


def test_columns_that_never_agree_can_be_given() -> None:
    """`home != away` is about two columns, not about a value that is called so."""
    teams = ["ajax", "inter", "porto", "celtic"]
    games = [{"home": a, "away": b, "goals": k % 5} for k in range(20) for a in teams for b in teams if a != b]
    model = unwritten.mine(games).with_rules(["home != away"])
    assert "home ≠ away" in {sentence.text for sentence in model.sentences}
    assert model.check([{"home": "ajax", "away": "ajax", "goals": 1}]).feasible.tolist() == [False]
