"""Rulers: all differences of some columns differ."""

from __future__ import annotations

from itertools import combinations

import numpy as np

import unwritten
from unwritten.data import IntArray
from unwritten.mining.gaps.rulers import ruler_lines, ruler_sums
from unwritten.rules.gaps.gap import difference_forms


def marks(n: int, seed: int, *, golomb: bool = True, size: int = 5, length: int = 18) -> IntArray:
    """Marks in order, the first at 0; all their differences differ if `golomb`."""
    rng = np.random.default_rng(seed)
    drawn = np.sort(rng.random((60 * n, length)).argsort(axis=1)[:, : size - 1] + 1, axis=1)
    drawn = np.column_stack([np.zeros(len(drawn), int), drawn])
    differences = np.sort([drawn[:, j] - drawn[:, i] for i, j in combinations(range(size), 2)], axis=0)
    fine = (np.diff(differences, axis=0) > 0).all(axis=0) if golomb else np.ones(len(drawn), bool)
    assert fine.sum() >= n
    return drawn[fine][:n]


def test_a_ruler_is_one_sentence() -> None:
    """All differences differ, and marks are in order; what follows from that is not said."""
    names = [f"mark[{k}]" for k in range(5)]
    model = unwritten.mine(marks(400, 0), names=names)
    assert [gap.text for gap in model.gaps] == [f"all differences differ: {', '.join(names)}"]
    assert model.gaps[0].evidence is not None
    assert model.gaps[0].evidence.confidence >= 0.95
    assert model.check(marks(2000, 1)).feasible.all()
    assert not model.check([[0, 3, 6, 10, 17]]).feasible.any()
    answer = model.predict([[-1, 1, -2, 1, -3]])
    assert model.check(answer).feasible.all()


def test_marks_without_the_rule_show_none() -> None:
    """Marks that are only in order, or one label with two equal differences among many, show no such rule."""
    for seed in range(10):
        assert not len(unwritten.mine(marks(300, seed, golomb=False), rules=["gaps"]).gaps)
    labels = marks(300, 0)
    labels[7] = [0, 2, 4, 9, 17]
    assert "all-differences" not in {gap.kind for gap in unwritten.mine(labels, rules=["gaps"]).gaps}


def test_lines_of_a_grid() -> None:
    """Each line along an ordered axis is a ruler of its own; an axis without an order has none."""
    names = [f"mark[{ruler},{k}]" for ruler in ("long", "short") for k in range(5)]
    labels = np.hstack([marks(400, 2), marks(400, 3, golomb=False)])
    model = unwritten.mine(labels, names=names, rules=["gaps"])
    assert [gap.text for gap in model.gaps if gap.kind == "all-differences"] == [
        f"all differences differ: {', '.join(names[:5])}"
    ]
    assert ruler_lines(model.variables.layout, labels) == [tuple(range(5)), tuple(range(5, 10))]


def test_the_number_of_sums() -> None:
    """As many sums are counted as are formed."""
    for size in range(3, 8):
        assert len(difference_forms(tuple("abcdefgh"[:size]))) == ruler_sums(size)
