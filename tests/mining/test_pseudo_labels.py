"""Pseudo-labels obey the rules and have the shares of the examples; a row of whole numbers cuts off hardly any."""

from __future__ import annotations

import numpy as np

import unwritten
from unwritten.data import IntArray
from unwritten.mining.capacities.whole_numbers import Rounded
from unwritten.mining.pseudo_labels import Law, Unit, obeying
from unwritten.rules import Gaps


def law_of(labels: IntArray, rules: IntArray) -> Law:
    """The law of 0/1 labels under rules `[a, b]`."""
    units = tuple(
        Unit(np.array([j]), np.array([[0], [1]]), np.array([1 - share, share]))
        for j, share in enumerate(labels.mean(axis=0).tolist())
    )
    variables = unwritten.mine(labels, rules=[]).variables
    return Law(units, tuple(np.log(unit.shares) for unit in units), labels, rules, Gaps(variables, ()), 4_000)


def test_shares_under_rules() -> None:
    """At most one of the first two columns: fitted pseudo-labels obey it, and have the shares of the examples."""
    rng = np.random.default_rng(0)
    labels = (rng.random((3_000, 6)) < 0.4).astype(np.int64)
    labels = labels[labels[:, 0] + labels[:, 1] <= 1]
    rules = np.array([[1, 1, 0, 0, 0, 0, 1]])
    _, drawn = law_of(labels, rules).fitted(rules[:0], 8)
    assert obeying(drawn, rules).all()
    assert np.abs(drawn.mean(axis=0) - labels.mean(axis=0)).max() < 0.03


def test_stuck() -> None:
    """If exactly k of the columns are 1, no column can change alone."""
    rng = np.random.default_rng(0)
    labels = np.argsort(rng.random((500, 20)), axis=1) < 8
    ones = np.ones((1, 20), np.int64)
    rules = np.concatenate([np.append(ones, [[8]], axis=1), np.append(-ones, [[-8]], axis=1)])
    assert law_of(labels.astype(np.int64), rules).is_stuck
    assert not law_of(labels.astype(np.int64), rules[:0]).is_stuck


def test_row_keeps_labels() -> None:
    """A row that stands for likely rows keeps all labels; at most the given share of allowed labels is beyond it."""
    rng = np.random.default_rng(1)
    pseudo = rng.integers(0, 2, size=(5_000, 8))
    sizes = np.array([5, 3, 8, 2, 7, 4, 6, 1])
    allowed = pseudo[pseudo @ sizes <= 16]
    near = sizes * 30 + rng.integers(-20, 21, size=(50, 8))
    visited = np.column_stack([near, (allowed[:400] @ near.T).max(axis=0)])
    rounded = Rounded.of(np.arange(8), visited, pseudo, allowed[:400])
    tight, loose = rounded.row(0.02), rounded.row(0.001)
    assert tight is not None
    assert loose is not None
    for row in (tight.row, loose.row):
        assert (allowed[:400] @ row[:-1] <= row[-1]).all()
    inside = pseudo @ visited[:, :-1].T <= visited[:, -1]
    beyond = pseudo @ loose.row[:-1] > loose.row[-1]
    assert (inside & beyond[:, None]).sum(axis=0).mean() <= 0.001 * inside.sum(axis=0).max()
