"""Chance, prices and evidence, compared with counts over all labels."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, exp, log

import numpy as np
import pytest

from unwritten import RuleSet, Variables, budgets
from unwritten.data import IntArray
from unwritten.evidence import EvidenceScorer, chance
from unwritten.evidence.row_probability import share_that_obeys
from unwritten.tally import Tally


def test_log_choose() -> None:
    """`log_choose` is ln C(n, k), and −∞ if there is no such choice."""
    for n in range(12):
        for k in range(n + 1):
            assert chance.log_choose(n, k) == pytest.approx(log(comb(n, k)))
        assert chance.log_choose(n, n + 1) == chance.log_choose(n, -1) == -np.inf


def test_exceeds_counts_labels() -> None:
    """`exceeds` agrees with counting the 0/1 labels that have more than `rank` ones in a set."""
    width, totals, counts = 6, np.array([1, 3, 4]), np.array([2, 5, 1])
    for size, limit in product(range(7), range(7)):
        expected = 0.0
        for total, count in zip(totals, counts, strict=True):
            sets = list(combinations(range(width), int(total)))
            expected += count * np.mean([sum(j < size for j in s) > limit for s in sets])
        assert chance.exceeds(width, size, limit, totals, counts) == pytest.approx(expected / 8)


@pytest.mark.parametrize("equality", [True, False])
def test_the_probability_of_a_row_with_independent_columns(equality: bool) -> None:
    """The probability of a row agrees with listing all values, with negative coefficients and any lower bound."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        d = int(rng.integers(1, 5))
        lower = rng.integers(-3, 4, d)
        shares = [rng.dirichlet(np.ones(int(rng.integers(1, 4)))) for _ in range(d)]
        row = rng.integers(-3, 4, d)
        law: dict[int, float] = {}
        for values in product(*(range(len(s)) for s in shares)):
            activity = int(sum(row[j] * (lower[j] + v) for j, v in enumerate(values)))
            law[activity] = law.get(activity, 0.0) + float(np.prod([shares[j][v] for j, v in enumerate(values)]))
        for rhs in range(min(law) - 2, max(law) + 3):
            expected = law.get(rhs, 0.0) if equality else sum(p for a, p in law.items() if a <= rhs)
            assert share_that_obeys(row, rhs, equality, shares, lower) == pytest.approx(expected, abs=1e-12)


def test_a_row_with_too_many_values_has_no_computed_probability() -> None:
    """A row with too many possible values gives None, and the scorer then draws random columns."""
    shares = [np.array([0.5, 0.5])]
    assert share_that_obeys(np.array([budgets.CONVOLVED_REACH + 1]), 0, True, shares, np.zeros(1, np.int64)) is None
    assert share_that_obeys(np.array([budgets.CONVOLVED_REACH]), 0, True, shares, np.zeros(1, np.int64)) == 0.5


def test_prices_are_a_code() -> None:
    """Over all rows of one size and largest coefficient, e^−price adds up to at most 1, as a union bound needs."""
    width = 4
    for size, largest in product(range(1, 4), range(1, 3)):
        total = 0.0
        for columns in combinations(range(width), size):
            for values in product([v for v in range(-largest, largest + 1) if v], repeat=size):
                row = np.zeros(width, np.int64)
                row[list(columns)] = values
                alike = len(set(values)) == 1
                if not alike and max(map(abs, values)) == largest:
                    total += exp(-chance.price(row, width))
        assert total <= 1 + 1e-9
    assert chance.price(np.array([1, 1, 0, 0]), 4) == pytest.approx(log(6))
    assert chance.price(np.array([1, -1, 0, 0]), 4) == pytest.approx(log(6) + 2 * log(2))


def test_evidence_in_nats() -> None:
    """Evidence is n·(−ln chance) − price, and infinite if the chance is 0."""
    assert chance.evidence(10, exp(-2.0), 5.0) == pytest.approx(15.0)
    assert chance.evidence(10, 1.0, 5.0) == -5.0
    assert chance.evidence(1, 0.0, 5.0) == np.inf


def scored_by(labels: IntArray, rows: list[tuple[list[int], str, int]], violations: IntArray | None = None) -> RuleSet:
    """The rules with the evidence that the labels give them."""
    tally = Tally.of(labels)
    return EvidenceScorer(tally, tally.seen).scored(RuleSet.of(Variables.of(labels), rows), violations)


@pytest.mark.parametrize("kind", ["bits", "integers", "negative", "constant beside"])
def test_chance_is_that_of_shuffled_columns(kind: str) -> None:
    """The chance of a row is the share of all combinations of column values that obey it."""
    rng = np.random.default_rng(0)
    labels = {
        "bits": rng.integers(0, 2, (9, 3)),
        "integers": rng.integers(0, 5, (9, 3)),
        "negative": rng.integers(-4, 2, (9, 3)),
        "constant beside": np.column_stack([rng.integers(0, 3, (9, 2)), np.full(9, 7)]),
    }[kind]
    every = np.array(list(product(*labels.T.tolist())))
    rows = [(a, sense, b) for a in ([1, 1, 1], [1, -1, 0], [2, 0, -1]) for sense in ("==", "<=") for b in (-2, 0, 1)]
    for (a, sense, b), evidence in zip(rows, scored_by(labels, rows).evidence, strict=True):
        activity = every @ a
        share = float((activity == b if sense == "==" else activity <= b).mean())
        assert evidence is not None
        assert evidence.examples == 9
        assert evidence.chance == pytest.approx(share)


def test_wide_columns_are_shuffled() -> None:
    """For columns with more than a thousand values the chance is estimated, and lies above 0 and at most at 1."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 10**6, 300)
    labels = np.column_stack([x, x, rng.integers(0, 2, 300)])
    equal, trivial, half = scored_by(labels, [([1, -1, 0], "==", 0), ([1, 1, 1], "<=", 10**7), ([1, -1, 0], "<=", 0)])
    for rule, low, high in ((equal, 0.0, 0.01), (trivial, 1.0, 1.0), (half, 0.4, 0.6)):
        assert rule.evidence is not None
        assert low <= rule.evidence.chance <= high
    assert equal.evidence is not None
    assert equal.evidence.chance > 0
    assert equal.evidence.confidence > 0.99


def test_a_constant_is_scored_by_the_columns_that_vary() -> None:
    """The chance of a constant column is the commonest share in the varying columns, and 1 without such columns."""
    labels = np.array([[0, 1, 0], [0, 0, 0], [0, 1, 1], [0, 0, 0]])
    (rule,) = scored_by(labels, [([1, 0, 0], "==", 0)])
    assert rule.evidence is not None
    assert rule.evidence.chance == pytest.approx((0.5 + 0.75) / 2)
    (alone,) = scored_by(np.zeros((50, 3), np.int64), [([1, 0, 0], "==", 0)])
    assert alone.evidence is not None
    assert alone.evidence.chance == 1.0
    assert alone.evidence.confidence == 0.0


def test_another_right_hand_side_costs() -> None:
    """A sum other than "exactly one" has a higher price, because its value is one of many possible ones."""
    labels = np.random.default_rng(0).integers(0, 2, (20, 4))
    one, two, least = scored_by(labels, [([1, 1, 1, 0], "==", 1), ([1, 1, 1, 0], "==", 2), ([1, 1, 1, 0], "<=", 2)])
    for rule, price in ((one, log(4)), (two, log(4) + log(4)), (least, log(4))):
        assert rule.evidence is not None
        assert rule.evidence.price == pytest.approx(price)


def test_violations_are_passed_on() -> None:
    """Each rule gets its own number of violations, counted over examples and not over distinct labels."""
    labels = np.array([[0, 0], [1, 1], [1, 1], [1, 0]])
    first, second = scored_by(labels, [([1, -1], "==", 0), ([1, 1], "<=", 2)], np.array([1, 0]))
    assert first.evidence is not None
    assert second.evidence is not None
    assert (first.evidence.violations, first.evidence.support) == (1, 3)
    assert second.evidence.violations == 0
    assert first.evidence.chance == pytest.approx(0.75 * 0.5 + 0.25 * 0.5)
