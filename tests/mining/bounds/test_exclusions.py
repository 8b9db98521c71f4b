"""Pairs of columns that never occur together are believed as a class; copies of examples say nothing new."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import unwritten
from unwritten.data import IntArray
from unwritten.mining.bounds.ones_together import OnesTogether
from unwritten.rules.exactly_one import exactly_one_rules

COLUMNS = 14


def packings(seed: int) -> tuple[IntArray, IntArray]:
    """All sets of columns without two that exclude each other, and which ones do (d × d)."""
    rng = np.random.default_rng(seed)
    excludes = np.triu(rng.random((COLUMNS, COLUMNS)) < 0.4, 1)
    every = np.array(list(product((0, 1), repeat=COLUMNS)))
    allowed = (np.einsum("ni,ij,nj->n", every, excludes.astype(np.int64), every) == 0).nonzero()[0]
    return every[allowed], excludes | excludes.T


def one_step_away(labels: IntArray) -> IntArray:
    """Every label with one column changed."""
    flips = np.eye(labels.shape[1], dtype=np.int64)
    return np.abs(labels[:, None, :] - flips).reshape(-1, labels.shape[1])


@pytest.mark.parametrize("value", [1, 0])
def test_most_pairs_are_believed(value: int) -> None:
    """300 packings show most of their exclusions and no false one, whichever value excludes the other."""
    every, excludes = packings(1)
    labels = every[np.random.default_rng(2).integers(len(every), size=300)]
    labels, every = (part if value else 1 - part for part in (labels, every))
    model = unwritten.mine(labels, progress=False)
    assert model.check(every).feasible.all()
    near = one_step_away(every)
    ones = near if value else 1 - near
    bad = near[np.einsum("ni,ij,nj->n", ones, np.triu(excludes).astype(np.int64), ones) > 0]
    alone = unwritten.mine(labels, rules=["groups", "equalities", "pairs"], progress=False)
    refused, refused_alone = (float((~each.check(bad).feasible).mean()) for each in (model, alone))
    assert refused > 0.9
    assert refused_alone < refused - 0.05


def test_no_rule_is_said_twice() -> None:
    """The columns of no rule are all in another rule, though some pairs had been found one by one."""
    every, _ = packings(3)
    model = unwritten.mine(every[np.random.default_rng(0).integers(len(every), size=400)], progress=False)
    members = model.rules.matrix != 0
    within = (members[:, None, :] <= members[None, :, :]).all(axis=2)
    assert within.sum() == len(members) > 5
    assert not exactly_one_rules(model.rules).any()
    assert {rule.evidence.needed for rule in model.rules if rule.evidence is not None} == {0}


def test_copies_say_nothing_new() -> None:
    """Draws of few possible labels count each time; copies of as many distinct labels count once."""
    every, excludes = packings(2)
    rng = np.random.default_rng(0)
    drawn = every[rng.integers(len(every), size=250)]
    base = every[rng.permutation(len(every))[: len(every) // 2]]
    copied = base[rng.integers(len(base), size=250)]
    excluded = [
        sum(len(np.flatnonzero(row)) * (len(np.flatnonzero(row)) - 1) // 2 for row in model.rules.matrix)
        for model in (unwritten.mine(labels, progress=False) for labels in (drawn, copied, np.unique(copied, axis=0)))
    ]
    assert excluded[1] == excluded[2] < excluded[0] <= excludes.sum()


def test_rare_columns_exclude_nobody() -> None:
    """Independent columns that are rarely 1 miss many pairs by luck: no rule is stated."""
    for seed in range(4):
        labels = (np.random.default_rng(seed).random((300, 25)) < 0.13).astype(np.int64)
        assert len(unwritten.mine(labels, progress=False).rules) == 0


def test_counts_by_hand() -> None:
    """Columns 0 and 1 exclude each other: the test counts only labels in which nothing else forbids the second."""
    labels = np.array([[1, 0, 0]] * 6 + [[0, 1, 0]] * 3 + [[0, 0, 0]] * 3 + [[0, 0, 1]] * 2 + [[1, 0, 1]])
    counts = OnesTogether.of(labels, np.ones(len(labels), np.int64), 1.0)
    assert counts.together.tolist() == [[7, 0, 1], [0, 3, 0], [1, 0, 3]]
    # without column 2, which excludes column 1 too: 3 of 6 labels have column 1, and none of the 6 with column 0
    assert counts.nats[0, 1] <= np.log(12 * 11 * 10 / (6 * 5 * 4)) + 1e-9
    assert counts.nats[0, 1] == counts.nats[1, 0]
