"""Groups that meet the others alike: what they are, how lucky they are, and which of two equal columns they have."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import unwritten
from unwritten import linalg
from unwritten.data import IntArray
from unwritten.mining.groups.alike import GroupsAlike, shared_out
from unwritten.samples import sudoku
from unwritten.tally import Tally

SIDE = 4


def latin_rows() -> IntArray:
    """The groups of Latin squares: each cell, each row and digit, each column and digit."""
    names = list(product(range(SIDE), repeat=3))
    rows = [
        [*(int(tuple(name[k] for k in kept) == values) for name in names), -1]
        for kept in ((0, 1), (0, 2), (1, 2))
        for values in product(range(SIDE), repeat=2)
    ]
    return np.array(rows)


def exchanged(row: IntArray, column: int, other: int) -> IntArray:
    """The row with another column in place of one."""
    changed = row.copy()
    changed[[column, other]] = changed[[other, column]]
    return changed


def test_all_groups_of_latin_squares_are_alike() -> None:
    """Of 48 groups alike, each is one more: odds of 1 to 48; a near-rule of the kind doubles them."""
    groups = GroupsAlike(latin_rows())
    assert groups.odds(latin_rows(), latin_rows()[:0]) == pytest.approx(np.full(48, 1 / 48))
    assert groups.odds(latin_rows()[:1], latin_rows()[5:6]) == pytest.approx([2 / 48])


def test_a_group_with_a_column_exchanged_is_of_no_kind() -> None:
    """Neither is one that lacks a column, nor a row that is no group, nor a group apart from all others."""
    rows = latin_rows()
    member = int(np.flatnonzero(rows[0])[0])
    outside = int(np.flatnonzero(rows[0, :-1] == 0)[-1])
    lacking, more = rows[0].copy(), rows[0].copy()
    lacking[member], more[-1] = 0, -2
    odd = np.array([exchanged(rows[0], member, outside), lacking, more, -rows[0]])
    assert np.isinf(GroupsAlike(rows).odds(odd, rows[:0])).all()
    apart = np.array([[1, 1, 0, 0, -1], [0, 0, 1, 1, -1]])
    assert np.isinf(GroupsAlike(apart).odds(apart, apart[:0])).all()


def equal_in_all(first: int, second: int) -> IntArray:
    """Labels of 80 Sudoku grids in which two columns happen to be equal."""
    labels = sudoku.one_hot(sudoku.grids(200, 3))
    return labels[labels[:, first] == labels[:, second]][:80]


def test_equal_columns_are_shared_out() -> None:
    """A group gets the second of two equal columns where that makes it like the others; the layout tells the cells."""
    rules = np.column_stack([sudoku.true_rules(), np.full(324, -1)])
    first, second = 145, 605
    tally = Tally.of(equal_in_all(first, second))
    cells = np.arange(729).reshape(81, 9)
    laid_out = {cell.tobytes() for cell in cells}
    wrong = np.array([
        exchanged(row, first, second) if row[second] and np.flatnonzero(row[:-1]).tobytes() not in laid_out else row
        for row in rules
    ])  # fmt: skip
    assert (wrong != rules).any(axis=1).sum() == 3
    assert (shared_out(wrong, list(cells), tally) == rules).all()
    assert (shared_out(wrong, [], tally) == wrong).all()  # without a layout, the two could change places everywhere


@pytest.mark.parametrize("pair", [(145, 605), (0, 40)])
def test_sudoku_with_two_columns_that_are_equal_by_accident(pair: tuple[int, int]) -> None:
    """Exactly the rules of Sudoku are found from 80 grids, and they are sure."""
    model = unwritten.mine(equal_in_all(*pair))
    truth = unwritten.RuleSet.of(model.variables, [(row, "==", 1) for row in sudoku.true_rules()])
    assert model.rules.compare(truth).same
    assert not len(model.doubtful)
    assert linalg.rank(model.rules.rows) == 249


def test_a_group_found_without_a_rare_member_does_not_make_it_doubtful() -> None:
    """Without a fold of the grids, a group may lack a rare member; the other groups show that it must not."""
    labels = sudoku.one_hot(sudoku.grids(400, 5))
    rare, other = labels[labels[:, 0] == 1], labels[labels[:, 0] == 0]
    model = unwritten.mine(np.concatenate([rare[:2], other[:78]]))
    assert not len(model.doubtful)
    assert min(e.confidence for e in model.rules.evidence if e is not None) > 0.97
