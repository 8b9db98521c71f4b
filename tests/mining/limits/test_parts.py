"""The parts of the search for limits."""

import numpy as np
from limit_cases import box, problem

from unwritten.data import Examples, Variables
from unwritten.mining.limits.claims import Claims
from unwritten.mining.limits.listing import listed
from unwritten.mining.limits.near_labels import better_labels, steps_of
from unwritten.mining.limits.separation import separated, solved
from unwritten.mining.limits.whole_rows import whole_row
from unwritten.rules import RuleSet


def claims_of(weights, labels):
    examples = Examples.of(labels, weights)
    return Claims.of(examples, examples.weights)


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
    claims, every = claims_of(weights, labels), box(4)
    counts, one = claims.excludes(every)
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
    claims = claims_of(weights, labels)
    rules = RuleSet.of(claims.variables, [([1, 1, 0, 0, 0], "==", 1)])
    near, examples = better_labels(claims, steps_of(5, rules), 10, np.random.default_rng(0))
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
