"""Pairs and the clauses they are weighed against: sound, complete and short, against listing all 0/1 labels."""

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
from unwritten.mining.pairs.pair_finder import pair_rows
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
    """Whether some point makes both literals true."""
    true = [points[:, literal >> 1] == 1 - (literal & 1) for literal in (first, second)]
    return bool((true[0] & true[1]).any())


@pytest.mark.parametrize("longest", [2, 4])
def test_what_clauses_force_is_true(longest: int) -> None:
    """Literals called apart are so in every label under the rules, and clauses of two literals miss none that are."""
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
    """Adding and dropping leaves nothing behind, and `stated` tells what was said from what follows."""
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
    """Rows over integers or over latents say nothing here."""
    wide = Variables.named(["a", "b", "c"], 0, [1, 2, 1])
    clauses = Clauses.of(RuleSet.of(wide, [([1, 1, 0], "<=", 1), ([1, 0, 1], "<=", 1)]), 2)
    assert not clauses.excludes(0, 2)


def sampled(seed: int) -> tuple[IntArray, IntArray]:
    """Labels drawn from all that a few random two-literal clauses allow, and those clauses' solutions."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(3, 7))
    rules = RuleSet.of(named(d), random_rules(rng, d, 2))
    points = box(0, 1, d)
    points = points[~rules.violations(points).any(axis=1)]
    if len(points) < 2:
        return sampled(seed + 10_000)
    return points[rng.integers(0, len(points), int(rng.integers(5, 150)))], points


def strong(labels: IntArray, margin: float) -> list[tuple[int, int]]:
    """Pairs of literals that never meet though chance would have shown them ln(4·C(d, 2)) + margin times."""
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
def test_pairs_say_all_that_stands_out_and_nothing_twice(given: bool) -> None:
    """Rows hold on all labels; under them no strong combination can occur; and none follows from the others."""
    rows_seen = 0
    for seed in range(120):
        labels, _ = sampled(seed)
        d = labels.shape[1]
        known = RuleSet.empty(named(d))
        if given:
            labels = np.column_stack([labels, 1 - labels[:, 0]])
            d += 1
            known = RuleSet.of(named(d), [([1, *[0] * (d - 2), 1], "==", 1)])
        rows = pair_rows(Tally.of(labels), known, margin=3.0)
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
    """Five columns that exclude each other are said in one row."""
    labels = np.concatenate([np.eye(5, dtype=np.int64), np.zeros((2, 5), np.int64)])
    labels = labels[np.random.default_rng(0).integers(0, 7, 500)]
    rows = pair_rows(Tally.of(labels), RuleSet.empty(named(5)))
    assert rows.tolist() == [[1, 1, 1, 1, 1, -1]]


def test_a_chain_is_said_by_its_links() -> None:
    """a requires b requires c requires d: three rows, not six."""
    rng = np.random.default_rng(0)
    level = rng.integers(0, 5, 300)
    labels = (level[:, None] > np.arange(4)).astype(np.int64)[:, ::-1].copy()
    rules = unwritten.mine(labels, rules=["pairs"], names=list("abcd")).rules
    assert sorted(str(rules).splitlines()) == ["a requires b", "b requires c", "c requires d"]


def test_a_known_group_is_not_repeated() -> None:
    """Exclusions within a known exactly-one group are implied and not mined again."""
    labels = np.eye(4, dtype=np.int64)[np.random.default_rng(0).integers(0, 4, 300)]
    known = RuleSet.of(named(4), [([1, 1, 1, 1], "==", 1)])
    assert len(pair_rows(Tally.of(labels), RuleSet.empty(named(4)))) > 0
    assert len(pair_rows(Tally.of(labels), known)) == 0


def test_planted_pairs_are_found_from_few_examples() -> None:
    """ "a requires b", "one of a, b" and "not both" among twelve columns: 120 examples show them and nothing else."""
    for seed in range(20):
        y = np.random.default_rng(seed).integers(0, 2, (120, 12))
        y[:, 1] |= y[:, 0]
        y[:, 3] |= 1 - y[:, 2]
        y[:, 5] &= 1 - y[:, 4]
        names = [f"v{j}" for j in range(12)]
        text = str(unwritten.mine(y, rules=["pairs"], names=names).rules).splitlines()
        assert sorted(text) == ["at least one of v2, v3", "at most one of v4, v5", "v0 requires v1"], seed


def test_columns_that_are_no_bits_or_do_not_vary_are_ignored() -> None:
    """Integers, negative bits and constants take part in no pair; one varying column is not enough."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (200, 1))
    for other in (2 * bits, -bits, bits * 0, bits * 0 + 1):
        labels = np.concatenate([bits, other], axis=1)
        known = RuleSet.empty(Variables.of(labels))
        assert pair_rows(Tally.of(labels), known).shape == (0, 3)


def test_copies_and_complements() -> None:
    """A copy is two implications and a complement two clauses: both are said in full."""
    a = np.random.default_rng(0).integers(0, 2, (200, 1))
    every = box(0, 1, 2)
    for other, allowed in ((a, [[0, 0], [1, 1]]), (1 - a, [[0, 1], [1, 0]])):
        rows = pair_rows(Tally.of(np.concatenate([a, other], axis=1)), RuleSet.empty(named(2)))
        kept = every[(np.column_stack([every, np.ones(4, np.int64)]) @ rows.T <= 0).all(axis=1)]
        assert kept.tolist() == allowed
