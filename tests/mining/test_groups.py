"""Groups: the compiled exact cover and the choice of groups, compared with a list of all sets of columns."""

from __future__ import annotations

from itertools import combinations
from math import comb, log

import numpy as np
import pytest

from unwritten import budgets
from unwritten.data import BoolArray, IntArray
from unwritten.evidence.chance import MARGIN
from unwritten.mining.groups.exact_cover import partitions
from unwritten.mining.groups.group_miner import find_groups
from unwritten.tally import Tally

MANY = 10**6


def sets_with_one(ones: BoolArray, smallest: int = 1) -> set[tuple[int, ...]]:
    """List every set of columns that are not all 0 such that each row has exactly one 1 in the set."""
    columns = np.flatnonzero(ones.any(axis=0)).tolist()
    return {
        chosen
        for size in range(smallest, len(columns) + 1)
        for chosen in combinations(columns, size)
        if (ones[:, chosen].sum(axis=1) == 1).all()
    }


def one_hot(n: int, sizes: tuple[int, ...], seed: int) -> IntArray:
    """Independent exactly-one groups side by side."""
    rng = np.random.default_rng(seed)
    return np.concatenate([np.eye(s, dtype=np.int64)[rng.integers(0, s, n)] for s in sizes], axis=1)


def mined(labels: IntArray, **options: object) -> set[tuple[int, ...]]:
    """The groups found, as sets of columns; each row is checked to be an exactly-one row."""
    result = find_groups(Tally.of(labels), np.zeros(labels.shape[1], bool), **options)  # type: ignore[arg-type]
    assert result.complete
    assert np.isin(result.rows[:, :-1], (0, 1)).all()
    assert (result.rows[:, -1] == -1).all()
    sets = [tuple(np.flatnonzero(row[:-1]).tolist()) for row in result.rows]
    assert len(set(sets)) == len(sets)
    return set(sets)


@pytest.mark.parametrize("n", [1, 2, 7, 63, 64, 65, 128, 129])
def test_partitions_are_all_exact_covers(n: int) -> None:
    """The search finds each exact cover once, for any number of 64-bit words, copies and empty columns."""
    for seed in range(12):
        rng = np.random.default_rng(1000 * n + seed)
        ones = np.concatenate([one_hot(n, (3, 2), seed), rng.integers(0, 2, (n, 3))], axis=1) == 1
        ones[:, 5] = ones[:, int(rng.integers(5))]  # a copy
        ones[:, 6] = ones[:, 0] | ones[:, 1]  # a union, so that covers overlap
        ones = ones[:, rng.permutation(8)]
        partition_sets, complete = partitions(ones, MANY, MANY)
        sets = [tuple(members.tolist()) for members in partition_sets]
        assert complete
        assert len(set(sets)) == len(sets)
        assert set(sets) == sets_with_one(ones)


@pytest.mark.parametrize(("budget", "most"), [(1, MANY), (5, MANY), (MANY, 1), (MANY, 3), (MANY, 0)])
def test_a_search_cut_short_says_so(budget: int, most: int) -> None:
    """With too small a budget, only some of the true sets are returned, and the result is not called complete."""
    ones = one_hot(40, (2, 2, 2, 2), 0) == 1
    truth = sets_with_one(ones)
    partition_sets, complete = partitions(ones, budget, most)
    assert not complete
    assert len(partition_sets) <= most
    assert {tuple(members.tolist()) for members in partition_sets} <= truth
    assert partitions(ones, MANY, len(truth))[1]


def test_groups_are_those_that_stand_out() -> None:
    """On random data, the groups are exactly the sets that hold and have enough evidence."""
    kept = dropped = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(2, 30)), int(rng.integers(3, 8))
        labels = (rng.random((n, d)) < rng.uniform(0.1, 0.9, d)).astype(np.int64)
        if seed % 3:
            labels[:, : d - 1] = one_hot(n, (d - 1,), seed)
        expected = set()
        varying = (labels.min(axis=0) == 0) & (labels.max(axis=0) == 1)
        copies = [any(np.array_equal(labels[:, i], labels[:, j]) for i in range(j)) for j in range(d)]
        use = varying & ~np.array(copies)
        for chosen in sets_with_one((labels == 1) & use, smallest=2):
            p = labels[:, chosen].mean(axis=0)
            by_chance = sum(p[k] * np.delete(1 - p, k).prod() for k in range(len(chosen)))
            if -n * log(by_chance) - log(comb(d, len(chosen))) >= MARGIN:
                expected.add(chosen)
            else:
                dropped += 1
        if (labels.max(axis=0) == 1).all():  # otherwise an unseen column may complete a group
            assert mined(labels) == expected, seed
            kept += len(expected)
    assert min(kept, dropped) > 5


def test_a_higher_margin_keeps_fewer() -> None:
    """A group with few examples is dropped if the margin is higher."""
    labels = one_hot(8, (3,), 1)
    assert mined(labels, margin=0.0) == {(0, 1, 2)}
    assert mined(labels, margin=50.0) == set()


def test_few_examples_show_planted_groups() -> None:
    """24 examples show four groups of five columns among eight random columns, and no false group."""
    whole = {tuple(range(5 * k, 5 * k + 5)) for k in range(4)}
    for seed in range(10):
        noise = np.random.default_rng(seed).integers(0, 2, (24, 8))
        labels = np.concatenate([one_hot(24, (5, 5, 5, 5), seed), noise], axis=1)
        if labels.any(axis=0).all():
            assert mined(labels) == whole, seed


def test_a_rare_member_is_not_missed() -> None:
    """A column that is 1 in only three of 5,000 distinct labels is still found as a member of its group."""
    rng = np.random.default_rng(0)
    group = np.eye(4, dtype=np.int64)[rng.integers(0, 3, 5000)]
    group[[7, 2000, 4999]] = [0, 0, 0, 1]
    labels = np.concatenate([group, rng.integers(0, 2, (5000, 14))], axis=1)
    assert len(Tally.of(labels).seen) > 10 * budgets.GROUP_SAMPLE
    assert mined(labels) == {(0, 1, 2, 3)}


def test_a_group_that_one_label_breaks_is_dropped() -> None:
    """A group that holds on the sample is dropped if a single label among thousands breaks it."""
    rng = np.random.default_rng(0)
    labels = np.concatenate([one_hot(3000, (4,), 0), rng.integers(0, 2, (3000, 14))], axis=1)
    assert mined(labels) == {(0, 1, 2, 3)}
    for broken in ([0, 0, 0, 0], [1, 1, 0, 0]):
        wrong = labels.copy()
        wrong[1234, :4] = broken
        assert mined(wrong) == set()


def test_known_columns_copies_and_integers_are_left_aside() -> None:
    """Columns of known groups, copies of a column, and columns beyond 0 and 1 are in no group."""
    labels = one_hot(60, (3, 4), 0)
    known = np.zeros(7, bool)
    known[:3] = True
    rows = find_groups(Tally.of(labels), known).rows
    assert [np.flatnonzero(row[:-1]).tolist() for row in rows] == [[3, 4, 5, 6]]
    assert mined(np.concatenate([labels, labels[:, :1]], axis=1)) == {(0, 1, 2), (3, 4, 5, 6)}
    assert mined(2 * labels) == set()
    assert mined(-labels) == set()
    assert mined(np.column_stack([labels[:, :2], labels[:, 2] * 2, labels[:, 3:]])) == {(3, 4, 5, 6)}
    assert mined(np.column_stack([labels, np.ones(60, np.int64), np.zeros(60, np.int64)])) >= {(3, 4, 5, 6)}


def latin(n: int, size: int, seed: int) -> IntArray:
    """One-hot Latin squares: every column is in three groups."""
    rng = np.random.default_rng(seed)
    cyclic = np.add.outer(np.arange(size), np.arange(size)) % size
    squares = [
        rng.permutation(size)[cyclic[np.ix_(rng.permutation(size), rng.permutation(size))]].ravel() for _ in range(n)
    ]
    return np.eye(size, dtype=np.int64)[np.array(squares)].reshape(n, -1)


def test_the_one_unseen_column_joins_its_groups() -> None:
    """One unseen digit joins the three groups that lack a member; two unseen digits join none."""
    labels = latin(300, 4, 0)
    whole = mined(labels)
    assert len(whole) >= 48
    lacking = labels[labels[:, 5] == 0]
    assert not lacking[:, 5].any()
    assert {s for s in whole if len(s) == 4} == {s for s in mined(lacking) if len(s) == 4}
    two = lacking[lacking[:, 40] == 0]
    assert all(not {5, 40} & set(s) for s in mined(two))


def test_an_unseen_column_joins_no_group_if_that_is_ambiguous() -> None:
    """With one group of three, an unseen column is not taken for a fourth member."""
    labels = np.column_stack([one_hot(50, (3,), 0), np.zeros(50, np.int64)])
    assert mined(labels) == {(0, 1, 2)}
