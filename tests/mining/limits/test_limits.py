"""Limits: known inequalities come back, wrong examples are named, and nothing is said about random sets."""

import numpy as np
import pytest
from limit_cases import box, decided, problem

import unwritten
from unwritten.errors import UnwrittenError

KNAPSACK = ([3, 5, 2, 7, 4, 6, 1, 5], 14)


def limits_of(model):
    return [rule for rule in model.rules if rule.evidence is not None and rule.evidence.left_out]


def rows_of(model):
    return {(*rule.coefficients.tolist(), rule.rhs) for rule in limits_of(model)}


def test_a_knapsack_comes_back_as_itself():
    weights, labels = problem([KNAPSACK], 300, low=0.0)
    names = ["tent", "stove", "rope", "boat", "pan", "bag", "map", "axe"]
    model = unwritten.mine(labels, weights, names=names, rules=["limits"])
    assert rows_of(model) == {(*KNAPSACK[0], KNAPSACK[1])}
    assert "3·tent + 5·stove + 2·rope + 7·boat + 4·pan + 6·bag + map + 5·axe ≤ 14" in str(model.rules)
    fresh, truth = problem([KNAPSACK], 200, seed=9, low=0.0)
    np.testing.assert_allclose(model.decide(fresh).values, (fresh * truth).sum(axis=1))


def test_at_most_four_of():
    weights, labels = problem([([1] * 9, 4)], 300, low=0.0)
    model = unwritten.mine(labels, weights, rules=["limits"])
    assert [rule.text for rule in limits_of(model)] == ["at most four of y0, y1, y2, y3, y4, y5, y6, y7, y8"]


def test_two_rows_over_integers():
    rows = [([2, 1, 3, 1], 11), ([1, 3, -1, 2], 8)]
    weights, labels = problem(rows, 600, top=4)
    model = unwritten.mine(labels, weights, bounds=(0, 4), rules=["limits"])
    fresh, truth = problem(rows, 300, seed=5, top=4)
    right = np.isclose(model.decide(fresh).values, (fresh * truth).sum(axis=1))
    assert right.mean() >= 0.97
    assert len(limits_of(model)) <= 3


def test_every_limit_holds_on_every_label_and_proofs_are_right():
    rows = [([5, -3, 2, 4, 1, -2, 3, 3, 2, 1], 7), ([-1, 4, 2, -3, 2, 5, 1, 1, 3, 2], 8)]
    weights, labels = problem(rows, 500, seed=1)
    model = unwritten.mine(labels, weights, rules=["limits"])
    assert limits_of(model)
    assert model.rules.obeyed_by(labels).all()
    fresh, truth = problem(rows, 500, seed=2)
    decisions = model.decide(fresh)
    right = np.isclose(decisions.values, (fresh * truth).sum(axis=1))
    assert right.mean() >= 0.95
    assert right[decisions.proven].all()
    assert set(decisions.proof) <= {"data", None}


def test_limits_are_saved(tmp_path):
    weights, labels = problem([KNAPSACK], 200, low=0.0)
    model = unwritten.mine(labels, weights, rules=["limits"])
    model.save(tmp_path / "k.rules")
    again = unwritten.load(tmp_path / "k.rules")
    assert again.rules.evidence == model.rules.evidence
    assert limits_of(again)[0].evidence.left_out > 0


def test_labels_that_are_not_optimal_are_named():
    weights, labels = problem([KNAPSACK], 400, low=0.0)
    labels, truth = labels.copy(), (weights * labels).sum(axis=1)
    labels[[17, 230]] = 0  # allowed, but far from the best
    model = unwritten.mine(labels, weights, rules=["limits"])
    assert model.suspects.tolist() == [17, 230]
    assert any("2 examples were set aside" in note for note in model.notes)
    assert rows_of(model) == {(*KNAPSACK[0], KNAPSACK[1])}
    decisions = model.decide(weights[:20])
    assert decisions.proven.any() and np.isclose(decisions.values, truth[:20])[decisions.proven].all()


def test_a_label_that_is_not_allowed_is_named():
    weights, labels = problem([KNAPSACK], 400, low=0.0)
    labels = labels.copy()
    labels[55] = 1
    model = unwritten.mine(labels, weights, rules=["limits"])
    assert model.suspects.tolist() == [55]


def test_nothing_is_said_about_a_random_set_of_labels():
    rng = np.random.default_rng(0)
    every = box(9)
    feasible = every[rng.random(len(every)) < 0.3]
    weights = rng.uniform(-1, 1, (400, 9))
    model = unwritten.mine(decided(feasible, weights), weights, rules=["limits"])
    assert limits_of(model) == []


def test_without_weights_or_with_estimated_ones_nothing_is_searched():
    weights, labels = problem([KNAPSACK], 100, low=0.0)
    model = unwritten.mine(labels, rules=["limits"])
    assert not len(model.rules)
    assert any("limits were not searched for" in note for note in model.notes)
    noisy = weights + np.random.default_rng(0).normal(0, 0.5, weights.shape)
    assert limits_of(unwritten.mine(labels, noisy, rules=["limits"])) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda w, y: (np.zeros_like(w), y),
        lambda w, y: (np.rint(2 * w), y),
        lambda w, y: (w, np.ones_like(y)),
        lambda w, y: (np.repeat(w[:1], 60, axis=0), np.repeat(y[:1], 60, axis=0)),
        lambda w, y: (w, y * np.array([1, 1, 0, 1, 1, 0, 1, 1])),
        lambda w, y: (w, y[::-1]),
        lambda w, y: (w[:2], y[:2]),
    ],
    ids=["zeros", "ties", "constant", "all equal", "constant columns", "contradictory", "two"],
)
def test_bad_input_does_not_crash(change):
    weights, labels = change(*problem([KNAPSACK], 60, low=0.0))
    model = unwritten.mine(labels, weights, rules=["limits"])
    right = np.setdiff1d(np.arange(len(labels)), model.suspects)
    assert model.rules.obeyed_by(labels[right]).all()


def test_one_example_is_refused_in_clear_words():
    with pytest.raises(UnwrittenError, match="one example"):
        unwritten.mine([[1, 0]], [[1.0, 0.5]], rules=["limits"])


def test_the_same_twice():
    weights, labels = problem([KNAPSACK], 150, seed=4)
    first, second = (unwritten.mine(labels, weights, rules=["limits"]) for _ in range(2))
    assert first == second


def test_auto_states_a_set_cover():
    """Few columns come before many: each element of a set cover is a rule of its own."""
    rows = [([-(j in members) for j in range(10)], -1) for members in ({0, 1, 2}, {2, 3, 4, 5}, {6, 7}, {1, 5, 8, 9})]
    weights, labels = problem(rows, 400, low=-1.0)
    weights = -np.abs(weights)
    labels = decided(box(10)[(box(10) @ np.array([a for a, _ in rows]).T <= [b for _, b in rows]).all(axis=1)], weights)
    model = unwritten.mine(labels, weights)
    assert {rule.text for rule in model.rules} == {
        "at least one of y0, y1, y2", "at least one of y2, y3, y4, y5", "at least one of y6, y7",
        "at least one of y1, y5, y8, y9",
    }  # fmt: skip


def test_auto_states_capacities_of_open_plants_and_orders():
    """x ≤ 4·open for two plants, and one start time two units before another."""
    rows = [([1, 0, -4, 0], 0), ([0, 1, 0, -4], 0), ([1, 1, 0, 0], 6)]
    every = box(4, 4)
    every = every[(every[:, 2:] <= 1).all(axis=1)]
    allowed = every[(every @ np.array([a for a, _ in rows]).T <= [b for _, b in rows]).all(axis=1)]
    rng = np.random.default_rng(0)
    weights = rng.uniform([0, 0, -3, -3], [1, 1, 0, 0], (400, 4))
    model = unwritten.mine(decided(allowed, weights), weights, bounds=([0] * 4, [4, 4, 1, 1]))
    assert rows_of(model) >= {(1, 0, -4, 0, 0), (0, 1, 0, -4, 0), (1, 1, 0, 0, 6)}
    times = box(3, 5)
    allowed = times[(times[:, 0] + 2 <= times[:, 1]) & (times[:, 1] + 1 <= times[:, 2])]
    weights = rng.uniform(-1, 1, (300, 3))
    model = unwritten.mine(decided(allowed, weights), weights, bounds=(0, 5))
    assert (1, -1, 0, -2) in rows_of(model)
    assert (0, 1, -1, -1) in rows_of(model)


def test_simple_rows_and_a_wide_one_together():
    """A knapsack with conflicts: pairs, and one row over all items."""
    sizes = [3, 5, 2, 7, 4, 6, 1, 5, 3, 2]
    pairs = [([int(j in pair) for j in range(10)], 1) for pair in ((0, 3), (2, 5), (7, 9))]
    rows = [(sizes, 18), *pairs]
    weights, labels = problem(rows, 500)
    model = unwritten.mine(labels, weights)
    every = box(10)
    allowed = (every @ np.array([a for a, _ in rows]).T <= [b for _, b in rows]).all(axis=1)
    assert model.rules.obeyed_by(every[allowed]).all()
    fresh, truth = problem(rows, 300, seed=4)
    assert np.isclose(model.decide(fresh).values, (fresh * truth).sum(axis=1)).mean() >= 0.97


@pytest.mark.parametrize("seed", range(4))
def test_gains_alone_never_forbid_having_less(seed):
    """With gains only, every stated rule is obeyed by every subset of every allowed set."""
    rng = np.random.default_rng(seed)
    rows = [([int(j in pair) for j in range(11)], 1) for pair in rng.choice(11, (9, 2))]
    every = box(11)
    allowed = every[(every @ np.array([a for a, _ in rows]).T <= [b for _, b in rows]).all(axis=1)]
    weights = rng.uniform(0, 1, (250, 11))
    model = unwritten.mine(decided(allowed, weights), weights)
    assert limits_of(model)
    assert not model.rules.broken(allowed).any()


def test_a_column_that_never_varies_is_no_limit():
    """An item that is never worth its place is not forbidden."""
    rng = np.random.default_rng(0)
    allowed = box(8)[box(8) @ [3, 5, 2, 7, 4, 6, 1, 13] <= 14]
    weights = rng.uniform(0.3, 1, (400, 8)) * [1, 1, 1, 1, 1, 1, 1, 0.1]
    labels = decided(allowed, weights)
    assert not labels[:, 7].any()
    model = unwritten.mine(labels, weights, bounds=(0, 1))
    assert not any((rule.coefficients[:7] == 0).all() for rule in limits_of(model))


@pytest.mark.parametrize("noise", [0.03, "auto"])
def test_noise_covers_labels_that_are_not_optimal(noise):
    """Of 600 examples 15 are not optimal: exactly these are suspects, and the knapsack comes back."""
    weights, labels = problem([KNAPSACK], 600, low=0.0)
    allowed = box(8)[box(8) @ KNAPSACK[0] <= KNAPSACK[1]]
    rng = np.random.default_rng(7)
    wrong = rng.choice(600, 15, replace=False)
    for i in wrong:
        labels[i] = allowed[np.argsort(-(allowed @ weights[i]))[rng.integers(10, 40)]]
    assert any("noise=0.03" in note for note in unwritten.mine(labels, weights).notes)
    model = unwritten.mine(labels, weights, noise=noise)
    assert rows_of(model) == {(*KNAPSACK[0], KNAPSACK[1])}
    assert set(model.suspects) == set(wrong)
    assert any("set aside" in note for note in model.notes)
