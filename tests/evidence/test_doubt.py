"""Doubt: how many rules are only lucky, judged by near-rules, and how many are only their softer version."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

import unwritten
from unwritten.evidence.doubt import SOFT_ODDS, SOFT_RATE, STEP, NearRules, SoftKind, never_odds, slip_odds, soft_odds


def near_rules(rules: list[float], near: list[float], exceptions: int = 1) -> NearRules:
    """Rules and near-rules of these strengths; each near-rule is broken by as many examples."""
    return NearRules.of(np.array(rules), np.array(near), np.full(len(near), float(exceptions)))


def test_without_near_rules_no_rule_is_lucky() -> None:
    """If no would-be rule is broken by a few examples, none was lucky."""
    assert near_rules([3.0, 10.0, 50.0], []).odds(np.array([0.5, 3.0, 50.0, 1e6])).tolist() == [0, 0, 0, 0]
    assert len(near_rules([], [4.0]).odds(np.zeros(0))) == 0


def test_as_many_near_rules_as_rules_make_even_odds() -> None:
    """As many rules are broken once as never: the next examples break as many; twice as many double the odds."""
    asked = np.array([10.0])
    assert near_rules([10.0] * 20, [10.0] * 20).odds(asked) == pytest.approx(1.0)
    assert near_rules([10.0] * 20, [10.0] * 40).odds(asked) == pytest.approx(2.0)
    assert near_rules([10.0] * 20, [10.0] * 2).odds(asked) == pytest.approx(0.1)


def test_near_rules_count_less_if_more_examples_break_them() -> None:
    """A near-rule that two or three examples break says less about rules that none breaks."""
    odds = [
        float(near_rules([10.0] * 20, [10.0] * 20, exceptions).odds(np.array([10.0]))[0]) for exceptions in (1, 2, 3)
    ]
    assert odds == pytest.approx([1.0, 0.5, 0.25])


def test_rules_far_stronger_than_all_near_rules_are_hardly_lucky() -> None:
    """Near-rules that are weak leave strong rules alone, and condemn weak ones."""
    weak, strong = near_rules([3.0] * 10 + [60.0] * 10, [3.0] * 30).odds(np.array([3.0, 60.0]))
    assert weak > 2
    assert 0 < strong < 0.01


@pytest.mark.parametrize("seed", range(20))
def test_odds_fall_with_strength(seed: int) -> None:
    """Below the strongest near-rule, and from there on, a stronger rule is never more likely to be lucky."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 30, 2)
    rules, near = (rng.lognormal(2, 1, n) for n in counts)
    found = NearRules.of(rules, near, rng.integers(1, 4, counts[1]).astype(float))
    top = near.max()
    below, above = found.odds(np.geomspace(0.5, top / STEP, 40)), found.odds(top * np.geomspace(1, 1000, 40))
    for odds in (below, above):
        assert (odds >= 0).all()
        assert all(later <= earlier for earlier, later in pairwise(odds))  # the odds may be infinite
    assert above[-1] < 1e-3 < below[0]


def test_odds_fall_with_strength_across_the_strongest_near_rule() -> None:
    """A rule as strong as the strongest near-rule is no more likely to be lucky than a weaker one."""
    weaker, stronger = near_rules([10.0] * 3 + [7.0] * 100, [10.0]).odds(np.array([7.0, 10.0]))
    assert stronger <= weaker


@pytest.mark.parametrize("kind", ["equality", "copy", "pair", "set"])
def test_soft_odds_fall_with_examples_and_rules(kind: SoftKind) -> None:
    """They start at the odds of the kind, fall by e with each 1 / SOFT_RATE examples, and with rules of the kind."""
    assert soft_odds(kind, 0, 1) == soft_odds(kind, 0, 0) == SOFT_ODDS[kind]
    assert soft_odds(kind, 1 / SOFT_RATE, 1) == pytest.approx(SOFT_ODDS[kind] / np.e)
    assert soft_odds(kind, 100, 8) == pytest.approx(soft_odds(kind, 100, 1) / 2)
    many = [soft_odds(kind, trials, 1) for trials in range(0, 1000, 50)]
    assert (np.diff(many) < 0).all()


def test_sets_need_more_examples_than_pairs_and_pairs_more_than_equalities() -> None:
    """There are many sets, and many copies; at 5 % doubt, one rule needs 90 to 240 examples, a value 1,500."""
    assert soft_odds("equality", 100, 1) < soft_odds("pair", 100, 1) < soft_odds("set", 100, 1)
    limits: list[tuple[SoftKind, int]] = [("equality", 90), ("pair", 140), ("copy", 190), ("set", 240)]
    for kind, needed in limits:
        assert soft_odds(kind, needed, 1) < 0.05 / 0.95 < soft_odds(kind, needed - 20, 1)
    assert never_odds(1500) < 0.05 / 0.95 < never_odds(1400)


def test_slips_hold_no_rule_back_at_the_usual_confidence() -> None:
    """Rare exceptions limit what is stated of a table: 95 % is never out of reach, 99 % needs thousands of rows."""
    assert 1 / (1 + slip_odds(0)) > 0.95
    assert 1 / (1 + slip_odds(3_000)) < 0.99 < 1 / (1 + slip_odds(4_000))


def test_a_table_states_no_more_than_its_rows_allow() -> None:
    """The same columns are surer as the labels of a program than as the records of a table."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 50, (300, 4))
    labels[:, 3] = labels[:, 0] + labels[:, 1]
    columns = {name: column.tolist() for name, column in zip("abcd", labels.T, strict=True)}
    table = unwritten.Table.of(pa.table(columns))
    as_labels, as_table = (unwritten.mine(data, progress=False).rules[0].evidence for data in (labels, table))
    assert as_labels is not None and as_table is not None
    assert as_labels.confidence > 0.99
    assert 0.95 <= as_table.confidence < 0.96
