"""Expected misses of a cover, compared with a list of all labels; and pairs that groups settle."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import unwritten
from helpers import box
from unwritten import RuleSet, Variables
from unwritten.data import IntArray
from unwritten.evidence.chance import MARGIN
from unwritten.mining.expected_misses import Neighbours
from unwritten.mining.missing_members import _shared_out
from unwritten.mining.pairs.near_pairs import near_pairs
from unwritten.tally import Tally


def independent_sets(d: int, edges: int, rng: np.random.Generator) -> tuple[IntArray, RuleSet]:
    """All independent sets of a random graph, and its edges as rules."""
    pairs = list(combinations(range(d), 2))
    rows = np.zeros((edges, d), np.int64)
    for row, k in zip(rows, rng.permutation(len(pairs))[:edges], strict=True):
        row[list(pairs[k])] = 1
    known = RuleSet.of(Variables.named([f"y{j}" for j in range(d)]), [(row.tolist(), "<=", 1) for row in rows])
    labels = box(0, 1, d)
    return labels[known.obeyed_by(labels)], known


@pytest.mark.parametrize("seed", range(4))
def test_expected_misses_are_those_of_a_list_of_all_labels(seed: int) -> None:
    """If labels that miss some columns are taken away, about as many are expected as there were."""
    rng = np.random.default_rng(seed)
    labels, known = independent_sets(10, 12, rng)
    members = np.sort(rng.choice(10, 4, replace=False))
    missed = ~labels[:, members].any(axis=1)
    neighbours = Neighbours(Tally.of(labels[~missed]), known)
    assert 0.6 * missed.sum() < neighbours.expected_misses(members) < 1.5 * missed.sum()


def test_a_cover_that_follows_from_known_rules_has_no_expected_misses() -> None:
    """The rules so far allow no label without it, so no example speaks for it."""
    variables = Variables.named("abcd")
    known = RuleSet.of(variables, [([1, 1, 1, 0], "==", 1), ([0, 0, 1, -1], "<=", 0)])
    labels = box(0, 1, 4)
    labels = labels[known.obeyed_by(labels)]
    assert Neighbours(Tally.of(labels), known).expected_misses(np.array([0, 1, 3])) == 0


def test_conflicts_between_columns_are_no_cover() -> None:
    """Independent sets miss half of the nodes less often than independent columns would, which is no rule."""
    rng = np.random.default_rng(5)
    for _ in range(5):
        labels, _ = independent_sets(16, 24, rng)
        model = unwritten.mine(labels[rng.integers(len(labels), size=500)], progress=False)
        assert not model.rules.broken(labels).any()


def test_pairs_that_groups_settle_are_not_compared_with() -> None:
    """If one of two columns is 1, "not both 0" is no pair that might have been luck."""
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 2, (400, 4))
    labels[:, 1] = 1 - labels[:, 0]
    labels[:, 3] &= 1 - labels[:, 2]
    labels[0, 2:] = 1  # in one example both are 1, and no other pair is near
    variables, tally = Variables.named("abcd"), Tally.of(labels)
    group = RuleSet.of(variables, [([1, 1, 0, 0], "==", 1)])
    assert len(near_pairs(tally, RuleSet.empty(variables), MARGIN).rules) == 2  # a and b: not both 1, not both 0
    found = near_pairs(tally, group, MARGIN)
    assert (len(found.rules), len(found.near)) == (0, 1)


def test_rules_larger_than_usual_may_lack_a_member() -> None:
    """That most rules have six members says nothing about a rule of eight."""
    odds = _shared_out(np.array([6, 6, 6, 6, 6, 8, 5]), 1.0)
    assert odds.tolist() == [0, 0, 0, 0, 0, 0.5, 0.5]
