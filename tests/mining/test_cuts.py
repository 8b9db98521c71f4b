"""Outer cuts: the slack of the corrected formula, and no training label ever cut off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import box
from unwritten import Examples, Variables, budgets
from unwritten.data import FloatArray, IntArray
from unwritten.errors import DataError
from unwritten.mining import Cuts, outer_cuts
from unwritten.samples import trees
from unwritten.tally import Tally


def cuts_of(labels: IntArray, weights: FloatArray, slack: object = "auto", **options: Any) -> tuple[Examples, Cuts]:
    """Make examples and their cuts."""
    examples = Examples.of(labels, weights, **options)
    return examples, outer_cuts(examples, Tally.of(examples.labels).seen, slack)


@st.composite
def noisy(draw: st.DrawFn) -> tuple[IntArray, FloatArray]:
    """Random labels of a small box, with integer weights for which they need not be optimal."""
    points = box(-1, 1, draw(st.integers(1, 3)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    labels = points[rng.integers(0, len(points), draw(st.integers(1, 10)))]
    return labels, rng.integers(-5, 6, labels.shape).astype(float)


@given(noisy(), st.sampled_from(["max", "min"]))
def test_slack_is_the_double_loop(case: tuple[IntArray, FloatArray], sense: str) -> None:
    """ξ_i = max over the seen labels of w_i·(y_j − y_i), at least 0; cuts that nothing can break are dropped."""
    labels, weights = case
    examples, cuts = cuts_of(labels, weights, sense=sense, bounds=(-1, 1))
    signed = weights if sense == "max" else -weights
    expected = []
    for w, y in zip(signed, labels, strict=True):
        slack = max(0.0, *(float(w @ (other - y)) for other in labels))
        if any(float(w @ point) > float(w @ y) + slack for point in box(-1, 1, labels.shape[1])):
            expected.append((w.tolist(), float(w @ y), slack))
    actual = list(zip(cuts.weights.tolist(), cuts.values.tolist(), cuts.slack.tolist(), strict=True))
    assert actual == expected
    assert examples.weights is not None
    assert np.array_equal(examples.weights, weights)  # the user's sense is kept in the examples


@given(noisy())
def test_exact_means_that_no_example_needed_slack(case: tuple[IntArray, FloatArray]) -> None:
    """An example whose cut was dropped because of its slack counts too: its label is not optimal for its weights."""
    labels, weights = case
    _, cuts = cuts_of(labels, weights, bounds=(-1, 1))
    optimal = (weights @ labels.T).max(axis=1) <= (weights * labels).sum(axis=1)
    assert cuts.exact == optimal.all()


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("exact", [True, False])
def test_no_training_label_is_cut_off_by_rounding(sense: str, exact: bool) -> None:
    """No label breaks one of 2,000 float cuts, whether values are computed by one product, by label or by sum."""
    weights, labels = trees.sample(7, n=2000, seed=3)
    if not exact:
        weights = weights + np.random.default_rng(4).normal(0, 0.3, weights.shape)
    weights = weights if sense == "max" else -weights
    examples, cuts = cuts_of(labels, weights, slack="auto", sense=sense)
    assert len(cuts) > 1900
    assert cuts.exact == exact
    limits = cuts.limits(examples.variables)
    seen = Tally.of(labels).seen
    assert (cuts.weights @ seen.T <= limits[:, None]).all()
    for label in seen[:200]:
        assert (cuts.weights @ label.astype(float) <= limits).all()
        assert (np.cumsum(cuts.weights[:, label == 1], axis=1)[:, -1] <= limits).all()


def test_rounding_is_no_reason_for_slack() -> None:
    """Exact optima given as floats pass slack=0, although equal values computed in two ways differ in the last bit."""
    weights, labels = trees.sample(7, n=2000, seed=5)
    _, cuts = cuts_of(labels, weights, slack=0)
    assert not cuts.slack.any()
    products = (weights @ labels.T).diagonal()
    sums = np.array([sum(w[y == 1][::-1].tolist()) for w, y in zip(weights, labels, strict=True)])
    assert (products != sums).any()  # rounding does differ


def test_zero_slack_says_how_many_labels_are_not_optimal() -> None:
    """With slack=0, labels that another label beats are refused; the error has their number, the first and a cure."""
    labels = np.array([[1, 0], [0, 1], [1, 0], [0, 1]])
    weights = np.array([[2.0, 1.0], [2.0, 1.0], [1.0, 2.0], [1.0, 2.0]])
    with pytest.raises(
        DataError, match=r"2 of 4 labels are not optimal .* first is row 1\): use slack='auto' .* check sense='max'"
    ):
        cuts_of(labels, weights, slack=0)
    with pytest.raises(DataError, match="check sense='min'"):
        cuts_of(labels, weights, slack=0, sense="min")
    assert len(cuts_of(labels[[0, 3]], weights[[0, 3]], slack=0)[1]) == 2


def test_given_slack() -> None:
    """One slack for all examples, or one per example, is used as given if every seen label then satisfies every cut."""
    labels = np.array([[1, 0], [0, 1]])
    weights = np.array([[2.0, 1.0], [2.0, 1.0]])  # the second label needs a slack of 1
    _, cuts = cuts_of(labels, weights, slack=[0.25, 1.5])
    assert cuts.slack.tolist() == [0.25, 1.5]
    assert not cuts.exact
    assert cuts_of(labels, weights, slack=1, bounds=(0, 2))[1].slack.tolist() == [1, 1]
    assert cuts_of(labels, weights, slack="auto")[1].slack.tolist() == [0, 1]
    with pytest.raises(DataError, match=r"1 of 2 labels are not optimal .* first is row 1"):
        cuts_of(labels, weights, slack=[0.25, 0.5])


def test_vacuous_cuts_are_dropped() -> None:
    """A cut that every label within the bounds satisfies is not kept; with wider bounds it is."""
    labels, weights = np.array([[1, 0], [0, 1]]), np.array([[1.0, -1.0], [0.0, 0.0]])
    assert len(cuts_of(labels, weights)[1]) == 0
    assert len(cuts_of(labels, weights, bounds=(0, 2))[1]) == 1
    _, with_slack = cuts_of(labels, np.array([[-1.0, -1.0], [-1.0, 2.0]]), slack=[5, 0])
    assert len(with_slack) == 0


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cuts have the same bits whether computed at once or a few rows at a time."""
    weights, labels = trees.sample(5, n=50, seed=0)
    noise = np.random.default_rng(0).normal(size=weights.shape)
    examples, whole = cuts_of(labels, noise)
    limits, highest = whole.limits(examples.variables), whole.highest(labels)
    monkeypatch.setattr(budgets, "CUT_BLOCK_ENTRIES", 100)
    assert cuts_of(labels, noise)[1] == whole
    assert np.array_equal(whole.limits(examples.variables), limits)
    assert np.array_equal(whole.highest(labels), highest)


def test_without_weights_there_are_no_cuts() -> None:
    """Labels alone give no cuts, and an empty set of cuts counts as exact."""
    cuts = outer_cuts(Examples.of([[1, 0], [0, 1]]), np.eye(2, dtype=np.int64))
    assert len(cuts) == 0
    assert cuts == Cuts.none(2)
    assert cuts.exact


def test_cuts_are_frozen_and_compared_by_content() -> None:
    """Arrays cannot be written; equality looks at weights, values, slack and exactness."""
    parts = np.ones((2, 3)), np.ones(2), np.zeros(2)
    cuts = Cuts(*(part.copy() for part in parts))
    with pytest.raises(ValueError, match="read-only"):
        cuts.values[0] = 2
    assert cuts == Cuts(*(part.copy() for part in parts))
    assert cuts != Cuts(*(part.copy() for part in parts), exact=False)
    assert cuts != cuts[np.array([True, False])]
    assert cuts.limits(Variables.named("abc")) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize(
    ("slack", "cure"),
    [
        ("none", "slack is 'none': use 0, 'auto', or one number per example"),
        (None, "slack values hold None: give plain numbers"),
        (-1, "slack must not be negative: use 0"),
        ([0, -0.5], "slack must not be negative: use 0"),
        ([0, 0, 0], r"slack has shape \(3,\) for 2 examples: use 0, 'auto', or one number per example"),
        ([[0, 0]], r"slack has shape \(1, 2\) for 2 examples: use 0"),
        (np.nan, "slack values hold nan: replace"),
        (np.inf, "slack values hold inf: replace"),
        ([0, "x"], "slack values hold text: give plain numbers"),
        ([0, [1]], "slack values are nested unevenly"),
    ],
)
def test_bad_slack(slack: object, cure: str) -> None:
    """Each bad slack is refused with an error that names the cure."""
    with pytest.raises(DataError, match=cure):
        cuts_of(np.eye(2, dtype=np.int64), np.eye(2), slack=slack)
