"""Pairs and clauses: true, complete and short, compared with a list of all 0/1 labels."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, log

import numpy as np
import pytest

import unwritten
from helpers import box
from unwritten import RuleSet, Variables
from unwritten.data import IntArray
from unwritten.mining.pairs.clauses import Clauses
from unwritten.mining.pairs.pair_miner import find_pairs
from unwritten.tally import Tally


def named(d: int) -> Variables:
    """0/1 variables."""
    return Variables.named([f"y{j}" for j in range(d)])


def random_rules(rng: np.random.Generator, d: int, longest: int) -> list[tuple[list[int], str, int]]:
    """At most one, at least one or exactly one of some literals, and now and then a row of another form."""
    rows: list[tuple[list[int], str, int]] = []
    for _ in range(int(rng.integers(1, 6))):
        size = int(rng.integers(1 if longest > 2 else 2, longest + 1))
        a = np.zeros(d, np.int64)
        a[rng.choice(d, size, replace=False)] = rng.choice([-1, 1], size)
        negative = int((a < 0).sum())
        if longest == 2:
            rows.append((a.tolist(), "<=", 1 - negative))
        else:
            if rng.random() < 0.1:
                a *= int(rng.integers(1, 3))
            room = int(rng.choice([0, 1, size - 1]))
            rows.append((a.tolist(), str(rng.choice(["<=", "=="])), room - negative))
    return rows


def together(points: IntArray, first: int, second: int) -> bool:
    """True if some point makes both literals true."""
    true = [points[:, literal >> 1] == 1 - (literal & 1) for literal in (first, second)]
    return bool((true[0] & true[1]).any())


@pytest.mark.parametrize("longest", [2, 4])
def test_what_clauses_force_is_true(longest: int) -> None:
    """Literals that clauses exclude are never both true under the rules; with two-literal clauses, none is missed."""
    d, every = 5, box(0, 1, 5)
    found = 0
    for seed in range(150):
        rules = RuleSet.of(named(d), random_rules(np.random.default_rng(seed), d, longest))
        points = every[~rules.violations(every).any(axis=1)]
        clauses = Clauses.of(rules, d)
        for first, second in combinations(range(2 * d), 2):
            apart = clauses.excludes(first, second)
            assert apart == clauses.excludes(second, first)
            if apart:
                assert not together(points, first, second), (rules, first, second)
                found += 1
            elif longest == 2 and len(points):
                assert together(points, first, second), (rules, first, second)
    assert found > 1000


def test_a_clause_that_is_dropped_is_forgotten() -> None:
    """A dropped clause has no effect any more, and `states` tells a stated clause from a consequence."""
    clauses = Clauses(3)
    clauses.add(0, 3)  # y0 requires y1
    clauses.add(2, 5)  # y1 requires y2
    assert clauses.excludes(0, 5)
    assert not clauses.states(0, 5)
    assert clauses.states(3, 0)
    clauses.drop(3, 0)
    assert not clauses.excludes(0, 3)
    assert not clauses.excludes(0, 5)
    assert clauses.excludes(0, 1)  # a literal and its negation, always


def test_rules_beyond_the_clauses_variables_are_left_aside() -> None:
    """Rows over integers or latents are ignored."""
    wide = Variables.named(["a", "b", "c"], 0, [1, 2, 1])
    clauses = Clauses.of(RuleSet.of(wide, [([1, 1, 0], "<=", 1), ([1, 0, 1], "<=", 1)]), 2)
    assert not clauses.excludes(0, 2)


def sampled(seed: int) -> tuple[IntArray, IntArray]:
    """Labels drawn from the solutions of a few random two-literal clauses, and all these solutions."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(3, 7))
    rules = RuleSet.of(named(d), random_rules(rng, d, 2))
    points = box(0, 1, d)
    points = points[~rules.violations(points).any(axis=1)]
    if len(points) < 2:
        return sampled(seed + 10_000)
    return points[rng.integers(0, len(points), int(rng.integers(5, 150)))], points


def strong(labels: IntArray, margin: float) -> list[tuple[int, int]]:
    """Pairs of literals that are never both true, though chance would show them ln(4·C(d, 2)) + margin times."""
    n = len(labels)
    varying = [j for j in range(labels.shape[1]) if 0 < labels[:, j].sum() < n]
    least = log(4 * comb(len(varying), 2)) + margin if len(varying) > 1 else np.inf
    out = []
    for i, j in combinations(varying, 2):
        for a, b in product((0, 1), repeat=2):
            one, other = labels[:, i] == 1 - a, labels[:, j] == 1 - b
            if not (one & other).any() and n * one.mean() * other.mean() >= least:
                out.append((2 * i + a, 2 * j + b))
    return out


@pytest.mark.parametrize("given", [False, True])
def test_pairs_are_complete_and_not_redundant(given: bool) -> None:
    """Rows hold on all labels, exclude every pair with enough evidence, and none follows from the others."""
    rows_seen = 0
    for seed in range(120):
        labels, _ = sampled(seed)
        d = labels.shape[1]
        known = RuleSet.empty(named(d))
        if given:
            labels = np.column_stack([labels, 1 - labels[:, 0]])
            d += 1
            known = RuleSet.of(named(d), [([1, *[0] * (d - 2), 1], "==", 1)])
        rows = find_pairs(Tally.of(labels), known, margin=3.0).rows
        rows_seen += len(rows)
        bordered = np.column_stack([labels, np.ones(len(labels), np.int64)])
        assert (bordered @ rows.T <= 0).all()
        every = np.column_stack([box(0, 1, d), np.ones(2**d, np.int64)])
        every = every[~known.violations(every[:, :-1]).any(axis=1)]
        obeys = every @ rows.T <= 0
        points = every[obeys.all(axis=1), :-1]
        wanted = strong(labels, 3.0)
        assert not any(together(points, first, second) for first, second in wanted), seed
        assert len(rows) == 0 or wanted
        for k in range(len(rows)):
            assert np.delete(obeys, k, axis=1).all(axis=1).sum() > len(points), (seed, rows)


def test_exclusions_are_joined_to_at_most_one() -> None:
    """Five columns that exclude each other are stated in one row."""
    labels = np.concatenate([np.eye(5, dtype=np.int64), np.zeros((2, 5), np.int64)])
    labels = labels[np.random.default_rng(0).integers(0, 7, 500)]
    rows = find_pairs(Tally.of(labels), RuleSet.empty(named(5))).rows
    assert rows.tolist() == [[1, 1, 1, 1, 1, -1]]


def test_a_chain_is_stated_by_its_links() -> None:
    """The chain a requires b requires c requires d is stated in three rows, not six."""
    rng = np.random.default_rng(0)
    level = rng.integers(0, 5, 300)
    labels = (level[:, None] > np.arange(4)).astype(np.int64)[:, ::-1].copy()
    rules = unwritten.mine(labels, rules=["pairs"], names=list("abcd")).rules
    assert sorted(str(rules).splitlines()) == ["a requires b", "b requires c", "c requires d"]


def test_a_known_group_is_not_repeated() -> None:
    """Exclusions within a known exactly-one group are implied and not mined again."""
    labels = np.eye(4, dtype=np.int64)[np.random.default_rng(0).integers(0, 4, 300)]
    known = RuleSet.of(named(4), [([1, 1, 1, 1], "==", 1)])
    assert len(find_pairs(Tally.of(labels), RuleSet.empty(named(4))).rows) > 0
    assert len(find_pairs(Tally.of(labels), known).rows) == 0


def test_planted_pairs_are_found_from_few_examples() -> None:
    """From 120 examples of twelve columns, exactly the three planted pairs are mined."""
    for seed in range(20):
        y = np.random.default_rng(seed).integers(0, 2, (120, 12))
        y[:, 1] |= y[:, 0]
        y[:, 3] |= 1 - y[:, 2]
        y[:, 5] &= 1 - y[:, 4]
        names = [f"v{j}" for j in range(12)]
        text = str(unwritten.mine(y, rules=["pairs"], names=names).rules).splitlines()
        assert sorted(text) == ["at least one of v2, v3", "at most one of v4, v5", "v0 requires v1"], seed


def test_integer_and_constant_columns_are_ignored() -> None:
    """Integers, negative values and constants are in no pair; a single varying column gives no pair."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (200, 1))
    for other in (2 * bits, -bits, bits * 0, bits * 0 + 1):
        labels = np.concatenate([bits, other], axis=1)
        known = RuleSet.empty(Variables.of(labels))
        assert find_pairs(Tally.of(labels), known).rows.shape == (0, 3)


def test_copies_and_complements() -> None:
    """A copy of a column gives two implications, and a complement two clauses."""
    a = np.random.default_rng(0).integers(0, 2, (200, 1))
    every = box(0, 1, 2)
    for other, allowed in ((a, [[0, 0], [1, 1]]), (1 - a, [[0, 1], [1, 0]])):
        rows = find_pairs(Tally.of(np.concatenate([a, other], axis=1)), RuleSet.empty(named(2))).rows
        kept = every[(np.column_stack([every, np.ones(4, np.int64)]) @ rows.T <= 0).all(axis=1)]
        assert kept.tolist() == allowed
