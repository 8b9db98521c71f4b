"""Blocks of columns: families that the layout shows, their values as numbers, and equalities between a few of them."""

from __future__ import annotations

import numpy as np
import pytest

import unwritten
from unwritten.data import IntArray
from unwritten.mining.groups.block_families import BlockFamily, block_families, follows_numbers
from unwritten.tally import Tally


def one_hot(values: IntArray, levels: int) -> IntArray:
    """One 0/1 column for each cell and level."""
    return (values[:, :, None] == np.arange(levels)).reshape(len(values), -1).astype(np.int64)


def families(labels: IntArray, names: list[str] | None = None) -> list[list[list[int]]]:
    """The blocks of the families, as lists."""
    names = names or [f"y{j}" for j in range(labels.shape[1])]
    found = block_families(Tally.of(labels), names, np.zeros(len(names), bool))
    return [[block.tolist() for block in family.blocks] for family in found]


def sums_of(cells: tuple[int, ...], numbers: IntArray, total: int, width: int) -> IntArray:
    """The row Σ numbers[cell, level]·y = total, over [y, 1]."""
    row = np.zeros(width + 1, np.int64)
    for cell in cells:
        row[cell * numbers.shape[1] : (cell + 1) * numbers.shape[1]] = numbers[cell]
    row[-1] = -total
    return row[None]


def test_families_are_found_by_place_and_by_name() -> None:
    """Cells side by side, cells in steps, and cells whose columns are shuffled but named."""
    rng = np.random.default_rng(0)
    labels = one_hot(rng.integers(0, 3, (50, 4)), 3)
    assert families(labels) == [[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]]
    steps = labels[:, np.arange(12).reshape(4, 3).T.ravel()]
    assert families(steps) == [[[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]]
    order = rng.permutation(12)
    names = [f"x[{j // 3}]={j % 3 + 1}" for j in order]
    (family,) = families(labels[:, order], names)
    assert sorted(sorted(order[block].tolist()) for block in family) == families(labels)[0]
    assert families(labels[:, order]) == []
    assert families(np.column_stack([labels, labels[:, 0]])) == []


def test_the_numbers_in_names_are_the_numbers_of_columns() -> None:
    """Levels 2, 3, 5 of each cell count as these numbers."""
    rng = np.random.default_rng(1)
    labels = one_hot(rng.integers(0, 3, (50, 4)), 3)
    names = [f"cell{c}={level}" for c in range(4) for level in (2, 3, 5)]
    (family,) = block_families(Tally.of(labels), names, np.zeros(12, bool))
    assert [numbers.tolist() for numbers in family.numbers] == [[2, 3, 5]] * 4


def test_rows_about_numbers_are_told_from_rows_about_columns() -> None:
    """A cell's own row, a sum of digits and its multiples follow the numbers; a single column and a swap do not."""
    blocks, numbers = (np.arange(3), np.arange(3, 6)), (np.array([2, 3, 5]), np.array([1, 2, 3]))
    rows = np.array(
        [
            [1, 1, 1, 0, 0, 0, 0],
            [2, 3, 5, 1, 2, 3, 0],
            [0, 2, 6, -1, -2, -3, 0],
            [1, 0, 0, 0, 0, 0, 0],
            [1, 1, 0, 0, 0, 1, 0],
            [2, 3, 4, 0, 0, 0, 0],
            [1, 1, 1, 0, 0, 0, 1],
        ]
    )
    assert follows_numbers(rows, [BlockFamily(blocks, numbers)]).tolist() == [True] * 3 + [False] * 4


@pytest.mark.parametrize("seed", range(5))
def test_a_value_that_no_example_has_belongs_to_its_cell(seed: int) -> None:
    """Cells are stated with all their values, so that a fresh label with another value breaks no rule."""
    rng = np.random.default_rng(seed)
    shares = np.array([0.4, 0.3, 0.28, 0.02])
    values = rng.choice(4, (40, 12), p=shares)
    values[:, :2] = rng.choice(3, (40, 2))
    model = unwritten.mine(one_hot(values, 4))
    assert len(model.rules.equalities) >= 12
    groups = model.rules[model.rules.rhs == 1]
    cells = np.repeat(np.eye(12, dtype=np.int64), 4, axis=1)
    assert {row.tobytes() for row in cells} <= {row.tobytes() for row in groups.matrix}


@pytest.mark.parametrize("seed", range(10))
def test_two_of_four_columns_do_not_pass_for_two_cells(seed: int) -> None:
    """A few labels with exactly two of four ones often have one in each half; that is no evidence for halves."""
    rng = np.random.default_rng(seed)
    labels = (rng.random((7, 4)).argsort(axis=1) < 2).astype(np.int64)
    assert not any(rule.text.startswith("exactly one of") for rule in unwritten.mine(labels).rules)


@pytest.mark.parametrize("seed", range(3))
def test_sums_of_digits_are_mined_from_few_examples(seed: int) -> None:
    """Ten cells of seven digits: three sums are found among 70 columns from 60 examples, and nothing false is.

    From 30 examples these sums are found too, but only as doubtful ones.
    """
    rng = np.random.default_rng(seed)

    def drawn(n: int) -> IntArray:
        values = rng.integers(0, 7, (40 * n, 10))
        sums = np.column_stack([values[:, :3].sum(axis=1), values[:, 3:7].sum(axis=1), values[:, 8] - values[:, 9]])
        return one_hot(values[(sums == [9, 12, 1]).all(axis=1)], 7)

    labels = np.concatenate([drawn(200) for _ in range(12)])
    model = unwritten.mine(labels[:60])
    digits = np.tile(np.arange(7), (10, 1))
    signed = digits * np.where(np.arange(10) == 9, -1, 1)[:, None]
    rows = [sums_of((0, 1, 2), digits, 9, 70), sums_of((3, 4, 5, 6), digits, 12, 70), sums_of((8, 9), signed, 1, 70)]
    assert model.rules.implied(np.concatenate(rows)).all()
    equalities = model.rules.equalities
    assert not equalities[equalities.rhs != 0].violations(labels[60:]).any()
    few = unwritten.mine(labels[:30])
    assert not few.rules.implied(np.concatenate(rows)).any()
    assert (few.rules + few.doubtful.equalities).implied(np.concatenate(rows)).all()


def test_equalities_between_a_few_blocks_may_have_any_coefficients() -> None:
    """Three cells in which each value has its own number: found although the columns are in no order, and many."""
    rng = np.random.default_rng(3)
    worth = np.array([[4, 5, 1, 3], [3, 2, 0, 1], [7, 2, 4, 1]])
    values = rng.integers(0, 4, (30_000, 24))
    sums = worth[0, values[:, 0]] + worth[1, values[:, 1]] + worth[2, values[:, 2]]
    labels = one_hot(values[sums == 8][:150], 4)
    numbers = np.zeros((24, 4), np.int64)
    numbers[:3] = worth
    wanted = sums_of((0, 1, 2), numbers, 8, 96)
    model = unwritten.mine(labels)
    assert model.rules.implied(wanted).all()
    fresh = one_hot(values[sums == 8][150:], 4)
    assert not model.rules.violations(fresh).any()
