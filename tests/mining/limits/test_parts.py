"""The parts of the search for limits."""

from dataclasses import replace

import numpy as np
from limit_cases import box, problem

from unwritten.data import Examples, Variables
from unwritten.mining.limits.better_labels import better_labels, better_steps, steps_of
from unwritten.mining.limits.choices import Choices
from unwritten.mining.limits.left_out_trial import left_out_trial
from unwritten.mining.limits.listed_labels import listed
from unwritten.mining.limits.merged_rows import merged_rows
from unwritten.mining.limits.points import Points
from unwritten.mining.limits.separation import separated, solved
from unwritten.mining.limits.simple_rows import simple_rows, simplest_row
from unwritten.mining.limits.weaker_rows import untested
from unwritten.mining.limits.whole_rows import whole_row
from unwritten.mining.limits.worse_labels import worse_labels
from unwritten.rules import RuleSet


def claims_of(weights, labels):
    examples = Examples.of(labels, weights)
    return Choices.of(examples, examples.weights)


def test_solved_is_the_solution():
    rng = np.random.default_rng(0)
    half = rng.normal(size=(6, 6))
    matrix, right = half @ half.T + np.eye(6), rng.normal(size=6)
    np.testing.assert_allclose(solved(matrix, right), np.linalg.solve(matrix, right), rtol=1e-9)


def test_separated_puts_every_point_on_its_side():
    rng = np.random.default_rng(1)
    labels = box(6)
    inside = labels @ [3, 1, 4, 1, 5, 2] <= 8
    points = np.column_stack([labels, -np.ones(len(labels))]) * np.where(inside, -1, 1)[:, None]
    row = separated(rng.normal(size=7), points, np.ones(len(points)), np.full(7, 1e-6), 60)
    assert (points @ row > 0).all()


def test_what_examples_exclude_is_what_is_worth_more():
    weights, labels = problem([([2, 3, 4, 5], 7)], 40)
    choices, every = claims_of(weights, labels), box(4)
    counts, one = choices.excludes(every)
    better = weights @ every.T > (weights * labels).sum(axis=1)[:, None] + 1e-6
    np.testing.assert_array_equal(counts, better.sum(axis=0))
    assert all(better[i, k] for k, i in enumerate(one) if i >= 0)


def test_listed_is_every_label_under_the_rules():
    variables = Variables.named("abcd", upper=[2, 1, 3, 1])
    rules = RuleSet.of(variables, [([1, 1, 1, 1], "==", 3), ([1, 0, -1, 0], "<=", 0)])
    every = np.stack(np.meshgrid(*(np.arange(n + 1) for n in (2, 1, 3, 1)), indexing="ij"), -1).reshape(-1, 4)
    expected = {tuple(row) for row in every[rules.obeyed_by(every)]}
    found = listed(variables, rules)
    assert {tuple(row) for row in found} == expected
    assert listed(variables, rules, most=2) is None


def test_near_labels_are_worth_more_and_keep_equalities():
    weights, labels = problem([([2, 3, 4, 5, 1], 7)], 30)
    choices = claims_of(weights, labels)
    rules = RuleSet.of(choices.variables, [([1, 1, 0, 0, 0], "==", 1)])
    near, examples = better_labels(choices, steps_of(5, rules), 10, np.random.default_rng(0))
    assert len(near)
    assert ((weights[examples] * near).sum(axis=1) > (weights[examples] * labels[examples]).sum(axis=1)).all()
    np.testing.assert_array_equal(near[:, :2].sum(axis=1), labels[examples][:, :2].sum(axis=1))


def test_the_simplest_whole_row_is_found():
    labels = box(5)
    inside = labels @ [1, 2, 3, 1, 2] <= 4
    row = whole_row(np.array([0.34, 0.65, 1.0, 0.31, 0.69, 1.5]), labels[inside], labels[~inside])
    np.testing.assert_array_equal(row, [1, 2, 3, 1, 2, 4])


def test_no_whole_row_where_there_is_none():
    labels = np.array([[0, 0], [1, 1]])
    assert whole_row(np.array([1.0, 1.0, 0.5]), labels, np.array([[0, 1], [1, 0]])) is None


def points_of(weights, labels):
    """The points of examples over a box that can be listed, without known rules."""
    choices = claims_of(weights, labels)
    rules, every = RuleSet.empty(choices.variables), box(labels.shape[1])
    counts, one = choices.excludes(every)
    worse = worse_labels(choices, rules, steps_of(labels.shape[1], rules))
    alone = np.where(counts == 1, one, -1)[counts > 0]
    return Points.of(choices, rules, every[counts > 0], alone, worse, every[counts == 0])


def test_worse_labels_are_worse_in_every_example():
    weights, labels = problem([([2, 3, 4, 5, 1], 7)], 30, low=0.0)
    points = points_of(weights, labels)
    assert len(points.worse)
    assert all((points.seen >= label).all(axis=1).any() for label in points.worse)


def test_no_label_is_worse_if_signs_vary():
    assert not len(points_of(*problem([([2, 3, 4, 5, 1], 7)], 60)).worse)


def test_without_a_seen_label_its_worse_labels_go():
    points = points_of(*problem([([2, 3, 4, 5, 1], 7)], 30, low=0.0))
    left = points.without(np.arange(len(points.seen)) > 0, np.zeros(len(points.excluded), bool))
    assert ((left.seen[0] >= left.worse).all(axis=1)).all()


def test_the_simplest_row_separates_one_label_from_all_kept_ones():
    points = points_of(*problem([([1, 1, 0, 0, 0, 0], 1), ([0, 0, 1, 1, 1, 1], 2)], 200))
    for label in points.excluded[::7]:
        row = simplest_row(points, label)
        assert (points.kept @ row[:-1] <= row[-1]).all()
        assert label @ row[:-1] > row[-1]
        assert np.count_nonzero(row[:-1]) <= 4


def test_simple_rows_are_the_rows_behind_the_examples():
    rows = [([1, 1, 0, 0, 0, 0], 1), ([0, 0, 1, 1, 1, 1], 2)]
    points = points_of(*problem(rows, 300))
    found = merged_rows(simple_rows(points, 100.0)[0], points)
    assert {tuple(row) for row in found} == {(*a, b) for a, b in rows}


def test_rows_are_not_merged_where_that_says_more():
    """Of a triangle's pairs two are rows: the third is not added."""
    points = points_of(*problem([([1, 1, 0, 0], 1), ([0, 1, 1, 0], 1)], 200))
    rows = np.array([[1, 1, 0, 0, 1], [0, 1, 1, 0, 1]])
    np.testing.assert_array_equal(merged_rows(rows, points), rows)


def test_a_row_is_untested_where_a_weaker_one_explains_as_much():
    """Costs only: nobody claims what happens with the third column, so "at least one of" two may lack it."""
    every = box(4)
    allowed = every[(every[:, :3].sum(axis=1) >= 1) & (every[:, 3] <= 1)]
    weights = np.random.default_rng(0).uniform([-1, -1, -30, -1], [-0.5, -0.5, -20, 1], (100, 4))
    labels = allowed[(weights @ allowed.T).argmax(axis=1)]
    choices = claims_of(weights, labels)
    points = replace(points_of(weights, labels), complete=True)
    short, whole = np.array([[-1, -1, 0, 0, -1]]), np.array([[-1, -1, -1, 0, -1]])
    known = RuleSet.empty(choices.variables)
    assert untested(points, choices, known, short, 1).all()
    assert not untested(points, choices, known, whole, 1).any()


def test_rows_that_change_as_labels_are_left_out_are_told():
    """Sizes that a few labels cannot settle come back as other numbers; a count comes back as itself."""
    assert _trial([7, 12, 18, 5, 11, 16], 31, 40).changed.all()
    plain = _trial([1, 1, 1, 1, 1, 1], 3, 400)
    assert not plain.changed.any()
    assert not plain.broken.any()


def _trial(sizes, capacity, examples):
    """Leave out labels of examples whose capacity is known."""
    weights, labels = problem([(sizes, capacity)], examples)
    row = np.array([[*sizes, capacity]])
    return left_out_trial(points_of(weights, labels), row[:0], row, labels)


def test_better_steps_are_those_of_a_plain_test():
    """Steps of 1, and longer ones, lead to labels within the bounds that are worth more, and to all of them."""
    rng = np.random.default_rng(0)
    weights, labels = problem([([2, 1, 3, 1], 11)], 20, top=3)
    variables = Variables.named("abcd", 0, 3)
    choices = Choices(variables, labels, weights)
    steps = steps_of(4, RuleSet.of(variables, []))
    for tried in (steps, np.concatenate([steps, 2 * steps[rng.permutation(len(steps))[:20]]])):
        found = dict(better_steps(choices, tried))
        for i, (label, row) in enumerate(zip(labels, weights, strict=True)):
            after = label + tried
            good = ((after >= 0) & (after <= 3)).all(axis=1) & (after @ row > choices.thresholds[i])
            assert np.array_equal(found.get(i, np.zeros(len(tried), bool)), good)
