"""Shifting: where the variables of a program lie changes nothing but the constant part of all values."""

from __future__ import annotations

import numpy as np
import pytest

import unwritten
from solving.programs import small
from unwritten import budgets
from unwritten.data import Variables, tolerance
from unwritten.errors import DataError

OFFSETS = [-7, 10**4, -(5 * 10**8)]


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("engine", ["auto", "explicit", "best-first", "lazy", "monolithic", "inner"])
def test_answers_move_with_the_variables(engine: str, offset: int) -> None:
    """Labels, values, bounds, statuses and proofs are those of the program at 0, moved."""
    for seed in range(3):
        case = small(seed, binary=False, rules=[])
        d = case.labels.shape[1]
        moved = offset * np.array([1, -1, 1, -1, 1, -1])[:d]
        far = unwritten.mine(case.labels + moved, case.weights, rules=[], bounds=(moved - 1, moved + 2))
        queries = np.concatenate([np.random.default_rng(seed).integers(-9, 10, (4, d)), case.weights[:2]])
        here, there = case.model.decide(queries, engine=engine), far.decide(queries, engine=engine)
        constant, room = queries @ moved, 1e-6 + 1e-14 * np.abs(queries) @ np.abs(moved)
        assert (here.status == there.status).all() and (here.proof == there.proof).all()
        for name in ("values", "bounds", "seen_values"):
            assert (np.abs(getattr(there, name) - getattr(here, name) - constant) <= room).all(), name
        assert np.array_equal((queries[:4] * (there.labels - moved)[:4]).sum(axis=1), here.values[:4])


def test_the_tolerance_depends_on_ranges() -> None:
    """Two labels differ by as much at 10⁹ as at 0; only the rounding of values at that distance is added."""
    weights = np.array([[1.0, -2.0]])
    here = tolerance(weights, Variables.named("ab", 0, 3))[0]
    there = tolerance(weights, Variables.named("ab", 10**9, 10**9 + 3))[0]
    assert here == 9 * 2.0**-30
    assert here < there < 1e-5


def test_a_gap_is_a_share_of_what_the_best_seen_label_is_worth() -> None:
    """A relative gap means the same wherever the variables lie, and bounds stay valid."""
    rng = np.random.default_rng(1)
    labels = 100 + np.array([[0, 3, 1, 0], [3, 0, 0, 1]])
    model = unwritten.mine(labels, rules=[], bounds=(100, 105)).with_rules([([3, 5, 7, 2], "<=", 1720)])
    queries = rng.integers(1, 9, (5, 4)).astype(float)
    exact = model.decide(queries, engine="lazy")
    rough = model.decide(queries, engine="lazy", mip_gap=0.01)
    assert (rough.values >= exact.values - 0.01 * exact.values).all()
    assert (rough.bounds >= exact.values - 1e-9).all()


def test_large_right_hand_sides() -> None:
    """Right-hand sides may be sums of large labels; beyond what a float holds they are refused with a cure."""
    model = unwritten.mine(np.array([[2 * 10**9, 2 * 10**9]]), rules=[], bounds=(0, budgets.LARGEST_LABEL))
    bound = model.with_rules([([1, 1], "<=", 4 * 10**9 + 1)])
    assert bound.decide([[1.0, 1.0]]).values[0] == 4 * 10**9 + 1
    with pytest.raises(DataError, match="rescale"):
        model.with_rules([([1, 1], "<=", 2**54)])
