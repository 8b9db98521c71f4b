"""Habits: what the best choices always do is not stated as a rule unless the weights prove it."""

from pathlib import Path

import numpy as np
import pytest

import unwritten
from unwritten import budgets
from unwritten.model import Model
from unwritten.rules import HABIT
from unwritten.samples import sudoku, trees

NODES, EDGES = 9, ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 0), (0, 4))


def independent_sets(n: int, seed: int, low: float = 0.05) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All independent sets of a small graph, random weights, and the best set for each row of weights."""
    every = (np.arange(2**NODES)[:, None] >> np.arange(NODES)) & 1
    feasible = every[~np.any([every[:, i] & every[:, j] for i, j in EDGES], axis=0)]
    weights = np.random.default_rng(seed).uniform(low, 1, (n, NODES))
    return feasible, weights, feasible[(weights @ feasible.T).argmax(axis=1)]


@pytest.fixture(scope="module")
def model() -> Model:
    _, weights, labels = independent_sets(600, seed=2)
    return unwritten.mine(labels, weights)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [60, 300, 600, 2_000])
def test_every_rule_of_the_best_independent_sets_is_true(n: int, seed: int) -> None:
    """Only edges are rules, from however many examples; few examples show nothing."""
    feasible, weights, labels = independent_sets(n, seed)
    model = unwritten.mine(labels, weights)
    assert not model.rules.violations(feasible).any()
    assert not model.habits.violations(labels).any()
    assert not model.doubtful.violations(labels).any()
    assert len(model.rules) == 10 or n < 2_000
    assert len(model.doubtful) or n > 60


@pytest.mark.parametrize(("n", "seed"), [(600, 2), (1_200, 1), (1_200, 2), (2_000, 3)])
def test_that_the_best_sets_are_maximal_is_a_habit(n: int, seed: int) -> None:
    """The best sets are maximal, which not all independent sets are: no rule says so, but habits do."""
    feasible, weights, labels = independent_sets(n, seed)
    model = unwritten.mine(labels, weights)
    assert not model.rules.violations(feasible).any()
    assert model.habits.violations(feasible).any()
    assert not model.habits.violations(labels).any()


def test_edges_are_required(model: Model) -> None:
    """With enough examples most edges are stated, each as “at most one”."""
    stated = {frozenset(np.flatnonzero(row).tolist()) for row in model.rules.matrix}
    assert sum(frozenset(edge) in stated for edge in EDGES) >= 7
    assert set(model.rules.origins) == {"mined"}
    assert set(model.habits.origins) == {HABIT}


def test_answers_and_checks_do_not_use_habits(model: Model) -> None:
    """The empty set is no habit of anyone, but it is allowed; with the habits as rules it is not."""
    nothing = np.zeros((1, NODES), np.int64)
    assert model.check(nothing).feasible[0]
    assert not model.with_habits().check(nothing).feasible[0]
    assert model.decide(-np.ones((1, NODES))).values[0] == 0
    assert model.with_habits().decide(-np.ones((1, NODES))).values[0] < 0
    assert "empty" not in model.export("lp")
    assert len(model.with_habits().habits) == 0


def test_exactly_one_becomes_at_most_one_and_a_habit() -> None:
    """Workers take at most one job, always take one because it pays, and need not take any."""
    rng = np.random.default_rng(1)
    weights = rng.uniform(0.1, 1, (200, 4))
    labels = np.eye(4, dtype=np.int64)[weights.argmax(axis=1)]
    model = unwritten.mine(labels, weights, names=["a", "b", "c", "d"])
    assert str(model.rules) == "at most one of a, b, c, d"
    assert str(model.habits) == "at least one of a, b, c, d"
    assert str(model.with_habits().rules) == "exactly one of a, b, c, d"
    cost = unwritten.mine(labels, -weights, sense="min", names=["a", "b", "c", "d"])
    assert cost.rules == model.rules
    forced = rng.uniform(-1, 1, (200, 4))
    both = unwritten.mine(np.eye(4, dtype=np.int64)[forced.argmax(axis=1)], forced, names=["a", "b", "c", "d"])
    assert str(both.rules) == "exactly one of a, b, c, d"
    assert not len(both.habits)


def test_ties_are_no_optimality() -> None:
    """In Sudoku only clues have weights: no label could beat a solution, so its rules are no habits."""
    grids = sudoku.grids(100, seed=3)
    clues = np.where(np.random.default_rng(0).random(grids.shape) < 0.4, grids, 0)
    model = unwritten.mine(sudoku.one_hot(grids), sudoku.clues_to_weights(clues))
    assert model.rules.rank == 249
    assert not len(model.habits)


def test_trees_have_no_habits() -> None:
    """A matroid was tested with the weights, and the number of edges is a rule even where none is found."""
    for n in (120, 300):
        weights, labels = trees.sample(6, n, seed=2)
        model = unwritten.mine(labels, weights)
        assert not len(model.habits)
        assert model.rules.implies(np.ones(15, np.int64), 5)


def test_nothing_is_judged_without_optimality_or_for_named_miners() -> None:
    """Labels without weights, with predicted weights or with noise, and the paper's method, stay as they are."""
    _, weights, labels = independent_sets(300, seed=5)
    plain = unwritten.mine(labels)
    assert not len(plain.habits)
    noisy = weights + np.random.default_rng(0).normal(0, 0.5, weights.shape)
    assert unwritten.mine(labels, noisy).rules == plain.rules
    assert not len(unwritten.mine(labels, weights, noise=0.01).habits)
    named = unwritten.mine(labels, weights, rules=["groups", "equalities", "pairs", "covers"])
    assert not len(named.habits)


def test_a_hidden_capacity_proves_no_pair() -> None:
    """Items of a knapsack exclude each other by a capacity that nobody states, so no pair of them is proven."""
    rng = np.random.default_rng(4)
    size, every = rng.integers(3, 10, 10), (np.arange(2**10)[:, None] >> np.arange(10)) & 1
    feasible = every[every @ size <= 14]
    weights = rng.uniform(0.05, 1, (400, 10))
    model = unwritten.mine(feasible[(weights @ feasible.T).argmax(axis=1)], weights)
    assert not model.rules.violations(feasible).any()


def test_stock_may_be_thrown_away() -> None:
    """Demand must be met; that nothing is produced in vain is a habit, also with integer variables."""
    rng = np.random.default_rng(6)
    amounts = np.array([(a, b) for a in range(6) for b in range(6) if a + b >= 5])
    weights = rng.uniform(0.1, 1, (300, 2))
    labels = amounts[(weights @ amounts.T).argmin(axis=1)]
    model = unwritten.mine(labels, weights, sense="min", names=["a", "b"], bounds=(0, 5))
    assert [rule.text for rule in model.rules] == ["a + b ≥ 5"]
    assert [rule.text for rule in model.habits] == ["a + b ≤ 5"]


def test_a_person_can_confirm_a_habit(model: Model) -> None:
    """A confirmed habit is a given rule, and no habit any more."""
    habit = model.habit_sentences[0]
    confirmed = model.pinned([habit.id])
    assert len(confirmed.habits) == len(model.habits) - 1
    assert habit.text in [rule.text for rule in confirmed.rules.by_origin("given")]
    again = model.with_edits_from(confirmed)
    assert len(again.habits) == len(confirmed.habits)
    assert habit.text in [rule.text for rule in again.rules.by_origin("given")]
    with pytest.raises(unwritten.errors.DataError, match="no rule has the id"):
        model.pinned(["nothing"])


def test_habits_are_saved(model: Model, tmp_path: Path) -> None:
    """A saved model has the same habits, and a model without any is saved as before."""
    model.save(tmp_path / "sets.rules")
    assert unwritten.load(tmp_path / "sets.rules") == model
    plain = unwritten.mine([[1, 0], [0, 1]] * 20)
    plain.save(tmp_path / "plain.rules")
    assert not len(unwritten.load(tmp_path / "plain.rules").habits)


def test_habits_are_said(model: Model) -> None:
    """The summary, the report and explanations say what is a habit."""
    assert "habits, which optimality can explain" in str(model)
    assert "print(model.habits) shows them all" in str(model)
    page = model.report()
    assert "<h2" in page and ">Habits<" in page
    assert model.habit_sentences[0].text in str(model)
    text = str(model.explain([0] * NODES, nearest=0))
    assert text.startswith("The row obeys every rule.")
    assert "it is against a habit" in text


def test_the_columns_of_a_table_change_their_value() -> None:
    """In a table a move changes the value of a column, because exactly one value is no matter of choice."""
    rng = np.random.default_rng(8)
    combinations = [(s, c) for s in ("small", "large") for c in ("red", "blue", "green") if (s, c) != ("small", "red")]
    rows = [{"size": s, "colour": c} for s, c in combinations]
    schema = unwritten.mine(rows * 20).schema
    assert schema is not None
    labels = np.array([[f"{k}={v}" in {f"{a}={b}" for a, b in r.items()} for k, v in _values(schema)] for r in rows])
    weights = rng.uniform(-1, 1, (400, labels.shape[1]))
    chosen = (weights @ labels.T).argmax(axis=1)
    model = unwritten.mine([rows[i] for i in chosen], weights)
    assert str(model.rules) == "colour = red requires size = large"
    assert not len(model.habits)


def _values(schema: object) -> list[tuple[str, str]]:
    """The column and value of each 0/1 variable of a schema."""
    return [tuple(name.split("=")) for name in schema.variables.names]  # type: ignore[attr-defined]


def test_the_sample_of_examples_does_not_change_the_outcome_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small budget fewer examples are judged; what is required stays true."""
    feasible, weights, labels = independent_sets(2_000, seed=3)
    monkeypatch.setattr(budgets, "HABIT_ENTRIES", 200_000)
    model = unwritten.mine(labels, weights)
    assert not model.rules.violations(feasible).any()
    assert len(model.rules) and len(model.habits)
