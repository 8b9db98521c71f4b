"""Gaps are mined where labels show them, and nowhere else."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import unwritten
from experiments.calibration import laws
from mining.gaps.gap_cases import EDGES, TIMES, colourings, distances, machine, queens
from unwritten import budgets
from unwritten.mining.gaps.cover import cover
from unwritten.mining.gaps.gap_miner import TOO_MANY, _needed, confirmed_gaps


def forbidden(model: unwritten.Model) -> set[tuple[int, int, int]]:
    """All (i, j, v) with i < j that the gaps rule out for y_i − y_j, for v from −20 to 20."""
    found = set()
    parts = model.gaps.parts
    for (first, second), low, high in zip(parts.columns.tolist(), parts.low.tolist(), parts.high.tolist(), strict=True):
        values = range(low + 1, high)
        found |= {(first, second, v) if first < second else (second, first, -v) for v in values}
    return found


def test_colouring() -> None:
    """Exactly the edges of the graph are mined, and triangles are said once."""
    for seed in range(3):
        model = unwritten.mine(colourings(500, seed))
        assert forbidden(model) == {(i, j, 0) for i, j in EDGES}
        assert model.gaps[0].text == "all different: y0, y1, y2"
        assert {gap.kind for gap in model.gaps} == {"all-different", "not-equal"}
        assert all(gap.evidence is not None and gap.evidence.confidence >= 0.95 for gap in model.gaps)


def test_queens() -> None:
    """Rows and both diagonals, one sentence each; nothing but the queens' own placements is left."""
    labels = queens()
    model = unwritten.mine(labels)
    assert sorted(gap.text for gap in model.gaps) == [
        "all different: y0 + 7, y1 + 6, y2 + 5, y3 + 4, y4 + 3, y5 + 2, y6 + 1, y7",
        "all different: y0, y1 + 1, y2 + 2, y3 + 3, y4 + 4, y5 + 5, y6 + 6, y7 + 7",
        "all different: y0, y1, y2, y3, y4, y5, y6, y7",
    ]
    assert sorted(map(tuple, model.labels().tolist())) == sorted(map(tuple, labels.tolist()))


def test_one_before_the_other() -> None:
    """Tasks of one machine: the sentence has their times, and no label that obeys them is refused."""
    model = unwritten.mine(machine(500), names=["a", "b", "c"])
    assert [gap.text for gap in model.gaps] == [
        "a + 3 ≤ b or b + 4 ≤ a",
        "a + 3 ≤ c or c + 2 ≤ a",
        "b + 4 ≤ c or c + 2 ≤ b",
    ]
    assert model.check(machine(3000, seed=9)).feasible.all()


def test_times_are_never_too_long() -> None:
    """With few examples a time may be stated too short or not at all, but not too long."""
    for seed in range(12):
        for gap in unwritten.mine(machine(60 + 20 * seed, seed), names=["a", "b", "c"]).gaps:
            i, j = ("abc".index(name) for name in gap.variables)
            for part in gap.parts:
                assert -TIMES[i] <= part.low
                assert part.high <= TIMES[j]


def test_distance() -> None:
    """Two numbers that are never two apart."""
    assert [gap.text for gap in unwritten.mine(distances(600), names=["x", "y", "z"]).gaps] == ["|x − y| ≠ 2"]


@pytest.mark.parametrize("law", [laws.integers], ids=lambda law: law.__name__)
def test_laws_without_rules(law: laws.Law) -> None:
    """No gap is seen in independent integers."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        draw = law(10, rng)
        assert not len(unwritten.mine(draw(int(rng.choice([50, 200, 500])), rng), rules=["gaps"]).gaps)


def test_clouds_are_not_apart() -> None:
    """Two clouds of labels leave values between them, which are rare and not ruled out."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        centres = rng.integers(0, 20, (4, 6))
        labels = np.rint(centres[rng.integers(0, 4, 300)] + 1.5 * rng.normal(size=(300, 6))).astype(int)
        assert not len(unwritten.mine(labels, rules=["gaps"]).gaps)


def test_soft_dislike_is_no_rule() -> None:
    """Numbers that are equal in one of a hundred labels are not called different."""
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 6, (4000, 4))
    rare = (labels[:, 0] == labels[:, 1]) & (rng.random(4000) > 0.06)
    assert not len(unwritten.mine(labels[~rare][:500]).gaps)


def test_parity_and_orders_need_no_gap() -> None:
    """What a sum or an order says already is not said again."""
    rng = np.random.default_rng(5)
    x = rng.integers(0, 8, 400)
    assert not len(unwritten.mine(np.column_stack([x, 7 - x, rng.integers(0, 5, 400)])).gaps)
    starts = np.sort(rng.integers(0, 30, (400, 3)), axis=1) + np.array([0, 3, 6])
    assert not len(unwritten.mine(starts).gaps)


def test_only_without_weights_unless_named() -> None:
    """Optimal labels shun values for other reasons, so with weights gaps are mined only by name."""
    labels = colourings(400)
    rng = np.random.default_rng(0)
    weights = rng.normal(size=(400, 8))
    best = labels[np.argmax(weights @ labels.T, axis=1)]
    assert not len(unwritten.mine(best, weights).gaps)
    assert not len(unwritten.mine(labels, rules=["equalities", "pairs"]).gaps)
    assert len(unwritten.mine(labels, rules=["gaps"]).gaps)


def test_too_many_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past its budget the miner says what it did not do."""
    monkeypatch.setattr(budgets, "GAP_DIFFERENCES", 100)
    model = unwritten.mine(colourings(200))
    assert not len(model.gaps)
    assert TOO_MANY in model.notes


def test_equal_labels_and_order_do_not_matter() -> None:
    """The same labels in another order give the same gaps, and copies are no evidence."""
    labels = colourings(300)
    shuffled = np.random.default_rng(1).permutation(labels)
    assert unwritten.mine(labels).gaps == unwritten.mine(shuffled).gaps
    few = labels[:12]
    assert not len(unwritten.mine(np.repeat(few, 50, axis=0)).gaps)


def test_columns_may_be_permuted() -> None:
    """Another order of the columns gives the same pairs."""
    order = np.random.default_rng(2).permutation(8)
    names = [f"v{k}" for k in range(8)]
    model = unwritten.mine(colourings(500)[:, order], names=[names[k] for k in order])
    pairs = {frozenset(name for name, _ in part.terms) for gap in model.gaps for part in gap.parts}
    assert pairs == {frozenset((names[i], names[j])) for i, j in EDGES}


def test_noise() -> None:
    """With a share of wrong examples, gaps hold on all but these, which become suspects."""
    labels = colourings(600)
    rng = np.random.default_rng(3)
    wrong = rng.permutation(600)[:6]
    labels[wrong] = rng.integers(0, 4, (6, 8))
    assert forbidden(unwritten.mine(labels)) != {(i, j, 0) for i, j in EDGES}
    model = unwritten.mine(labels, noise=0.02)
    broken = model.gaps.broken(labels).any(axis=1)
    assert set(np.flatnonzero(broken)) <= set(model.suspects.tolist())


def test_a_sample_is_verified_on_all_rows() -> None:
    """Gaps of a sample are tested on every batch: one label that breaks a gap is enough to drop it."""
    labels = colourings(2000)
    batches = [labels[k : k + 200] for k in range(0, 2000, 200)]
    fine = unwritten.mine(batches, most_kept=4000)
    assert (0, 1, 0) in forbidden(fine)
    again = [*batches, np.array([[0, 0, 1, 2, 0, 0, 1, 2]])]
    dropped = unwritten.mine(again, most_kept=4000)
    assert not dropped.gaps.broken(again[-1]).any()
    assert "broken ones were dropped" in dropped.notes[-1]
    once = unwritten.mine(iter(batches), most_kept=4000)
    assert not len(once.gaps)
    assert "rules were left out" in once.notes[-1]


def test_cover_says_cliques_once() -> None:
    """Cliques come first, the largest of them first, and pairs are what is left."""
    clique = [(i, j, 0) for i, j in combinations(range(4), 2)]
    covered = cover([*clique, (3, 4, 0), (4, 5, 0), (4, 5, 2), (4, 5, -2)], [])
    assert covered.cliques == ((0, (0, 1, 2, 3)),)
    assert covered.rest == {(3, 4): [0], (4, 5): [-2, 0, 2]}


def test_rare_pairs_share_what_their_siblings_show() -> None:
    """If no pair of columns has a value and most surely rule it out, the set is said once and whole."""
    rng = np.random.default_rng(6)
    labels = np.array([rng.permutation(12) for _ in range(100)])
    assert [gap.kind for gap in unwritten.mine(labels).gaps] == ["all-different"]
    assert len(unwritten.mine(labels).gaps[0].variables) == 12


def test_what_a_half_refutes_is_not_enough() -> None:
    """A value that is ruled out by one half of the labels and occurs in the other raises what all values need."""
    labels = colourings(400)
    labels[:, 7] = np.where(labels[:, 7] == labels[:, 5], (labels[:, 5] + 1) % 4, labels[:, 7])
    labels[3, 7] = labels[3, 5]
    distinct = np.unique(labels, axis=0)
    needed = _needed(distinct, len(distinct), 1.0, 0.95)
    assert needed.value > 0
    assert (5, 7, 0) not in confirmed_gaps(distinct, len(distinct), 1.0, 0.95).values


def test_symmetries_and_followers_count_less() -> None:
    """Images of one label are not new examples: with symmetries, few labels still show nothing."""
    labels = colourings(12)
    turned = [list(range(8))[::-1]]
    assert not len(unwritten.mine(labels, symmetries=turned, rules=["gaps"]).gaps)


def test_columns_that_are_far_apart_are_not_compared() -> None:
    """Values that never meet need no counts, however far apart they are; the others keep their gaps."""
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 5, (600, 3))
    labels = labels[(labels[:, 0] != labels[:, 1])]
    far = np.column_stack([labels, rng.integers(10**8, 10**8 + 4, len(labels))])
    assert [gap.text for gap in unwritten.mine(far, rules=["gaps"]).gaps] == ["y0 ≠ y1"]
