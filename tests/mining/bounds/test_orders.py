"""Orders of tasks: pairs are compared with pairs of their own form."""

from __future__ import annotations

import numpy as np

import unwritten
from unwritten.data import IntArray, Variables
from unwritten.mining.bounds.bound_claims import Bound
from unwritten.mining.bounds.ordered_gaps import without_ordered
from unwritten.rules import Gap

TIMES = ((3, 4, 2), (2, 3, 5))
MACHINES = ((0, 1, 2), (1, 0, 2))  # of the tasks of each job, in order


def shop(n: int, seed: int, late: int = 22) -> IntArray:
    """Start times of two jobs on three machines, each in its own order; a machine does one thing at a time."""
    rng = np.random.default_rng(seed)
    found = np.zeros((0, 6), int)
    while len(found) < n:
        starts = rng.integers(0, late, (200_000, 2, 3))
        fine = np.ones(len(starts), bool)
        for job in range(2):
            for k in range(2):
                fine &= starts[:, job, k] + TIMES[job][k] <= starts[:, job, k + 1]
        starts = starts[fine]
        free = np.ones(len(starts), bool)
        for a, machine in enumerate(MACHINES[0]):
            b = MACHINES[1].index(machine)
            one, other = starts[:, 0, a], starts[:, 1, b]
            free &= (one + TIMES[0][a] <= other) | (other + TIMES[1][b] <= one)
        found = np.concatenate([found, starts[free].reshape(-1, 6)])
    return found[:n]


def test_a_job_shop() -> None:
    """Orders within a job are stated, either-or on machines, and nothing that a fresh plan breaks."""
    names = [f"start[job{j},m{MACHINES[j][k]}]" for j in range(2) for k in range(3)]
    for seed in range(3):
        plans = shop(3500, seed)
        model = unwritten.mine(plans[:500], names=names)
        assert {rule.text for rule in model.rules} == {
            "start[job0,m0] + 3 ≤ start[job0,m1]",
            "start[job0,m1] + 4 ≤ start[job0,m2]",
            "start[job1,m1] + 2 ≤ start[job1,m0]",
            "start[job1,m0] + 3 ≤ start[job1,m2]",
        }
        assert {frozenset(gap.variables) for gap in model.gaps} == {
            frozenset((f"start[job0,m{m}]", f"start[job1,m{m}]")) for m in range(3)
        }
        assert model.check(plans[500:]).feasible.all()


def test_a_gap_that_an_order_implies_is_not_said() -> None:
    """An order replaces the gap of the same two tasks if it is on one of its sides, and no other."""
    variables = Variables.named("abc", upper=20)
    gaps = (Gap.either_or("a", "b", -3, 4), Gap.either_or("b", "c", -3, 4), Gap.not_equal("a", "c"))
    before = Bound(np.array([0, 1]), np.array([1, -1]), -3)  # a + 3 ≤ b
    assert without_ordered(gaps, [before], variables) == gaps[1:]
    after = Bound(np.array([0, 1]), np.array([-1, 1]), -4)  # b + 4 ≤ a
    assert without_ordered(gaps, [after], variables) == gaps[1:]
    sooner = Bound(np.array([0, 1]), np.array([1, -1]), -2)  # a + 2 ≤ b leaves 3 to the gap
    assert without_ordered(gaps, [sooner], variables) == gaps
