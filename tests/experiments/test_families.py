"""Classical problems: solutions obey them, encodings agree, walks are fair, and a quick run works."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from experiments.families import best_learner
from experiments.families import run as families
from experiments.families.catalogue import NAMES, problem_named
from experiments.families.listing import listed
from experiments.families.rows import all_different, apart, before, count, total
from experiments.families.space import Space
from experiments.families.walk import walked
from experiments.registry import load_experiment
from experiments.result import RunContext

pytest.importorskip("ortools")


@pytest.mark.parametrize("name", NAMES)
def test_solutions_obey_their_problem(name: str) -> None:
    """What is drawn is allowed, encodings agree on what is not, and the same seed draws the same."""
    problem = problem_named(name, 0)
    values = problem.values(40, np.random.default_rng(7))
    assert problem.space.obeyed_by(values).all()
    assert np.array_equal(values, problem.values(40, np.random.default_rng(7)))
    assert len(np.unique(values, axis=0)) > 20
    rng = np.random.default_rng(3)
    plain = problem.encoded(problem.encodings[-1])
    near = np.concatenate([plain.neighbours(values, rng)[0], plain.swaps(values, rng)])
    for encoding in problem.encodings:
        encoded = problem.encoded(encoding)
        labels = encoded.labels(values)
        assert encoded.encoding == encoding
        assert labels.shape[1] == len(encoded.label_names) == len(set(encoded.label_names))
        assert encoded.allowed(labels).all()
        assert np.array_equal(encoded.allowed(encoded.labels(near)), plain.allowed(near))


def test_a_changed_column_encodes_nothing() -> None:
    """With a 0/1 column for each value, about half of the steps change one column, and these are infeasible."""
    problem = problem_named("assignment", 0).encoded("0/1")
    rng = np.random.default_rng(0)
    labels = problem.sample(100, rng)
    stepped, moved = problem.neighbours(labels, rng)
    assert 30 < moved.sum() < 70
    assert np.array_equal(np.abs(stepped - labels).sum(axis=1), np.where(moved, 2, 1))
    assert not problem.allowed(stepped[~moved]).any()


SMALL = (
    Space.of(4, [total(range(4), 2, 3)], 0, 2),
    Space.of(3, all_different(range(3)), 1, 4),
    Space.of(3, [before(0, 1, 2), apart(1, 2, 2, 1)], 0, 5),
    Space.of(4, [count(range(4), [1, 2], 1, 2), count([0, 3], [0], 0, 1)], 0, 2),
)


@pytest.mark.parametrize("space", SMALL)
def test_listing_is_complete(space: Space) -> None:
    """The list of solutions has everything within the bounds that obeys the rows."""
    every = np.array(list(product(*map(range, space.lower.tolist(), (space.upper + 1).tolist()))))
    assert sorted(listed(space).tolist()) == every[space.obeyed_by(every)].tolist()


@pytest.mark.parametrize("space", SMALL)
def test_walks_are_fair(space: Space) -> None:
    """Walks visit every solution about equally often."""
    solutions = listed(space)
    drawn = walked(space, 4_000, np.random.default_rng(0))
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == len(solutions)
    assert np.abs(counts / counts.mean() - 1).max() < 8 / np.sqrt(counts.mean())


def test_rows_say_what_they_mean() -> None:
    """Jobs that touch do not overlap, and later ones start when earlier ones end."""
    jobs = Space.of(2, [apart(0, 1, 2, 3)], 0, 5)
    assert jobs.obeyed_by(np.array([[0, 2], [0, 1], [3, 0], [2, 0]])).tolist() == [True, False, True, False]
    order = Space.of(2, [before(0, 1, 3)], 0, 5)
    assert order.obeyed_by(np.array([[0, 3], [0, 2], [1, 4]])).tolist() == [True, False, True]


def test_quick_run(tmp_path: Path) -> None:
    """A quick run accepts nearly everything, and knows "exactly six" and assignments wholly."""
    result = load_experiment("families")(RunContext(tmp_path, quick=True))
    accepted = [row.ours for row in result.rows if row.measure == families.ACCEPTED]
    assert len(accepted) == 10
    assert min(accepted) >= 0.99
    for case, encoding in (("k of n, 100 examples", "0/1"), ("assignment, 100 examples", "0/1")):
        assert result.ours(case, encoding, families.REJECTED) == 1
        assert result.ours(case, encoding, families.FALSE) == 0


def test_a_roster_teaches_its_rules(tmp_path: Path) -> None:
    """The rules of rosters fit on a screen, none is false, and what their export solves is right and new."""
    pytest.importorskip("matplotlib")
    context = RunContext(tmp_path, quick=True)
    result = load_experiment("roster")(context)
    measures = {row.measure: row.ours for row in result.rows}
    assert measures["sentences"] <= 10
    assert measures["false rules"] == 0
    assert measures["fresh rosters accepted (%)"] >= 99.5
    assert measures["wrong rosters rejected (%)"] >= 99
    assert measures["new rosters that are right (%)"] == measures["new rosters that were never seen (%)"] == 100
    assert (context.out / "roster.svg").stat().st_size > 10_000


def test_a_vote_that_accepts_less_rejects_more() -> None:
    """The most that a learner can do with knapsacks: each further row that must allow a label costs and gains."""
    shares = best_learner._shares(0, 100, 60)
    assert shares.shape == (len(best_learner.VOTES), 2)
    assert (np.diff(shares[:, 0]) <= 0).all() and (np.diff(shares[:, 1]) >= 0).all()
    assert shares[0, 1] > 0
