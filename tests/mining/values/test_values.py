"""Rules on values of integers: how many of them have one, and which values never follow one another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unwritten
from unwritten.data import IntArray, Variables
from unwritten.errors import DataError
from unwritten.mining.values import Values

EXAMS = [f"exam {k}" for k in range(8)]


def _exams(n: int, seed: int = 0) -> IntArray:
    """Slots from 1 to 4 of eight exams, at most three in a slot."""
    slots = np.random.default_rng(seed).integers(1, 5, (40 * n, 8))
    fine = (slots[:, :, None] == np.arange(1, 5)).sum(axis=1).max(axis=1) <= 3
    return slots[fine][:n]


@pytest.fixture(scope="module")
def exams() -> unwritten.Model:
    return unwritten.mine(_exams(400), names=EXAMS)


def test_count_of_a_value(exams: unwritten.Model) -> None:
    """A limit on how many integers have a value is said once, checks labels, and answers obey it."""
    assert [sentence.text for sentence in exams.sentences] == ["for every value: at most three of the 8 exams"]
    assert exams.check(_exams(2_000, seed=1)).feasible.all()
    crowded = np.array([[1, 1, 1, 1, 2, 3, 4, 2]])
    assert not exams.check(crowded).feasible[0]
    answers = exams.decide(-np.ones((1, 8)) - np.eye(8)[:1]).labels
    assert (answers == 1).sum() == 3 and (answers == 2).sum() == 3


def test_model_with_values_is_saved_and_exported(exams: unwritten.Model, tmp_path: Path) -> None:
    """Rules on values survive saving, and every kind of program has a 0/1 variable for each value."""
    exams.save(tmp_path / "exams.rules")
    assert unwritten.load(tmp_path / "exams.rules") == exams
    for target in ("lp", "minizinc", "cpmpy", "ortools"):
        assert "exam 0 = 1" in exams.export(target) or "exam_0" in exams.export(target)


def test_no_label_breaks_a_definition(exams: unwritten.Model) -> None:
    """A value beyond those seen has no latent, and the rules on other values hold for it as they are."""
    assert exams.check([[5, 1, 2, 3, 4, 1, 2, 3]]).feasible[0]
    assert not exams.check([[5, 1, 1, 1, 1, 2, 3, 4]]).feasible[0]


def test_values_that_do_not_follow_one_another() -> None:
    """A pair of values that never meets on neighbouring days is said once for all days."""
    rng = np.random.default_rng(0)
    weeks = rng.integers(0, 4, (500, 4, 7))
    for day in range(1, 7):
        weeks[:, :, day][(weeks[:, :, day - 1] == 3) & (weeks[:, :, day] == 1)] = 0
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    model = unwritten.mine(weeks.reshape(500, -1), axes={"nurse": range(1, 5), "day": days})
    assert "for every nurse and day: not value 3 and then value 1 the next day" in [s.text for s in model.sentences]


def test_random_codes_show_nothing() -> None:
    """Integers drawn at random get no latents."""
    for seed in range(3):
        model = unwritten.mine(np.random.default_rng(seed).integers(0, 4, (300, 10)))
        assert not model.lifts and not len(model.rules)


def test_lift_of_values() -> None:
    """One latent per value within the bounds, in grids with the indices of the variables, and its own state."""
    variables = Variables.named(["x[1]", "x[2]", "x[1] = 0"], [-1, 0, 0], [1, 2, 1])
    lift = Values.fit(np.zeros((0, 3), np.int64), variables)
    latents = lift.latents(variables)
    assert latents.names == ("x[1] = −1", "x[1] = 0′", "x[1] = 1", "x[2] = 0", "x[2] = 1", "x[2] = 2")
    assert lift.apply(np.array([[-1, 2, 0], [9, 1, 0]])).tolist() == [[1, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0]]
    assert [len(axis.values) for axis in latents.layout.grids[0].axes] == [2, 4]
    assert Values.restore(lift.state()) == lift
    with pytest.raises(DataError, match="needs integers of 3 to 12 values, and there are none"):
        unwritten.mine([[0, 1], [1, 0]], lifts="values")


def test_latents_do_not_hide_rules_of_a_person() -> None:
    """The lift can be asked for by name, and equalities over the latents are mined."""
    rng = np.random.default_rng(0)
    labels = np.array([rng.permutation([0, 1, 1, 2, 2, 2]) for _ in range(200)])
    model = unwritten.mine(labels, lifts="values", names=list("abcdef"))
    assert model.rules.implies({f"{name} = 1": 1 for name in "abcdef"}, 2, "==")


def test_part_of_a_limited_sum_is_no_rule() -> None:
    """If at least three of 15 people are in every team, 12 people are in none of them only by rare luck."""
    rng = np.random.default_rng(0)
    team = rng.integers(0, 4, (60_000, 15))
    sizes = (team[:, :, None] == np.arange(4)).sum(axis=1)
    team = team[((sizes >= 3) & (sizes <= 5)).all(axis=1)][:500]
    labels = np.eye(4, dtype=np.int64)[team].reshape(len(team), -1)
    model = unwritten.mine(labels, axes={"person": range(1, 16), "team": list("abcd")})
    assert {sentence.text for sentence in model.sentences} == {
        "for every person: exactly one of a, b, c, d",
        "for every team: three to five of the 15 persons",
    }


def test_capacities_of_columns_that_never_vary() -> None:
    """A slice of columns that are always 0 is no scope of a capacity."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, (300, 4, 10))
    labels[:, 3] = 0
    model = unwritten.mine(labels.reshape(300, -1), axes={"van": list("abcd"), "parcel": range(10)})
    assert model.check(labels.reshape(300, -1)).feasible.all()
