"""A miner that gives up says so with the cure, and says nothing if nothing was lost."""

from __future__ import annotations

import numpy as np
import pytest

import unwritten
from unwritten import budgets
from unwritten.data import IntArray
from unwritten.samples import trees


def one_hot(values: IntArray, levels: int) -> IntArray:
    """One 0/1 column for each cell and level."""
    return (values[:, :, None] == np.arange(levels)).reshape(len(values), -1).astype(np.int64)


def beside_integers(labels: IntArray) -> tuple[IntArray, list[int]]:
    """The labels with an unrelated integer column in their midst, and the places of the labels' own columns."""
    numbers = np.random.default_rng(8).integers(5, 90, len(labels))
    places = [*range(3), *range(4, labels.shape[1] + 1)]
    return np.insert(labels, 3, numbers, axis=1), places


def test_too_many_columns_for_covers_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Covers are noted as not searched for if there are columns outside of groups, or if somebody named them."""
    rng = np.random.default_rng(0)
    monkeypatch.setattr(budgets, "SET_COLUMNS", 12)
    free = (rng.random((200, 14)) < 0.4).astype(np.int64)
    cells = one_hot(rng.integers(0, 5, (200, 4)), 5)
    note = "covers (sets of columns of which every row has at least one) were not searched for, because"
    assert unwritten.mine(free).notes == (
        f"{note} 14 0/1 columns are more than 12: mine fewer columns at a time to find them",
    )
    assert unwritten.mine(cells).notes == ()
    assert unwritten.mine(cells, rules=["covers"]).notes[0].startswith(note)
    by_name = unwritten.mine(np.column_stack([cells, free[:, :8]]), rules=["groups", "ranks"]).notes
    assert "were searched for only among the 8 columns in no exactly-one group" in by_name[0]
    assert not unwritten.mine(np.column_stack([cells, free[:, :8]])).notes
    assert not unwritten.mine(free[:, :12]).notes


def test_matroids_that_were_not_searched_for_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many columns, or an integer column beside the sets, keep a matroid from being found, and a note says so."""
    labels = trees.sample(6, 300, seed=1)[1]
    assert unwritten.mine(labels).matroid is not None
    model = unwritten.mine(beside_integers(labels)[0])
    assert model.matroid is None
    assert "because some columns are not 0/1: mine the 0/1 columns alone" in model.notes[0]
    monkeypatch.setattr(budgets, "SET_COLUMNS", 14)
    assert any(note.startswith("matroids (") for note in unwritten.mine(labels).notes)


@pytest.mark.parametrize("rules", ["auto", ["covers"], ["ranks"]])
def test_an_integer_column_does_not_hide_sets(rules: str) -> None:
    """Covers and ranks of 0/1 columns are the same with an unrelated integer column beside them."""
    labels = trees.sample(6, 400, seed=2)[1]
    wider, places = beside_integers(labels)
    alone, beside = unwritten.mine(labels, rules=rules), unwritten.mine(wider, rules=rules)
    assert len(alone.rules) > 5
    assert not beside.rules.matrix[:, 3].any()
    keys = [
        {(*row, int(rhs)) for row, rhs in zip(matrix.tolist(), model.rules.rhs, strict=True)}
        for model, matrix in ((alone, alone.rules.matrix), (beside, beside.rules.matrix[:, places]))
    ]
    assert keys[0] == keys[1]


def test_searches_that_stop_early_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each limit on candidates leaves a note with the cure; without the limit there is none."""
    labels = trees.sample(6, 300, seed=3)[1]
    hierarchy = np.repeat(np.tril(np.ones((6, 6), np.int64)), 40, axis=0)
    cases = (("PAIR_CANDIDATES", ["pairs"], hierarchy), ("COVERS_FOUND", ["covers"], labels),
             ("RANK_RULES_LISTED", ["ranks"], labels))  # fmt: skip
    for budget, rules, data in cases:
        assert not unwritten.mine(data, rules=rules).notes
        monkeypatch.setattr(budgets, budget, 2)
        assert unwritten.mine(data, rules=rules).notes[0].endswith(("to find them", "to find all")), budget


def test_sums_that_are_not_searched_for_despite_noise_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """With noise, too many integer columns or too few examples are noted; labels without integers are not."""
    numbers = np.random.default_rng(4).integers(0, 90, (300, 5))
    assert not unwritten.mine(numbers, noise=0.02).notes
    few = unwritten.mine(numbers[:30], noise=0.02).notes
    assert any(note.endswith("30 examples are too few for 5 integer columns: give at least 36") for note in few)
    monkeypatch.setattr(budgets, "NOISY_SUM_COLUMNS", 4)
    assert "5 integer columns are more than 4" in unwritten.mine(numbers, noise=0.02).notes[0]
    assert not unwritten.mine(numbers % 2, noise=0.02).notes


def test_a_kernel_that_is_too_wide_is_noted_and_searched_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more columns than the whole search takes, a sum of three columns is still found, and the rest is noted."""
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 1_000, (100, 150))
    labels[:, 17] = labels[:, 3] - 2 * labels[:, 50] + 11
    monkeypatch.setattr(budgets, "UNSETTLED_LATTICE_COLUMNS", 30)
    monkeypatch.setattr(budgets, "UNSETTLED_ROWS", 5)
    model = unwritten.mine(labels)
    wanted = np.zeros(150, np.int64)
    wanted[[3, 17, 50]] = 1, -1, -2
    assert len(model.rules) == 1
    assert model.rules.implies(wanted, -11)
    left = len(labels[0]) + 1 - np.linalg.matrix_rank(np.column_stack([labels, np.ones(100)])) - 1
    assert model.notes[0].startswith(f"{left} further equalities hold on all examples but were not mined, because the")
    assert model.notes[0].endswith("give more examples than the 150 columns, or mine fewer columns at a time")


def test_huge_numbers_do_not_hide_a_sum() -> None:
    """Columns of huge numbers leave the whole kernel without a short form, but not the sum of other columns.

    From so few examples the sum is doubtful, but it is found, and it is the only one.
    """
    rng = np.random.default_rng(6)
    labels = rng.integers(0, 2**28, (30, 40))
    labels[:, :3] = rng.integers(0, 500, (30, 3))
    labels[:, 2] = labels[:, 0] + labels[:, 1]
    model = unwritten.mine(labels)
    assert not len(model.rules)
    assert len(model.doubtful) == 1
    assert model.doubtful.implies([1, 1, -1] + [0] * 37, 0)
